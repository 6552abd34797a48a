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
	--link)
		return
		;;
	--time)
		return
		;;
	--title)
		return
		;;
	--subtitle)
		return
		;;
	--notes)
		return
		;;
	--countname)
		return
		;;
	--nametype)
		return
		;;
	--width)
		return
		;;
	--height)
		return
		;;
	--minwidth)
		return
		;;
	--max-frames)
		return
		;;
	--order)
		mapfile -t COMPREPLY < <(compgen -W 'name weight input' -- "$cur")
		return
		;;
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
	--depth)
		return
		;;
	--colors)
		return
		;;
	--color)
		return
		;;
	--bgcolors)
		return
		;;
	--search-color)
		return
		;;
	--stroke-color)
		return
		;;
	--uicolor)
		return
		;;
	--delta)
		mapfile -t COMPREPLY < <(compgen -W 'total self points' -- "$cur")
		return
		;;
	--layout)
		mapfile -t COMPREPLY < <(compgen -W 'union new base' -- "$cur")
		return
		;;
	--search)
		return
		;;
	--nameattr)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--total)
		return
		;;
	--factor)
		return
		;;
	--fonttype)
		return
		;;
	--fontsize)
		return
		;;
	--fontwidth)
		return
		;;
	--encoding)
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '-o --output --html --csp --link --separate --text --time --title --subtitle --notes --countname --nametype --width --height --minwidth --max-frames --inverted --reverse --order --flamechart --no-sort --focus --ignore --show-from --hide --collapse --merge-recursion --depth --colors --color --hash --deterministic --random --cp --colordiffusion --bgcolors --search-color --stroke-color --uicolor --delta --negate --layout --search --nameattr --total --factor --fonttype --fontsize --fontwidth --truncate-text-right --truncate-text-left --encoding --pretty-xml --no-javascript --strict --force -q --quiet -v --verbose -h --help -V --version' -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -o filenames -F _gp_flame gp-flame
