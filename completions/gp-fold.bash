# Made by completions/generate.sh: do not edit.
_gp_fold()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} head i
	COMPREPLY=()
	[[ $cur == *,* ]] && head=${cur%,*},
	# readline splits --name=value at the =
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $prev in
	-e | --event)
		return
		;;
	-o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
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
	--max-depth)
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '-e --event -o --output -z --gzip --by --user-only --kernel-only --unwind --max-depth --addresses --lines --no-header -q --quiet -v --verbose -h --help -V --version' -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -o filenames -F _gp_fold gp-fold
