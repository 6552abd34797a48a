# Made by completions/generate.sh: do not edit.
_gp_flame()
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
	-o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--title)
		return
		;;
	--subtitle)
		return
		;;
	--width)
		return
		;;
	--minwidth)
		return
		;;
	--search)
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '-o --output --html --title --subtitle --width --minwidth --inverted --search --strict --force -q --quiet -v --verbose -h --help -V --version' -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -o filenames -F _gp_flame gp-flame
