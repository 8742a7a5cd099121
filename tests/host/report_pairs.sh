#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_pairs.sh: runs `bareprof report` on several programs at once. The programs come from several compilers and are
# for several machines. They define functions with the same name, which are equal, similar or different.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$WORK/tmp"
TMPDIR=$WORK/tmp
export TMPDIR

# build NAME MAJOR OPTIONS...: compiles and runs a program.
build() {
	name=$1
	major=$2
	shift 2
	"clang-$major" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/$name" "$@" &&
		LLVM_PROFILE_FILE=$WORK/$name.profraw "$WORK/$name"
}
# report NAME...: runs report on these programs with their profiles, and writes the files lcov, out and err. $with_llvm
# is an option for it.
with_llvm=
report() {
	set -- "$@" --
	while [ "$1" != -- ]; do
		set -- "$@" "$WORK/$1" "$WORK/$1.profraw"
		shift
	done
	shift
	# shellcheck disable=SC2086
	"$BAREPROF" report "$@" $with_llvm --lcov "$WORK/lcov" >"$WORK/out" 2>"$WORK/err"
}
# hits LINE: prints the number of times that LCOV gives for the line.
hits() { sed -n "s/^DA:$1,//p" "$WORK/lcov"; }
says() { check "$1" grep -Eq -- "$2" "$WORK/err"; }
says_not() { check "$1" sh -c '! grep -Eq -- "$1" "$2"' - "$2" "$WORK/err"; }

# Makes three definitions of one function. Their hash is the same, because each definition has a single counter.
cat >"$WORK/alike.c" <<'C'
int same(int a)
{
	return a ? 1 : 2;
}
#if WHICH == 1
int alike(void)
{
	return 1;
}
#else
int alike(void)
{
	return 2;
}
#endif
static volatile int which = WHICH;
int main(void)
{
	if (which < 3)
		return same(0) + alike() < 0;
	return same(1) < 0;
}
C
majors=
for major in 13 14 15 16 17 18 19 20 21 22 23; do
	command -v "clang-$major" >/dev/null && majors="$majors $major"
