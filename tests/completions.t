#!/bin/sh
# Completions are what the option tables say, and the shells take them.
# together: gp-record is a word in it
. "$(dirname "$0")/lib/tap.sh"

mkdir fresh
ok "they are generated" "$TOP/completions/generate.sh" fresh
for program in "$TOP"/cmd/gp-*.c; do
	name=$(basename "$program" .c)
	for file in "$name.bash" "_$name" "$name.fish"; do
		ok "$file is the table's (else: make completions)" diff "$TOP/completions/$file" "fresh/$file"
	done
	if command -v zsh >/dev/null; then
		ok "zsh reads _$name" zsh -n "fresh/_$name"
	else
		skip "zsh reads _$name" "no zsh"
	fi
	if command -v fish >/dev/null; then
		ok "fish reads $name.fish" fish --no-execute "fresh/$name.fish"
	else
		skip "fish reads $name.fish" "no fish"
	fi
done
for file in "$TOP"/completions/*.bash; do
	ok "$(basename "$file") belongs to a program" test -e "$TOP/cmd/$(basename "$file" .bash).c"
done

if ! command -v bash >/dev/null; then
	skip "bash completes" "no bash"
	done_testing
fi

# completes PROGRAM 'words typed, the last one being completed'...: what is offered
completes() {
	cat >ask.bash <<'ASK'
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"_${2//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
ASK
	bash ask.bash "fresh/$1.bash" "$@"
}

for program in "$TOP"/cmd/gp-*.c; do
	name=$(basename "$program" .c)
	completes "$name" "$name" - | sort >offered
	"$name" --print-options | awk -F '\t' 'NR > 1 { print "--" $2; if ($1 != "-") print "-" $1 }' | sort >wanted
	ok "bash offers $name's options" diff wanted offered
	"$name" --print-options | awk -F '\t' 'NR > 1 && $3 ~ /\|/ { print $2, $3 }' >choices
	while read -r option choice; do
		completes "$name" "$name" "--$option" '' | tr '\n' '|' | sed 's/|$//' >offered
		echo "$choice" | tr -d '\n' >wanted
		ok "bash offers $name's --$option $choice" cmp wanted offered
		completes "$name" "$name" "--$option" = '' | tr '\n' '|' | sed 's/|$//' >offered
		ok "bash offers $name's --$option=$choice" cmp wanted offered
	done <choices
	if "$name" --print-options | grep -q "^o$(printf '\t')"; then
		: >unlikely.name
		is "bash offers files to $name -o" "bash ask.bash fresh/$name.bash $name -o unlik" <<-!
		unlikely.name
		!
	fi
done
if [ -e "$TOP/cmd/gp-record.c" ]; then
	is "bash offers commands after --" "bash ask.bash fresh/gp-record.bash gp-record -a -- basenam | grep -x basename | sort -u" <<-!
	basename
	!
	is "bash completes the second of several keys" "bash ask.bash fresh/gp-record.bash gp-record --by pid,thr" <<-!
	pid,thread
	!
fi
done_testing
