# Made by completions/generate.sh: do not edit.
_gp_view()
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
	--focus)
		return
		;;
	--ignore)
		return
		;;
	--show-from)
		return
		;;
	--hide)
		return
		;;
	--collapse)
		return
		;;
	--order)
		mapfile -t COMPREPLY < <(compgen -W 'name weight' -- "$cur")
		return
		;;
	--search)
		return
		;;
	--time)
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '--focus --ignore --show-from --hide --collapse --merge-recursion --reverse --order --search --time --strict --force -q --quiet -v --verbose -h --help -V --version' -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -o filenames -F _gp_view gp-view