done
newest=${majors##* }
for which in 1 2 3; do
	build "alike$which" "$newest" -DWHICH=$which "$WORK/alike.c"
done
report alike1 alike2 alike3
check "variants: succeeds" test $? -eq 0
check "variants: a line of an equal function has the sum" test "$(hits 3)" = 3
check "variants: counts of a similar function are not added" test "$(hits 8),$(hits 13)" = 1,1
says "variants: a message names one" "1 function differs in some of the programs and is shown as variants, such as 'alike \(2\)' of .*alike2"
check "variants: the table has both" grep -Eq 'alike\.c( +[0-9]+){2} +[0-9.]+% +4 +0 +100.00%' "$WORK/out"
report alike1 alike3
check "variants: the variant that did not run has 0" test "$(hits 8),$(hits 13)" = 1,0
report alike3 alike1
check "variants: the same in the other order of programs" test "$(hits 8),$(hits 13)" = 1,0
report alike2 alike2
check "the same pair twice counts twice" test "$(hits 13)" = 2
says_not "the same pair twice has no variants" 'shown as variants'

# Each machine has its own start.c. The functions in these files have the same names.
mkdir -p "$WORK/arch/one" "$WORK/arch/two"
for arch in one two; do
	printf 'int start(void)\n{\n\treturn 0;\n}\n' >"$WORK/arch/$arch/start.c"
done
printf 'int start(void);\nint main(int c, char **v)\n{\n\tv += 0;\n\treturn c > RUN ? start() : 0;\n}\n' >"$WORK/main.c"
build one "$newest" -DRUN=0 "$WORK/arch/one/start.c" "$WORK/main.c"
build two "$newest" -DRUN=1 "$WORK/arch/two/start.c" "$WORK/main.c"
report one two
sed -n '/one.start/,/^end/p' "$WORK/lcov" >"$WORK/one.lcov"
sed -n '/two.start/,/^end/p' "$WORK/lcov" >"$WORK/two.lcov"
check "two files of one name: the function that ran" grep -q '^DA:2,1$' "$WORK/one.lcov"
check "two files of one name: the function that did not run" grep -q '^DA:2,0$' "$WORK/two.lcov"
check "a line in both programs has the sum" grep -q '^DA:3,2$' "$WORK/lcov"
"$BAREPROF" report "$WORK/one" "$WORK/one.profraw" "$WORK/two" "$WORK/two.profraw" \
	--path-map "$WORK/arch/one=/arch" --path-map "$WORK/arch/two=/arch" --lcov "$WORK/lcov" >/dev/null 2>&1
check "files that --path-map gives one name are one file" sh -c \
	"sed -n '/^SF:.arch.start.c/,/^end/p' '$WORK/lcov' | grep -q '^DA:2,1$'"

# One report contains programs from compilers of all raw versions.
cat >"$WORK/all.c" <<'C'
static int loop(int n)
{
	int i, sum = 0;

	for (i = 0; i < n && sum < 100; i++)
		sum += i % 2 ? 3 : i;
	return sum;
}
int main(int c, char **v)
{
	v += 0;
	return loop(10 * c) < 5;
}
C
set --
count=0
for major in $majors; do
	build "all$major" "$major" "$WORK/all.c" || continue
	set -- "$@" "all$major"
	count=$((count + 1))
done
report "$@"
check "$count compilers: succeeds" test $? -eq 0
check "$count compilers: the sum of all counts" test "$(hits 6)" = $((10 * count))
sed -n '/^Filename/,$p' "$WORK/out" >"$WORK/native"
cp "$WORK/lcov" "$WORK/native.lcov"
with_llvm=--with-llvm
report "$@"
with_llvm=
says "$count compilers: the newest llvm-cov reads all programs" "^bareprof: using .*/llvm-cov-$newest\$"
check "$count compilers: a line for the only tool" test "$(grep -c '^bareprof: using' "$WORK/err")" = 1
check "$count compilers: llvm-cov shows the same table" sh -c "sed -n '/^Filename/,\$p' '$WORK/out' | diff '$WORK/native' -"
check "$count compilers: llvm-cov has the same LCOV" diff "$WORK/native.lcov" "$WORK/lcov"
last=
for one; do last=$one; done
"llvm-profdata-$newest" merge -o "$WORK/given.profdata" "$WORK/$last.profraw"
first=$1
"$BAREPROF" report "$WORK/$first" "$WORK/$first.profraw" "$WORK/$last" "$WORK/given.profdata" --lcov "$WORK/lcov" \
	>"$WORK/out" 2>"$WORK/err"
check "an indexed profile as one of two" test "$(hits 6)" = 20
"$BAREPROF" report "$WORK/$last" "$WORK/given.profdata" --lcov "$WORK/lcov" >"$WORK/out" 2>"$WORK/err"
check "an indexed profile alone" test "$(hits 6)" = 10
says_not "an indexed profile is checked" "cannot check that the profile belongs"
"$BAREPROF" merge --text -o "$WORK/given.proftext" "$WORK/$last.profraw"
"$BAREPROF" report "$WORK/$last" "$WORK/given.proftext" --lcov "$WORK/lcov" >"$WORK/out" 2>"$WORK/err"
check "a text profile" test "$(hits 6)" = 10
echo 'a log without a dump' >"$WORK/given.log"
"$BAREPROF" report "$WORK/$last" "$WORK/given.log" --lcov "$WORK/lcov" >"$WORK/out" 2>"$WORK/err"
check "a log without a dump: status 1" test $? = 1

# Repeats the test with MC/DC, whose decisions are in the variants, too.
if [ "$newest" -ge 19 ]; then
	printf '%s\n' '#if WHICH == 1' '' '#endif' 'static int both(int a, int b) { return a && b; }' \
		'int main(void) { return both(1, WHICH) + both(0, 1) < 0; }' >"$WORK/mcdc.c"
	for which in 0 1; do
		build "mcdc$which" "$newest" -fcoverage-mcdc -DWHICH=$which "$WORK/mcdc.c"
	done
	sed 's/static int both/ &/' "$WORK/mcdc.c" >"$WORK/moved.c" && mv "$WORK/moved.c" "$WORK/mcdc.c"
	build mcdc2 "$newest" -fcoverage-mcdc -DWHICH=1 "$WORK/mcdc.c"
	report mcdc0 mcdc1
	"$BAREPROF" report "$WORK/mcdc0" "$WORK/mcdc0.profraw" "$WORK/mcdc1" "$WORK/mcdc1.profraw" --show-mcdc \
		>"$WORK/out" 2>"$WORK/err"
	check "MC/DC: tests of two programs complete each other" grep -Eq 'TOTAL .* 2 +0 +100.00%$' "$WORK/out"
	"$BAREPROF" report "$WORK/mcdc0" "$WORK/mcdc0.profraw" "$WORK/mcdc2" "$WORK/mcdc2.profraw" --json - \
		>"$WORK/json" 2>"$WORK/err"
	says "MC/DC: a message names the variant" "'.*both \(2\)' of .*mcdc2"
	check "MC/DC: the export has the variant" grep -Eq '"both \(2\)"|:both \(2\)"' "$WORK/json"
	check "MC/DC: the export has its conditions" grep -Eq '"totals".*"mcdc":\{"count":[24],"covered":[1-4]' "$WORK/json"
fi

# Tests wrong arguments.
one=$WORK/one
two=$WORK/two
refuses "an odd number of operands" "$two: has no profile after it; usage: bareprof report" \
	"$BAREPROF" report "$one" "$one.profraw" "$two"
refuses "a second pair with the profile first" "$two: has no profile after it; usage: bareprof report" \
	"$BAREPROF" report "$one" "$one.profraw" "$two.profraw" "$two"
refuses "profiles exchanged" "two.profraw: comes from another build" \
	"$BAREPROF" report "$one" "$two.profraw" "$two" "$one.profraw"
refuses "standard input twice" "only one profile can come from standard input" "$BAREPROF" report "$one" - "$two" -
check "a release that is older than both programs" "$BAREPROF" report "$one" "$one.profraw" "$two" "$two.profraw" --llvm 13
# llvm-cov gets all programs from one release, so it must not be older than any of them.
if [ -e "$WORK/$first" ] && [ "$newest" -ge 19 ]; then
	refuses "--html with a release that is older than one of the programs" \
		"$last: was compiled by LLVM [0-9a-z ]*: llvm-cov of LLVM 13 is too old for it; leave out --llvm" \
		sh -c "'$BAREPROF' report '$WORK/$first' '$WORK/$first.profraw' '$WORK/$last' '$WORK/$last.profraw' --llvm 13 \
			--html '$WORK/html' 2>&1 >/dev/null | tail -n 1 >&2; exit 3"
fi
check "one profile from standard input" sh -c \
	"'$BAREPROF' report '$one' '$one.profraw' '$two' - <'$two.profraw'"

# Tests the demo kernel for two machines, built by one compiler or by two compilers.
image() {
	make -s image BOARD="$1" LLVM="$2" DROPIN="$DROP_IN" OUT="$WORK/$1-$2.d" >"$WORK/make.log" 2>&1 &&
		cp "$WORK/$1-$2.d/kernel.elf" "$WORK/$1-$2" &&
		"$BAREPROF" run --board "$1" --send 'test\ncov dump\nexit\n' -o "$WORK/$1-$2.profraw" "$WORK/$1-$2" \
			>"$WORK/$1-$2.log" 2>&1
	check "image of $1 by clang $2" test $? -eq 0
}
# sums NAME NAME: in the report of both programs, each line that is in both programs must have the sum of its two
# counts.
sums() {
	for one; do
		report "$one"
		mv "$WORK/lcov" "$WORK/$one.lcov"
	done
	report "$@"
	awk '
		FNR == 1 { file++ }
		/^SF:/ { name = $0 }
		/^DA:/ { split(substr($0, 4), da, ","); hits[file, name, da[1]] = da[2]; if (file == 3) lines[name, da[1]] }
		END {
			for (line in lines) {
				if (!((1 SUBSEP line) in hits) || !((2 SUBSEP line) in hits))
					continue
				good += hits[3 SUBSEP line] == hits[1 SUBSEP line] + hits[2 SUBSEP line]
				bad += hits[3 SUBSEP line] != hits[1 SUBSEP line] + hits[2 SUBSEP line]
			}
			print good + 0, "lines have the sum,", bad + 0, "do not"
			exit bad || good < 700
		}' "$WORK/$1.lcov" "$WORK/$2.lcov" "$WORK/lcov" >"$WORK/sums"
	sums=$?
}
image x86_64 16
image x86_64 "$newest"
image mps2-an385 "$newest"
sums "x86_64-$newest" "mps2-an385-$newest"
check "two machines: $(cat "$WORK/sums")" test $sums -eq 0
says_not "two machines: only functions of the machine differ" '[0-9]{2} functions differ'
sums x86_64-16 "mps2-an385-$newest"
check "two machines, two compilers: $(cat "$WORK/sums")" test $sums -eq 0
says "two machines, two compilers: functions differ" 'functions differ in some of the programs'
# Tests damaged input from other programs, such as LCOV and diffs.
build/tests/bin/readers "$WORK/x86_64-16" "$WORK/mps2-an385-$newest" "$WORK/$first" ||
	not_ok "readers ended with status $?"
check "no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
