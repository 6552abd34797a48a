# Made by completions/generate.sh: do not edit.
_gp_record()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} head i
	COMPREPLY=()
	[[ $cur == *,* ]] && head=${cur%,*},
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] || continue
		if ((i == COMP_CWORD - 1)); then
			mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
	done
	# readline splits --name=value at the =
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $prev in
	-p | --pid)
		return
		;;
	-t | --tid)
		return
		;;
	-G | --cgroup)
		mapfile -t COMPREPLY < <(compgen -d -- "${cur:-/sys/fs/cgroup/}")
		return
		;;
	-e | --event)
		mapfile -t COMPREPLY < <(compgen -W 'cpu-clock task-clock cycles page-faults minor-faults major-faults context-switches cpu-migrations' -- "$cur")
		return
		;;
	-F | --frequency)
		return
		;;
	-c | --count)
		return
		;;
	-d | --duration)
		return
		;;
	-o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--every)
		return
		;;
	--by)
		mapfile -t COMPREPLY < <(compgen -P "$head" -W 'host cgroup pid tid thread cpu time=100ms' -- "${cur##*,}")
		return
		;;
	--unwind)
		mapfile -t COMPREPLY < <(compgen -W 'auto cfi fp' -- "$cur")
		return
		;;
	--stack-size)
		return
		;;
	--max-depth)
		return
		;;
	--delay)
		return
		;;
	--cpus)
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '-a --all -p --pid -t --tid -G --cgroup -e --event -F --frequency -c --count -d --duration -o --output --every -z --gzip --by --user-only --kernel-only --unwind --stack-size --complete --max-depth --addresses --lines --delay --cpus --exclude-self --no-header -q --quiet -v --verbose -h --help -V --version' -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -o filenames -F _gp_record gp-record
