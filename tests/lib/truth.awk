# Holds a profile to the truth: awk [-v name=value ...] -f truth.awk truth profile.folded
#
# truth is what a program of tests/work/ printed (work.h says how lines read), profile one of gp-record.
# A line for each fact comes out: "ok" or "bad", a tab, the fact and what was found.
#
#	only=REGEX	only processes whose names match
#	marked=1	stacks need not be whole, but those that are not must say so
#	cpu=PERCENT	samples x period agree so well with cpu_s (default: not asked)
#	points=N	percentage points that shares may be off (default 5), or what chance does to so few samples
#	without=REGEX	kinds of facts that are not asked for
#	least=N		fewer samples than this prove nothing (default 300)

BEGIN {
	FS = "\t"
	if (points == "")
		points = 5
	if (least == "")
		least = 300
	label = "^(time|host|service|container|cgroup|appid|pid|tid|thread|cpu|file)="
	root = "^(_start|_?_?clone3?|_?_?clone_internal|\\[exec\\]|\\[exit\\]|_dl_start_user|\\[ld-linux[^;]*\\]|\\[libc[.-][^;]*\\])$"
	mark = "^(\\[truncated\\]|\\[unknown:[^;]*\\]|\\[jit\\])$"
}

FNR == NR {
	if (without != "" && $1 ~ without)
		next
	facts++
	kind[facts] = $1
	what[facts] = $2
	more[facts] = $3
	last[facts] = $NF
	fields[facts] = NF
	next
}

function number_of(key,    text) {
	if (!match(header, "\"" key "\":[-0-9.e+]+"))
		return ""
	text = substr(header, RSTART, RLENGTH)
	sub(/^[^:]*:/, "", text)
	return text + 0
}

/^#\{/ {
	header = $0
	next
}

/^#/ || /^$/ {
	next
}

{
	value = $0
	sub(/^.* /, "", value)
	value += 0
	stack = $0
	sub(/ [0-9]+$/, "", stack)
	count = split(stack, frame, ";")
	thread = ""
	for (first = 1; first <= count && frame[first] ~ label; first++)
		if (frame[first] ~ /^thread=/)
			thread = substr(frame[first], 8)
	process = frame[first]
	weight += value
	if (only != "" && process !~ only || only == "" && process == "gp-record")
		next
	total += value
	by_process[process] += value
	by_thread[thread] += value

	top = frame[first + 1]
	if (first == count)
		bare += value
	else if (top ~ root || top ~ /^\[/ && frame[first + 2] ~ /^(__libc_start|\[libc[.-])/)
		whole += value
	else if (top ~ mark)
		marks += value
	else {
		astray += value
		if (astray_stack == "")
			astray_stack = substr(stack, 1, 300)
	}

	leaf = frame[count]
	if (leaf ~ /_\[k\]$/)
		kernel += value
	plain = ";" stack ";"
	for (i = 1; i <= facts; i++) {
		if (kind[i] == "share" || kind[i] == "chain") {
			if (index(plain, ";" what[i] ";"))
				found[i] += value
		} else if (kind[i] == "share~") {
			if (stack ~ what[i])
				found[i] += value
		} else if (kind[i] == "self") {
			if (leaf == what[i])
				found[i] += value
		} else if (kind[i] == "depth" && index(plain, ";" what[i] ";")) {
			times = 0
			for (j = first + 1; j <= count; j++)
				times += frame[j] == more[i]
			base[i] += value
			if (times == last[i])
				found[i] += value
		}
	}
}

function say(good, text) {
	printf "%s\t%s\n", good ? "ok" : "bad", text
}

function say_share(text, got, want,    off) {
	got = 100 * got / total
	off = 3.5 * sqrt(want > 0 && want < 100 ? want * (100 - want) / total : 0)
	off = off > points ? off : points
	say(got - want <= off && want - got <= off, sprintf("%s: %.1f %%, in truth %.1f %%", text, got, want))
}

END {
	if (header == "") {
		say(0, "a header")
		exit
	}
	say(total >= least, "enough samples: " total + 0 ", at least " least)
	if (total == 0)
		exit
	say(number_of("lost") == "0", "lost: " number_of("lost"))
	if (header ~ /"unit":"samples"/)
		say(number_of("samples") == weight, "samples in the header " number_of("samples") ", in the stacks " weight)
	say(astray == 0, "every stack reaches a root or says why not" (astray ? ": " astray ", as " astray_stack : ""))
	say(bare + 0 == 0, "no stack is empty: " bare + 0)
	if (!marked) {
		say(whole >= 0.995 * total, sprintf("whole stacks: %.2f %%", 100 * whole / total))
		if (only == "")
			say(number_of("truncated") + number_of("unresolved") <= 0.005 * total,
			    "truncated " number_of("truncated") ", unresolved " number_of("unresolved"))
	}
	for (i = 1; i <= facts; i++) {
		if (kind[i] ~ /^(share~?|self|chain)$/) {
			name = length(what[i]) > 60 ? substr(what[i], 1, 57) "..." : what[i]
			say_share(kind[i] " " name, found[i], last[i])
		} else if (kind[i] == "process")
			say_share("process " what[i], by_process[what[i]], last[i])
		else if (kind[i] == "thread" && by_thread[""] < total)
			say_share("thread " what[i], by_thread[what[i]], last[i])
		else if (kind[i] == "threads" && by_thread[""] < total) {
			n = 0
			for (t in by_thread)
				n += index(t, what[i]) == 1
			say(n == last[i], "threads " what[i] "*: " n ", in truth " last[i])
		} else if (kind[i] == "kernel_least")
			say(100 * kernel / total >= last[i] - points,
			    sprintf("kernel: %.1f %%, in truth at least %.1f %%", 100 * kernel / total, last[i]))
		else if (kind[i] == "depth") # the first calls are on their way down
			say(base[i] && found[i] >= 0.99 * base[i],
			    sprintf("%s %s times above %s: in %.1f %%", more[i], last[i], what[i],
			    base[i] ? 100 * found[i] / base[i] : 0))
		else if (kind[i] == "cpu_s" && cpu != "") {
			seconds = number_of("period_ns") * 1e-9 * total
			off = 100 * (seconds / last[i] - 1)
			say(off <= cpu + 0 && off >= -cpu,
			    sprintf("samples x period %.3f s, in truth %.3f s: %+.1f %%", seconds, last[i], off))
		}
	}
}
