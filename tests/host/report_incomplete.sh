#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_incomplete.sh: tests `bareprof report` if the report would lack all functions, some functions or all sources.
# report must print what is missing, and must not exit with 0, with or without --fail-under. Reports that lack nothing
# must pass. The test uses clang 14 and 19 (with BAREPROF_WIDE=1, every clang), each with lld and with GNU ld.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$WORK/tmp" "$WORK/source"
TMPDIR=$WORK/tmp
export TMPDIR

# inline.h has two functions. a.c calls used_inline(). No code calls unused_inline(), so it has a coverage mapping but
# no record.
cat >"$WORK/source/inline.h" <<'C'
static inline int used_inline(int a) { return a > 2 ? a : 0; }
static inline int unused_inline(int a) { return a - 1; }
C
cat >"$WORK/source/a.c" <<'C'
#include "inline.h"
int other(int a);
int in_assembly(int a);
int never(int a)
{
	return a;
}
int twice(int a)
{
	if (a > 100)
		return 0;
	return 2 * a;
}
int main(void) { return twice(3) == 6 && used_inline(3) && other(1) && in_assembly(1) ? 0 : 1; }
C
echo 'int other(int a) { return a + 1; }' >"$WORK/source/b.c"
cat >"$WORK/source/in_assembly.s" <<'S'
	.globl in_assembly
	.type in_assembly, @function
in_assembly:
	mov %edi, %eax
	ret
	.section .note.GNU-stack, "", @progbits
S
[ "$(uname -m)" = x86_64 ] || echo 'int in_assembly(int a) { return a; }' >"$WORK/source/in_assembly.c"
assembly=$(ls "$WORK"/source/in_assembly.c 2>/dev/null || echo "$WORK/source/in_assembly.s")

# build NAME OPTION... SOURCE...: compiles and runs $WORK/NAME, with the compiler $major and the linker $linker.
build() {
	name=$1
	shift
	"clang-$major" -fprofile-instr-generate -fcoverage-mapping -fuse-ld="$linker" -Wl,--build-id -o "$WORK/$name" "$@" \
		"$assembly" 2>"$WORK/clang.log" || return
	LLVM_PROFILE_FILE=$WORK/$name.profraw "$WORK/$name"
}
# report STATUS ARGUMENT...: the case $case passes if report ends with STATUS. Old outputs are removed first.
report() {
	expected=$1
	shift
	rm -rf "$WORK/lcov" "$WORK/json" "$WORK/xml" "$WORK/html"
	"$BAREPROF" report "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	if [ $status -eq "$expected" ]; then
		ok "$case: exit code $expected"
	else
		fails "$case: exit code $status, but should be $expected" "$WORK/err"
	fi
}
outputs="--lcov $WORK/lcov --json $WORK/json --cobertura $WORK/xml --html $WORK/html"
says() { check "$case: $1" grep -Eq -- "$2" "$WORK/err"; }
says_not() { check "$case: $1" sh -c '! grep -Eq -- "$1" "$2"' - "$2" "$WORK/err"; }
nothing_written() {
	check "$case: nothing is written" sh -c '! ls -d "$@" 2>/dev/null' - "$WORK/lcov" "$WORK/json" "$WORK/xml" "$WORK/html"
	check "$case: no table is printed" test ! -s "$WORK/out"
}
incomplete='the report is incomplete, and the warnings say what it lacks; to accept such a report, use --allow-incomplete'
another='comes from another build: its build id is [0-9a-f]{16,40}, but that of .*/optimized is [0-9a-f]{16,40}; name the ELF file'

cd "$WORK/source" || exit 1
majors=
for major in 13 14 15 16 17 18 19 20 21 22 23; do
	[ -z "$BAREPROF_WIDE" ] && [ $major -ne 14 ] && [ $major -ne 19 ] && continue
	command -v "clang-$major" >/dev/null && majors="$majors $major"
