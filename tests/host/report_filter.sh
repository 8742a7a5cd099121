#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_filter.sh: tests --ignore-filename and --sources of `bareprof report`. The table, LCOV and JSON must be those of
# llvm-cov with -ignore-filename-regex and SOURCES.
. "$(dirname "$0")/../lib.sh"

work=$(cd "$WORK" && pwd -P)
mkdir -p "$work/src/lib" "$work/src/library"
printf 'static inline int twice(int n) { return n > 9 ? 0 : 2 * n; }\n#define BOTH(a, b) ((a) && (b))\n' >"$work/src/twice.h"
printf '#include "../twice.h"\nint first(int n)\n{\n\tif (n)\n\t\treturn twice(n);\n\treturn 1;\n}\n' >"$work/src/lib/first.c"
printf 'int second(int n)\n{\n\treturn n ? n : 1;\n}\n' >"$work/src/library/second.c"
printf '#include "twice.h"\nint first(int);\nint second(int);\nint main(int n, char **words)\n{\n\t(void)words;\n\treturn BOTH(n, first(n)) + second(0) > 5;\n}\n' >"$work/src/main.c"

# same WHAT FORMAT OPTIONS OF LLVM-COV -- OPTIONS: compares an export of both.
same() {
	export_of=$1
	format=$2
	shift 2
	theirs=
	while [ "$1" != -- ]; do
		theirs="$theirs $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # options without spaces
	"llvm-cov-$release" export -format="$format" "$elf" -instr-profile="$elf.profdata" $theirs >"$work/expected" 2>"$work/err"
	option=--json
	[ "$format" = text ] || option=--lcov
	"$BAREPROF" report "$elf" "$elf.profraw" "$@" $option - >"$work/got" 2>"$work/said"
	check "clang-$release: $export_of" sh -c "test -s '$work/expected' && cmp '$work/expected' '$work/got'"
}

# alike WHAT OPTIONS OF LLVM-COV -- OPTIONS: compares tables, LCOV, and JSON with and without summaries only.
alike() {
	filter=$1
	shift
	theirs=
	for word; do
		[ "$word" != -- ] || break
		theirs="$theirs $word"
		shift
	done
	shift
	# shellcheck disable=SC2086 # options without spaces
	"llvm-cov-$release" report "$elf" -instr-profile="$elf.profdata" $theirs 2>"$work/err" |
		awk '/^Files which contain no functions/ { skip = 1 } skip && /^---/ { skip = 0 } !skip' | sed '/^$/d' >"$work/expected"
	"$BAREPROF" report "$elf" "$elf.profraw" "$@" 2>"$work/said" >"$work/got"
	check "clang-$release: $filter: table" sh -c "grep -q ^TOTAL '$work/expected' && diff '$work/expected' '$work/got'"
	# shellcheck disable=SC2086 # options without spaces
	{
		same "$filter: LCOV" lcov $theirs -- "$@"
		same "$filter: JSON" text $theirs -- "$@"
		same "$filter: JSON with summaries only" text $theirs -summary-only -- "$@" --summary-only
	}
}

for release in $(some_clang_releases); do
	elf=$work/program-$release
	"clang-$release" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id "$work/src/lib/first.c" \
		"$work/src/library/second.c" "$work/src/main.c" -o "$elf" 2>"$work/err" ||
		{ skip "clang-$release: does not link hosted programs with a profile runtime" && continue; }
	LLVM_PROFILE_FILE=$elf.profraw "$elf"
	"llvm-profdata-$release" merge -o "$elf.profdata" "$elf.profraw"
	alike "--ignore-filename" '-ignore-filename-regex=lib' -- --ignore-filename lib
	alike "two expressions" '-ignore-filename-regex=/lib/.*[.]c$' '-ignore-filename-regex=(twice|thrice)\.h$' -- \
		--ignore-filename '/lib/.*[.]c$' --ignore-filename '(twice|thrice)\.h$'
	alike "--sources FILE" "$work/src/main.c" -- --sources "$work/src/main.c"
	alike "--sources FOLDER, whose name another one begins with" "$work/src/lib" -- --sources "$work/src/lib"
	alike "--sources with a path from the current folder" "$work/src/lib" -- --sources "$WORK/./src/library/../lib/"
	alike "both" "$work/src/library/second.c" "$work/src/main.c" -ignore-filename-regex=second -- \
		--sources "$work/src/library" --sources "$work/src/main.c" --ignore-filename second
done

[ -n "${elf-}" ] || exit 0
ln -s src "$work/link"
check "--sources with a link to the folder" sh -c \
	"'$BAREPROF' report '$elf' '$elf.profraw' --sources '$work/link/lib' | grep -q 'src/lib/first.c '"
check "views have the same files" sh -c \
	"'$BAREPROF' report '$elf' '$elf.profraw' --sources '$work/src/library' --functions --uncovered --folders 0 >'$work/got' &&
	grep -q second.c '$work/got' && ! grep -q -e first.c -e main.c -e twice.h '$work/got'"
check "Cobertura has the same files" sh -c \
	"'$BAREPROF' report '$elf' '$elf.profraw' --ignore-filename second --cobertura - >'$work/got' &&
	grep -q first.c '$work/got' && ! grep -q second.c '$work/got'"
check "--fail-under is about the same files" sh -c \
	"'$BAREPROF' report '$elf' '$elf.profraw' --sources '$work/src/library' --fail-under 100 &&
	! '$BAREPROF' report '$elf' '$elf.profraw' --fail-under 100"
"$BAREPROF" report "$elf" "$elf.profraw" --ignore-filename second >"$work/expected" 2>"$work/err"
"$BAREPROF" report "$elf" "$elf.profraw" --ignore-filename second --with-llvm >"$work/got" 2>"$work/err"
check "--with-llvm gets the filters" sh -c \
	"awk '/^Files which contain no functions/ { skip = 1 } skip && /^---/ { skip = 0 } !skip' '$work/got' | sed '/^\$/d' | diff '$work/expected' -"
refuses "an invalid expression" "--ignore-filename: invalid regular expression '\\('" "$BAREPROF" report "$elf" "$elf.profraw" --ignore-filename '('
refuses "an empty expression" "--ignore-filename takes a regular expression, not an empty text" \
	"$BAREPROF" report "$elf" "$elf.profraw" --ignore-filename ''
refuses "an expression that fits all files" "--ignore-filename leaves out all source files" \
	"$BAREPROF" report "$elf" "$elf.profraw" --ignore-filename .
"$BAREPROF" report "$elf" "$elf.profraw" --ignore-filename second --ignore-filename secnd >"$work/got" 2>"$work/err"
check "an expression that fits no file: a warning" sh -c "diff '$work/expected' '$work/got' &&
	grep -q -- '--ignore-filename secnd: matches no source file of the program' '$work/err' && ! grep -q 'second:' '$work/err'"
refuses "--show of a file that is left out" "--show second.c: --ignore-filename leaves out $work/src/library/second.c\$" \
	"$BAREPROF" report "$elf" "$elf.profraw" --show second.c --ignore-filename second
refuses "--show of a function in a file that is left out" "--show main: --sources leaves out $work/src/main.c\$" \
	"$BAREPROF" report "$elf" "$elf.profraw" --show main --sources "$work/src/library"
refuses "a folder without sources of the program" "--sources $work/nowhere: the program has no source file there" \
	"$BAREPROF" report "$elf" "$elf.profraw" --sources "$work/src/main.c" --sources "$work/nowhere"
refuses "--compare with --sources" "--compare cannot compare a report with --sources" \
	"$BAREPROF" report "$elf" "$elf.profraw" --compare --sources "$work/src"
