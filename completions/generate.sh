#!/bin/sh
# Writes bash's, zsh's and fish's completions of every program of cmd/, built in $B (build), to a directory, from the
# option tables that the programs themselves print: completions/generate.sh DIRECTORY
set -eu
B=${B:-$(dirname "$0")/../build}
to=${1:?where to}

# What an argument may be, from its name in the table. Words are choices ("auto|cfi|fp").
kinds='
function kind(arg) {
	if (arg == "") return ""
	if (arg ~ /\|/) return "words"
	if (arg == "FILE") return "file"
	if (arg == "DIR") return "dir"
	if (arg == "CGROUP") return "cgroup"
	if (arg == "KEYS") return "keys"
	if (arg == "EVENT") return "event"
	return "other"
}
function words(arg, k) {
	k = kind(arg)
	if (k == "words") { gsub(/\|/, " ", arg); return arg }
	if (k == "keys") return "host cgroup pid tid thread cpu time=100ms"
	if (k == "event") return "cpu-clock task-clock cycles page-faults minor-faults major-faults context-switches cpu-migrations"
	return ""
}
function flags(letter, name, by) {
	if (letter == "-") return "--" name
	return "-" letter by "--" name
}
BEGIN { FS = "\t" }
NR == 1 { program = $1; operands = $2; next }
{ n++; letter[n] = $1; name[n] = $2; arg[n] = $3; help[n] = $4; again[n] = $5 != "" }
'

bash_completion() {
	awk "$kinds"'
	END {
		f = program; gsub(/-/, "_", f)
		print "# Made by completions/generate.sh: do not edit."
		print "_" f "()"
		print "{"
		print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} head i"
		print "\tCOMPREPLY=()"
		print "\t[[ $cur == *,* ]] && head=${cur%,*},"
		if (operands ~ /command/) {
			print "\tfor ((i = 1; i < COMP_CWORD; i++)); do"
			print "\t\t[[ ${COMP_WORDS[i]} == -- ]] || continue"
			print "\t\tif ((i == COMP_CWORD - 1)); then"
			print "\t\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\")"
			print "\t\telse"
			print "\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
			print "\t\tfi"
			print "\t\treturn"
			print "\tdone"
		}
		print "\t# readline splits --name=value at the ="
		print "\tif [[ $cur == = ]]; then"
		print "\t\tcur="
		print "\telif [[ $prev == = ]] && ((COMP_CWORD > 2)); then"
		print "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}"
		print "\tfi"
		print "\tcase $prev in"
		for (i = 1; i <= n; i++) {
			k = kind(arg[i])
			if (k == "") continue
			if (k == "keys") action = "compgen -P \"$head\" -W \047" words(arg[i]) "\047 -- \"${cur##*,}\""
			else if (words(arg[i]) != "") action = "compgen -W \047" words(arg[i]) "\047 -- \"$cur\""
			else if (k == "file") action = "compgen -f -- \"$cur\""
			else if (k == "dir") action = "compgen -d -- \"$cur\""
			else if (k == "cgroup") action = "compgen -d -- \"${cur:-/sys/fs/cgroup/}\""
			else action = ""
			print "\t" flags(letter[i], name[i], " | ") ")"
			if (action != "") print "\t\tmapfile -t COMPREPLY < <(" action ")"
			print "\t\treturn"
			print "\t\t;;"
		}
		print "\tesac"
		all = ""
		for (i = 1; i <= n; i++) all = all (i > 1 ? " " : "") flags(letter[i], name[i], " ")
		print "\tif [[ $cur == -* ]]; then"
		print "\t\tmapfile -t COMPREPLY < <(compgen -W \047" all "\047 -- \"$cur\")"
		print "\telse"
		print "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
		print "\tfi"
		print "}"
		print "complete -o filenames -F _" f " " program
	}'
}

zsh_completion() {
	awk "$kinds"'
	function quoted(text) { gsub(/[\[\]:\\]/, "\\\\&", text); gsub(/\047/, "\047\\\047\047", text); return text }
	END {
		print "#compdef " program
		print "# Made by completions/generate.sh: do not edit."
		print "_arguments -s -S \\"
		for (i = 1; i <= n; i++) {
			k = kind(arg[i])
			if (k == "keys") action = ":keys:_sequence compadd - " words(arg[i])
			else if (words(arg[i]) != "") action = ":" quoted(arg[i]) ":(" words(arg[i]) ")"
			else if (k == "file") action = ":file:_files"
			else if (k == "dir") action = ":directory:_files -/"
			else if (k == "cgroup") action = ":cgroup:_files -W /sys/fs/cgroup -/"
			else if (k != "") action = ":" quoted(arg[i]) ":"
			else action = ""
			tail = "[" quoted(help[i]) "]" action "\047 \\"
			long = "--" name[i] (k != "" ? "=" : "")
			if (letter[i] == "-") print "\t\047" (again[i] ? "*" : "") long tail
			else if (again[i]) print "\t\047*\047{-" letter[i] "+," long "}\047" tail
			else print "\t\047(-" letter[i] " --" name[i] ")\047{-" letter[i] (k != "" ? "+" : "") "," long "}\047" tail
		}
		if (operands ~ /command/) print "\t\047*:::command:_normal\047"
		else print "\t\047*:file:_files\047"
	}'
}

fish_completion() {
	awk "$kinds"'
	function quoted(text) { gsub(/[\\\047]/, "\\\\&", text); return "\047" text "\047" }
	END {
		print "# Made by completions/generate.sh: do not edit."
		for (i = 1; i <= n; i++) {
			line = "complete -c " program (letter[i] == "-" ? "" : " -s " letter[i]) " -l " name[i]
			k = kind(arg[i])
			if (words(arg[i]) != "") line = line " -x -a " quoted(words(arg[i]))
			else if (k == "file") line = line " -r -F"
			else if (k == "dir" || k == "cgroup") line = line " -x -a \047(__fish_complete_directories)\047"
			else if (k != "") line = line " -x"
			print line " -d " quoted(help[i])
		}
		if (operands ~ /command/)
			print "complete -c " program " -n \047contains -- -- (commandline -opc)\047 -x -a \047(__fish_complete_subcommand --commandline)\047"
	}'
}

for source in "$(dirname "$0")"/../cmd/gp-*.c; do
	name=$(basename "$source" .c)
	table=$("$B/$name" --print-options)
	printf '%s\n' "$table" | bash_completion >"$to/$name.bash"
	printf '%s\n' "$table" | zsh_completion >"$to/_$name"
	printf '%s\n' "$table" | fish_completion >"$to/$name.fish"
done