done
[ -n "$majors" ] || { skip "report_incomplete: clang 14 and 19 are not installed" && exit 0; }

cat >"$WORK/discard.ld" <<'LD'
SECTIONS { /DISCARD/ : { *(__llvm_covfun) } }
INSERT AFTER .text;
LD
sed 's/never/renamed/' a.c >renamed.c
sed 's/return a + 1/return a > 0 ? a + 1 : 1/' b.c >branch.c
for major in $majors; do
	for linker in lld bfd; do
		this="clang-$major $linker"
		case="$this: everything is there"
		build whole a.c b.c || { skip "$this: does not link hosted programs with a profile runtime" && continue; }
		profile=$WORK/whole.profraw
		# shellcheck disable=SC2086
		report 0 "$WORK/whole" "$profile" $outputs --fail-under 50
		says_not "without a warning" 'report lacks|is incomplete|does not exist|: lacks'

		case="$this: __llvm_covfun discarded"
		build discarded -Wl,-T,"$WORK/discard.ld" a.c b.c
		# shellcheck disable=SC2086
		report 1 "$WORK/discarded" "$WORK/discarded.profraw" $outputs
		says "the program, the section and the remedy" \
			"discarded: has a coverage mapping without functions: the linker discarded the section __llvm_covfun, .*'bareprof check' prints"
		nothing_written
		report 1 "$WORK/discarded" "$WORK/discarded.profraw" --fail-under 0
		report 1 "$WORK/whole" "$profile" "$WORK/discarded" "$WORK/discarded.profraw"
		says "the program is named, if there are two" "discarded: has a coverage mapping without functions"

		case="$this: functions that the program lacks"
		"llvm-profdata-$major" merge -text -o "$WORK/whole.proftext" "$profile"
		build renamed renamed.c branch.c
		# shellcheck disable=SC2086
		report 7 "$WORK/renamed" "$WORK/whole.proftext" $outputs
		says "the profile, the functions and the remedy" \
			'whole.proftext: has [34] functions whose counts the report lacks: [a-z.:;_]+, .*; functions that are not in .*/renamed: [23]; functions whose control flow differs from that in the program: 1; the profile comes from another build.*run .*/renamed again'
		says "the last line" "renamed: $incomplete"
		says_not "the advice to compile with a mapping" '-fcoverage-mapping: '
		check "$case: the report is made" test -s "$WORK/lcov" -a -s "$WORK/json" -a -s "$WORK/xml" -a -s "$WORK/html/index.html" -a -s "$WORK/out"
		report 7 "$WORK/renamed" "$WORK/whole.proftext" --fail-under 0
		report 6 "$WORK/renamed" "$WORK/whole.proftext" --fail-under 100
		report 0 "$WORK/renamed" "$WORK/whole.proftext" --allow-incomplete
		says "the warning remains" 'whose counts the report lacks'

		# The remaining cases need a profile with a build id. The runtime of clang 13 does not find the build id
		# that GNU ld makes.
		[ "$this" != "clang-13 bfd" ] || continue
		case="$this: another build"
		build optimized -O1 a.c b.c
		"$BAREPROF" merge -o "$WORK/whole.profdata" "$profile"
		# shellcheck disable=SC2086
		report 1 "$WORK/optimized" "$WORK/whole.profdata" $outputs --fail-under 0
		says "both build ids and the remedy" "whole.profdata: $another"
		nothing_written
		case="$this: the right build"
		report 0 "$WORK/whole" "$WORK/whole.profdata"
		says_not "the build id is checked" 'cannot check'
	done
done

