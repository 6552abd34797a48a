#!/bin/sh
# --lines: 10,000 addresses of a large C++ program, every way to its lines and inlined calls, against addr2line -i on the
# same. The program is made here: a dozen units full of templates.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
B=${B:-$TOP/build}
[ -e "$B/libgp.a" ] || make -s -C "$TOP" build/libgp.a
# shellcheck disable=SC2046 # words
${CC:-cc} -O2 -g -std=gnu11 -D_GNU_SOURCE -I"$TOP/lib" -I"$TOP/tests/unit" -o "$B/bench-source-lines" \
	"$TOP/tests/unit/source_lines.c" "$B/libgp.a" $(make -s -C "$TOP" print-LIBS)
${CC:-cc} -O2 -o "$B/bench-measure" "$TOP/tests/bench/measure.c"
big=$B/bench-lines
mkdir -p "$big"
if [ ! -x "$big/program" ]; then
	cat >"$big/unit.cc" <<-'C'
		#include <algorithm>
		#include <functional>
		#include <map>
		#include <memory>
		#include <regex>
		#include <sstream>
		#include <unordered_map>
		#include <vector>
		template<int N> struct box { int v[N + 1]; int sum() const { int s = 0; for (int x : v) s += x; return s; } };
		template<int N> int work(const std::string &s)
		{
			std::map<std::string, box<N>> m;
			std::vector<std::string> words;
			std::unordered_map<std::string, std::shared_ptr<box<N>>> u;
			std::istringstream in(s);
			std::string w;
			while (in >> w) { words.push_back(w); m[w].v[N / 2] += (int)w.size(); }
			std::sort(words.begin(), words.end(), [](const std::string &a, const std::string &b) {
				return a.size() != b.size() ? a.size() < b.size() : a < b; });
			for (auto &x : words) { auto &p = u[x]; if (!p) p = std::make_shared<box<N>>(); p->v[0]++; }
			int r = 0;
			for (auto &x : m) r += x.second.sum();
			for (auto &x : u) r += x.second->sum();
			return r;
		}
		int UNIT(const std::string &s)
		{
			return work<B + 1>(s) + work<B + 2>(s) + work<B + 3>(s) + work<B + 4>(s) + std::regex_match(s, std::regex("a(b|c)*"));
		}
	C
	units=8
	i=0
	{ echo '#include <string>'; } >"$big/main.cc"
	while [ $i -lt $units ]; do
		"${CXX:-g++}" -g -O2 -DUNIT=unit$i -DB=$((i * 10)) -c -o "$big/unit$i.o" "$big/unit.cc"
		echo "int unit$i(const std::string &);" >>"$big/main.cc"
		i=$((i + 1))
	done
	{
		echo 'int main(int, char **v) { int r = 0;'
		while [ $i -gt 0 ]; do i=$((i - 1)); echo "r += unit$i(v[0]);"; done
		echo 'return r; }'
	} >>"$big/main.cc"
	"${CXX:-g++}" -g -O2 -o "$big/program" "$big/main.cc" "$big"/unit*.o
fi
objdump -d --no-show-raw-insn "$big/program" | awk '/^ +[0-9a-f]+:/ { sub(":", "", $1); print $1 }' >"$big/all"
awk -v all="$(wc -l <"$big/all")" 'BEGIN { step = all / 10000; if (step < 1) step = 1 } NR >= next_one { print; next_one += step }' \
	"$big/all" | head -10000 >"$big/at"
"$B/bench-measure" "$B/bench-source-lines" "$big/program" <"$big/at" >"$big/ours"
"$B/bench-measure" addr2line -a -f -i -e "$big/program" <"$big/at" >"$big/theirs"
size=$(($(stat -c %s "$big/program") >> 20))
awk -v OFS='\t' -v n="$(wc -l <"$big/at")" -v size="$size" 'NR == FNR { cpu = $2; kb = $3; next }
	{
		print "lines: " n " addresses of a C++ program of " size " MB with inlined calls", sprintf("%.2f s", cpu), "2 s"
		print "lines: the same by addr2line -i", sprintf("%.2f s", $2), "side by side"
		print "lines: peak memory of that", sprintf("%d MB", kb / 1024), "200 MB"
		print "lines: peak memory of addr2line", sprintf("%d MB", $3 / 1024), "side by side"
	}' "$big/ours" "$big/theirs"