major=${majors##* }
linker=lld
build whole a.c b.c
profile=$WORK/whole.profraw

# Tests missing sources. After the build, the sources are moved to the folder `moved`.
cp -r "$WORK/source" "$WORK/before"
cd "$WORK/before" && build gone a.c b.c
cd "$WORK/source" && mv "$WORK/before" "$WORK/moved" || exit 1
gone="$WORK/gone $WORK/gone.profraw"
case="no source exists"
# shellcheck disable=SC2086
report 7 $gone $outputs --fail-under 50
says "the first source and the remedy" \
	"$WORK/before/[a-z.]+: does not exist, and neither does any other source file of the report, so there is no HTML report; use --path-map A=B to name the folder B"
says "the last line" "$incomplete"
says_not "nothing of llvm-cov" "isn't covered"
check "$case: no empty HTML report" test ! -e "$WORK/html"
check "$case: all others are written" test -s "$WORK/lcov" -a -s "$WORK/json" -a -s "$WORK/xml" -a -s "$WORK/out"
# shellcheck disable=SC2086
report 6 $gone --fail-under 100
# shellcheck disable=SC2086
report 0 $gone --allow-incomplete
case="no source exists, with --path-map"
# shellcheck disable=SC2086
report 0 $gone --path-map "$WORK/before=$WORK/moved" $outputs
says_not "without a warning" 'does not exist'
case="no source exists, with --diff"
# shellcheck disable=SC2086
report 1 $gone --diff HEAD --fail-under 0
says "said once" 'was compiled from files that were not found'
case="one source is missing"
cp -r "$WORK/moved" "$WORK/some"
rm "$WORK/some/b.c"
# shellcheck disable=SC2086
report 0 $gone --path-map "$WORK/before=$WORK/some" --lcov "$WORK/lcov"
# shellcheck disable=SC2086
report 0 $gone --path-map "$WORK/before=$WORK/some" --html "$WORK/html"
says "the HTML report lacks it" 'some/b.c: does not exist, so the HTML report lacks it'
case="one of two programs has no sources"
# shellcheck disable=SC2086
report 0 $gone "$WORK/whole" "$profile"

case="profile of another program"
echo 'int foo(void) { return 0; } int main(void) { return foo(); }' >foo.c
"clang-$major" -fprofile-instr-generate -fcoverage-mapping -o "$WORK/foo" foo.c
sed '/^main$/,/^$/d' "$WORK/whole.proftext" >"$WORK/without_main.proftext"
# shellcheck disable=SC2086
report 1 "$WORK/foo" "$WORK/without_main.proftext" $outputs --fail-under 0
says "the remedy" "without_main.proftext: comes from another program: .*/foo has none of its 4 functions \\(such as .*\\); name the ELF file"
nothing_written
case="a profile that lacks a function"
report 0 "$WORK/whole" "$WORK/without_main.proftext"
says "it is counted" 'the table has 6 functions, and the profile has 4: 1 function is only in the table \(no code uses such a function, so it has no record\); 1 function is only in the table \(not in the profile\)$'
says "it is named" 'without_main.proftext: lacks 1 function of .*/whole: main; the report shows it as not run; .*--partial, .*, and a profile of another build lacks functions$'
case="a profile of this build that lacks functions"
"$BAREPROF" merge -o "$WORK/filtered.profdata" "$profile" --function '^twice$' 2>"$WORK/err"
report 0 "$WORK/whole" "$WORK/filtered.profdata" --fail-under 10
says "they are named" 'filtered.profdata: lacks 4 functions of .*/whole: [a-z._:;]+, [a-z._:;]+, [a-z._:;]+ and 1 more; the report shows them as not run; .*--function and --sparse leave out functions$'
says "the linker did not remove them" ': 1 function is only in the table \(no code uses such a function, so it has no record\); 4 functions are only in the table \(not in the profile\)$'
report 0 "$WORK/whole" "$WORK/filtered.profdata" --summary-only
says "totals alone say it, too" 'filtered.profdata: lacks 4 functions'
report 0 "$WORK/whole" "$WORK/filtered.profdata" "$profile"
says_not "another profile has them" 'lack|none of its'
says_not "numbers of one profile do not explain the table of both" 'the table has'
report 0 "$WORK/whole" "$profile" "$profile"
says "numbers of two equal profiles do" 'the table has 6 functions, and the profile has 5: 1 function is only in the table'
"$BAREPROF" merge -o "$WORK/sparse.profdata" "$profile" --sparse
report 0 "$WORK/whole" "$WORK/filtered.profdata" "$WORK/sparse.profdata"
says "no profile has it" '/whole: has 1 function that none of its 2 profiles has: never; the report shows it as not run'
case="profile without a function"
echo ':fe' >"$WORK/empty.proftext"
"llvm-profdata-$major" merge -o "$WORK/empty.profdata" "$WORK/empty.proftext"
# shellcheck disable=SC2086
report 1 "$WORK/whole" "$WORK/empty.profdata" $outputs
says "the sentence" 'empty.profdata: has no functions, so there is nothing to report'
nothing_written
case="indexed PGO profile"
printf ':ir\nmain\n1\n1\n1\n' >"$WORK/ir.proftext"
report 1 "$WORK/whole" "$WORK/ir.proftext"
says "as for raw profiles" 'ir.proftext: is a PGO profile without coverage mapping'
case="names discarded"
"llvm-objcopy-$major" -R __llvm_prf_names "$WORK/whole" "$WORK/nameless"
report 1 "$WORK/nameless" "$profile"
says "the section" 'nameless: has no names of functions: the section __llvm_prf_names was discarded'
case="a mapping of unused functions only"
echo 'static inline int unused(int a) { return a; }' >unused.c
"clang-$major" -fprofile-instr-generate -c a.c b.c
"clang-$major" -fprofile-instr-generate -fcoverage-mapping -c unused.c
"clang-$major" -fprofile-instr-generate -Wl,--build-id a.o b.o unused.o "$assembly" -o "$WORK/unused"
LLVM_PROFILE_FILE=$WORK/unused.profraw "$WORK/unused"
report 1 "$WORK/unused" "$WORK/unused.profraw" --fail-under 0
says "the remedy" 'unused.profraw: has 5 functions, but none of them has a coverage mapping .*-fcoverage-mapping'

# Tests sound reports. In these cases, some objects have no coverage mapping, the profile is correlated, one of two
# programs was built again, or the profiles of two programs were merged.
case="half of the objects have a mapping"
"clang-$major" -fprofile-instr-generate -fcoverage-mapping -c a.c
"clang-$major" -fprofile-instr-generate -Wl,--build-id a.o b.o "$assembly" -o "$WORK/half"
LLVM_PROFILE_FILE=$WORK/half.profraw "$WORK/half"
report 0 "$WORK/half" "$WORK/half.profraw" --fail-under 50
case="correlated profile"
"clang-$major" -fprofile-instr-generate -fcoverage-mapping -mllvm -profile-correlate=binary -Wl,--build-id \
	a.c b.c "$assembly" -o "$WORK/correlated" 2>"$WORK/clang.log" && {
	LLVM_PROFILE_FILE=$WORK/correlated.profraw "$WORK/correlated"
	"llvm-profdata-$major" merge --binary-file="$WORK/correlated" -o "$WORK/correlated.profdata" "$WORK/correlated.profraw"
	report 0 "$WORK/correlated" "$WORK/correlated.profdata" --fail-under 50
	says_not "nothing is missing" 'report lacks'
}
build rebuilt renamed.c branch.c
case="two programs, of which one was built again"
report 0 "$WORK/whole" "$profile" "$WORK/rebuilt" "$WORK/rebuilt.profraw"
says_not "nothing is missing" 'report lacks'
case="one merged profile for two programs"
"$BAREPROF" merge -o "$WORK/both.profdata" "$profile" "$WORK/rebuilt.profraw"
report 0 "$WORK/whole" "$WORK/both.profdata" "$WORK/rebuilt" "$WORK/both.profdata"
says_not "nothing is missing" 'report lacks'
case="a merged profile, and one of its programs"
report 0 "$WORK/whole" "$WORK/both.profdata" --fail-under 50
says "a note" 'both.profdata: has 3 functions whose counts the report lacks: .*; functions that are not in .*/whole: 2; functions whose control flow differs from that in the program: 1; this file also contains profiles of 1 other build'
case="a merged profile, and another program"
report 1 "$WORK/half" "$WORK/both.profdata"
says "the build ids" 'both.profdata: comes from other builds: its build ids, [0-9a-f]+ and 1 more, do not include [0-9a-f]+, that of .*/half'
case="a profile without build ids"
"$BAREPROF" merge --text -o "$WORK/whole.proftext" "$profile"
report 0 "$WORK/whole" "$WORK/whole.proftext"
says "it was not checked" 'whole.proftext: has no build id, or the program has none, so report cannot check that the profile belongs'

# bare_metal LINKER OPTION...: builds and boots the demo kernel as $WORK/bare, and writes $WORK/bare.profraw.
bare_metal() {
	linked_by=$1
	shift
	rm -rf "$WORK/bare"
	make -s -C "$ROOT" image BOARD=mps2-an385 LLVM="$major" LINKER="$linked_by" DROPIN="$DROP_IN" OUT="$WORK/bare" CONFIG_LDFLAGS="$*" \
		>"$WORK/make.log" 2>&1 || { fails "$case: the image does not build" "$WORK/make.log" && return 1; }
	"$BAREPROF" run --board mps2-an385 --timeout 60 --send 'test ring\ncov dump\nexit\n' -o "$WORK/bare.profraw" \
		"$WORK/bare/kernel.elf" >"$WORK/boot" 2>&1 </dev/null || fails "$case: no dump" "$WORK/boot"
}
[ -z "$BAREPROF_WIDE" ] || for major in 14 19; do
	for linker in lld gnu; do
		cd "$ROOT" || exit 1
		case="kernel, clang-$major, $linker"
		bare_metal $linker || continue
		report 0 "$WORK/bare/kernel.elf" "$WORK/bare.profraw" --lcov "$WORK/lcov"
		says_not "complete" 'report lacks'
		mv "$WORK/bare" "$WORK/bare-$linker-$major"
		case="kernel, clang-$major, $linker: __llvm_covfun discarded"
		bare_metal $linker -T "$WORK/discard.ld"
		report 1 "$WORK/bare/kernel.elf" "$WORK/bare.profraw" --lcov "$WORK/lcov" --fail-under 0
		says "the section" 'bare/kernel.elf: has a coverage mapping without functions: the linker discarded'
		case="kernel, clang-$major, $linker: the profile of another build"
		"$BAREPROF" merge -o "$WORK/bare.profdata" "$WORK/bare.profraw"
		report 1 "$WORK/bare-$linker-$major/kernel.elf" "$WORK/bare.profdata"
		says "the build ids" 'bare.profdata: comes from another build'
		case="kernel, clang-$major, $linker: functions that the program lacks"
		"$BAREPROF" merge --text -o "$WORK/bare.proftext" "$WORK/bare.profraw"
		name=$(grep -m 1 -B 1 '^# Func Hash' "$WORK/bare.proftext" | head -n 1)
		sed "s|^$name\$|of_before|" "$WORK/bare.proftext" >"$WORK/before.proftext"
		report 7 "$WORK/bare-$linker-$major/kernel.elf" "$WORK/before.proftext"
		says "the function" 'before.proftext: has 1 function whose counts the report lacks: of_before; functions that are not in .*: 1; the profile comes from another build'
		case="kernel, clang-$major, $linker: no source exists"
		report 7 "$WORK/bare-$linker-$major/kernel.elf" "$WORK/bare.proftext" --path-map "$ROOT=/nonexistent"
	done
done
check "no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
