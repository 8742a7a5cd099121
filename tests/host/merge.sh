#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge.sh: tests `bareprof merge`: sums, weights, values, inputs that disagree, kinds of profile, lists of inputs,
# shards and versions. Where llvm-profdata should give the same result, the two results are compared.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}
newest=22
cd "$WORK" || exit 1
case $vectors in /*) ;; *) vectors=$ROOT/$vectors ;; esac

merge() { "$BAREPROF" merge -o - "$@"; }
# record NAME HASH COUNT...: prints a function in the format of text profiles.
record() {
	printf '%s\n%s\n%s\n' "$1" "$2" $(($# - 2))
	shift 2
	printf '%s\n' "$@"
}
# values KIND VALUE:COUNT...: prints one value site in the format of text profiles, in which it
# follows the counts of a function.
values() {
	printf '1\n%s\n1\n%s\n' "$1" $(($# - 1))
	shift
	printf '%s\n' "$@"
}
# text FILE...: merges the files and prints the result as text, without comments.
text() { merge --text "$@" 2>said | grep -v '^#' | sed '/^$/d'; }
# gives WHAT EXPECTED ARGUMENT...: `text` with these arguments must print EXPECTED. In EXPECTED, a blank stands for
# each end of a line.
gives() {
	what=$1
	expected=$2
	shift 2
	got=$(text "$@" | tr '\n' ' ')
	check "$what" [ "$got" = "$expected " ] || true
	[ "$got" = "$expected " ] || echo "    $got, not $expected"
}
said() { check "$1" grep -Eq "$2" said; }
# as_llvm WHAT FILE...: bareprof and llvm-profdata must merge the files into the same text.
as_llvm() {
	what=$1
	shift
	merge --text "$@" >ours 2>said
	"llvm-profdata-$newest" merge -text -o theirs "$@" 2>said
	check "$what: as llvm-profdata-$newest" diff theirs ours
}

# Tests sums of counts.
record f 1 18446744073709551600 1 >high.proftext
record f 1 100 2 >more.proftext
gives "sums end at 2^64-3" "f 1 2 18446744073709551613 3" high.proftext more.proftext
said "sums end at 2^64-3: a warning" 'warning: counts reached the maximum and stay there \(1 times, first in function f\)$'
as_llvm "sums end at 2^64-3" high.proftext more.proftext
gives "products end at 2^64-3" "f 1 2 18446744073709551613 2" --weight 2 high.proftext
said "products end at 2^64-3: a warning" 'counts reached the maximum'
gives "a single input keeps its counts" "f 1 2 18446744073709551600 1" high.proftext
{
	record a 1 0 5
	values 0 x:3 y:9
	printf 'b\n2\n1\n7\n$2\n0x1\n0x80\n'
	record x 1 0
	record y 1 0
} >one.proftext
# llvm-profdata has a fault here: it gives the bitmap of function b to the next function. So this result is not compared
# with a result of llvm-profdata.
{
	record z 1 0
	record a 1 2 2
	values 0 y:1 z:9 '** External Symbol **:4'
	printf 'b\n2\n1\n1\n$2\n0x3\n0x0\n'
} >two.proftext
as_llvm "counts, values and bitmaps" one.proftext two.proftext
gives "weights apply to counts and values, not to bitmaps" \
	"a 1 2 0 15 1 0 1 2 y:27 x:9 b 2 1 21 \$2 0x1 0x80 x 1 1 0 y 1 1 0" --weight 3 one.proftext
printf '3,one.proftext\ntwo.proftext\n' >list
gives "weights apply to values that only a later input has" \
	"a 1 2 2 17 1 0 1 4 y:28 x:9 z:9 ** External Symbol **:4 b 2 1 22 \$2 0x3 0x80 x 1 1 0 y 1 1 0 z 1 1 0" -f list
printf 'two.proftext\n3,one.proftext\n' >list2
mkdir -p folder/below bare
cp two.proftext folder
cp one.proftext folder/below
check "a folder: all files in it and below" sh -c "'$BAREPROF' merge -o - one.proftext two.proftext >1; '$BAREPROF' merge -o - folder | cmp - 1"
echo 1,folder >list3
check "a folder in a list" sh -c "'$BAREPROF' merge -o - -f list3 | cmp - 1"
merge bare >/dev/null 2>said
check "an empty folder: status 1" [ $? = 1 ]
said "an empty folder: the error" 'bare: has no files in it'
check "the order of inputs does not matter" sh -c "'$BAREPROF' merge -o - -f list >1; '$BAREPROF' merge -o - -f list2 | cmp - 1"

# Tests inputs in which the same function has different numbers of counters, bitmap bytes or value sites. The output has
# the larger number, in any order of the inputs.
record f 1 1 1 >small.proftext
record f 1 1 1 1 >large.proftext
for order in "small.proftext large.proftext" "large.proftext small.proftext"; do
	# shellcheck disable=SC2086
	gives "different numbers of counters: $order" "f 1 3 1 1 1" $order
	said "different shapes, $order: a warning names the function" 'different numbers of counters .* \(1 times, first in function f\)$'
done
{ record f 1 1 && printf '$1\n0xff\n'; } >small.proftext
{ record f 1 1 && printf '$2\n0x1\n0x0\n'; } >large.proftext
for order in "small.proftext large.proftext" "large.proftext small.proftext"; do
	# shellcheck disable=SC2086
	gives "bitmaps of different sizes: $order" "f 1 1 2 \$2 0x1 0x0" $order
	said "different shapes, $order: a warning names the function" 'bitmaps of different sizes .*first in function f\)$'
done
{ record f 1 1 && values 0 g:9; } >small.proftext
{ record f 1 1 && printf '1\n0\n2\n1\nf:1\n0\n'; } >large.proftext
for order in "small.proftext large.proftext" "large.proftext small.proftext"; do
	# shellcheck disable=SC2086
	gives "different numbers of value sites: $order" "f 1 1 2 1 0 2 1 f:1 0" $order
	said "different shapes, $order: a warning names the function" 'different numbers of value sites .*first in function f\)$'
done
record f 1 1 >small.proftext
record f 2 1 >large.proftext
gives "another hash is another function" "f 1 1 1 f 2 1 1" large.proftext small.proftext
as_llvm "another hash is another function" large.proftext small.proftext

# merge keeps all values while it reads, and limits them to 255 for each site when it writes. The value 2 has the count
# 1 in one input and 9 in the other, so its sum is 10. (llvm-profdata limits the values of each input. It loses the
# count 1, so its sum is 9.)
# shellcheck disable=SC2046
{ record f 1 1 && values 1 $(seq -f '%.0f:2' 1000 1253) 1:1 2:1; } >one.proftext
# shellcheck disable=SC2046
{ record f 1 1 && values 1 $(seq -f '%.0f:2' 2000 2250) 2:9; } >two.proftext
text one.proftext two.proftext >both
check "values: 255 are written for a site" [ "$(sed -n 8p both)" = 255 ]
check "values: cut after adding, not before" [ "$(sed -n 9p both)" = 2:10 ]
merge one.proftext two.proftext >both.profdata
check "values: 255 are written for a site of an indexed profile" [ "$(text both.profdata | sed -n 8p)" = 255 ]
{ record f 1 1 && values 0 '** External Symbol **:5' '** External Symbol **:3' g:1; } >one.proftext
{ record f 1 1 && values 0 '** External Symbol **:1' '** External Symbol **:2'; } >two.proftext
as_llvm "unknown targets, one by one" one.proftext two.proftext

# Tests combinations of different kinds of profile.
kind() {
	printf '%s' "$1" | tr ' ' '\n'
	record f 1 1
}
kind ':ir
' >ir.proftext
kind ':csir
' >csir.proftext
kind '' >fe.proftext
kind ':ir :entry_first
' >entry.proftext
kind ':single_byte_coverage
' >bytes.proftext
kind ':ir :single_byte_coverage
' >blocks.proftext
gives "IR and context-sensitive IR" ":csir f 1 1 2" ir.proftext csir.proftext
as_llvm "IR and context-sensitive IR" ir.proftext csir.proftext
gives "the flag of entries first stays" ":ir :entry_first f 1 1 2" ir.proftext entry.proftext
as_llvm "the flag of entries first" ir.proftext entry.proftext
for jobs in 1 2 4; do
	refuses "front-end and IR, $jobs threads: the error names both" \
		'^bareprof: ir.proftext has IR counts .*, but fe.proftext has front-end counts .*: merge the inputs of each kind separately' \
		"$BAREPROF" merge -j $jobs -o out fe.proftext fe.proftext fe.proftext ir.proftext
	refuses "bytes and counts, $jobs threads" '^bareprof: bytes.proftext has front-end coverage .*, but fe.proftext' \
		"$BAREPROF" merge -j $jobs --failure-mode warn -o out fe.proftext bytes.proftext
	refuses "blocks and counts, $jobs threads" '^bareprof: ir.proftext has IR counts .*, but blocks.proftext has IR block' \
		"$BAREPROF" merge -j $jobs -o out blocks.proftext ir.proftext
done
check "no refused merge wrote a file" [ ! -e out ]

# Tests the option --sparse.
{ record f 1 0 0 && record g 1 0 1 && record h 1 0 && record h 2 3 && printf 'i\n1\n1\n0\n$1\n1\n'; } >some.proftext
gives "--sparse" "g 1 2 0 1 h 1 1 0 h 2 1 3 i 1 1 0 \$1 0x1" --sparse some.proftext
"llvm-profdata-$newest" merge -sparse -text -o theirs some.proftext
check "--sparse: as llvm-profdata-$newest" sh -c "'$BAREPROF' merge --sparse --text -o - some.proftext | diff theirs -"

# Tests lists of inputs, which the option -f names.
printf '# comment\r\n\r\n  fe.proftext  \r\n\t10,fe.proftext\r\n' >list
gives "list with weights, comments, blanks, CRLF" "f 1 1 11" -f list
check "list from standard input" sh -c "'$BAREPROF' merge --text -o - -f - <list | grep -qx 11"
gives "--weight applies to operands, not to files of the list" "f 1 1 16" --weight 5 -f list fe.proftext
: >empty
refuses "an empty list" "there is nothing to merge" "$BAREPROF" merge -o out -f empty
echo missing.profraw >list
refuses "a missing file in the list" "^bareprof: missing.profraw: cannot be opened" "$BAREPROF" merge -o out -f list
refuses "a missing list" "^bareprof: nowhere: cannot be opened" "$BAREPROF" merge -o out -f nowhere
for weight in 0 99999999999; do
	printf 'fe.proftext\n%s,fe.proftext\n' $weight >list
	refuses "weight $weight in a list" "^bareprof: list: line 2 is not .* weight from 1 to" \
		"$BAREPROF" merge -o out -f list
done
refuses "standard input twice" "standard input .* more than once" "$BAREPROF" merge -o out - -

# Tests --failure-mode, with bad inputs among good ones.
printf 'f\nnonsense\n1\n' >bad.proftext
mode() { "$BAREPROF" merge --text -o out --failure-mode "$@" >said 2>&1; }
refuses "--failure-mode any: one bad input is enough" '^bareprof: bad.proftext: is malformed.*with --failure-mode warn, the other inputs are merged' \
	"$BAREPROF" merge -o out fe.proftext bad.proftext
check "--failure-mode any: no file is written" [ ! -e out ]
for which in all warn; do
	check "--failure-mode $which: merges the good inputs" mode $which fe.proftext bad.proftext missing fe.proftext
	check "--failure-mode $which: names the bad inputs" sh -c "grep -q '^bareprof: bad.proftext: is malformed' said &&
		grep -q '^bareprof: missing: cannot' said && grep -q ' 2 of 4 inputs were left out' said"
	check "--failure-mode $which: the result has nothing from bad inputs" sh -c "grep -qx 2 out && ! grep -q nonsense out"
	rm -f out
	check "--failure-mode $which: one bad input" sh -c "'$BAREPROF' merge --failure-mode $which -o out fe.proftext bad.proftext 2>&1 |
		grep -q ' 1 of 2 inputs was left out'"
	rm -f out
	mode $which bad.proftext empty
	check "--failure-mode $which: fails if all inputs are bad" sh -c "[ $? -eq 1 ] && [ ! -e out ] && grep -q 'no input is good' said"
done
{ cat fe.proftext && echo g; } >half.proftext
check "the result has nothing from an input that is bad at its end" sh -c \
	"'$BAREPROF' merge --failure-mode warn --text -o - fe.proftext half.proftext 2>/dev/null | sed -n 7p | grep -qx 1"
mode any missing fe.proftext
check "a missing file: exit code 3" [ $? -eq 3 ]

# Tests temporal traces. From 150 runs, merge must keep 100 traces. Each merge of the same runs must keep the same 100
# traces.
for i in $(seq 150); do
	printf ':ir\n:temporal_prof_traces\n1\n1\n1\ng%s,f\n' "$i"
	record f 1 1
	record "g$i" 1 1
done >runs
awk '/^:ir/ { n++ } { print > ("run" n ".proftext") }' runs
ls run*.proftext >list
merge -f list >all
check "100 traces of 150 stay" sh -c "'$BAREPROF' merge --text -o - all | sed -n '5p;7p' | tr '\n' ' ' | grep -qx '100 150 '"
check "llvm-profdata-$newest reads them" sh -c \
	"'llvm-profdata-$newest' show --temporal-profile-traces all | grep -q 'samples=100 seen=150'"
head -n 60 list >head
tail -n +61 list >tail
merge -f head >1
merge -f tail >2
check "merged in two steps: the same traces" sh -c "'$BAREPROF' merge -o - 2 1 | cmp - all"
gives "traces are weighed" ":ir :temporal_prof_traces 1 1 6 g1,f, f 1 1 6 g1 1 1 6" --weight 6 run1.proftext

merge --text --shard 1/2 run7.proftext >out 2>said
said "a shard as text: a warning, as it lacks functions of its traces" 'text cannot hold: functions in temporal traces whose names are not in the profile .*without --text everything is kept'

# The order of inputs must not change the output, even if the inputs have different formats.
ls run1*.proftext high.proftext ir.proftext csir.proftext entry.proftext >forms
sed -i '/high/d' forms
ls "$vectors"/clang-*/ir.prof* "$vectors"/clang-*/ir-cxx.prof* "$vectors"/clang-*/csir.prof* \
	"$vectors"/clang-22/ir-temporal.prof* "$vectors"/clang-19/ir-vtable.prof* \
	"$vectors"/bigendian/*-ir-be.profraw >>forms
awk '{ print (NR % 4 ? "" : NR ",") $0 }' forms >list
merge -f list >all 2>said
rounds=4
[ -z "$BAREPROF_WIDE" ] || rounds=40
same_in_any_order() {
	for i in $(seq $rounds); do
		seq "$i" 100000 >seed
		shuf --random-source=seed list >shuffled
		merge -j $((i % 4 + 1)) -f shuffled >one 2>said
		cmp one all || return 1
	done
}
check "$(wc -l <list) inputs of all formats: the same bytes in any order, with 1 to 4 threads" same_in_any_order

# A merge of all shards must give the whole profile again.
for parts in 1 2 7; do
	for i in $(seq $parts); do
		merge --shard "$i/$parts" -f list >"shard$i" 2>said
	done
	check "$parts shards merged are the whole" sh -c "ls -r shard* | xargs '$BAREPROF' merge -o - | cmp - all"
	rm -f shard*
done

# The output has the lowest index version that loses nothing. This way, as many LLVM releases as possible can read it.
version_of() { od -An -tu4 -j8 -N4 "$1" | tr -d ' '; }
has_version() {
	what=$1
	expected=$2
	shift 2
	merge "$@" >versioned 2>said
	check "$what: version $expected" [ "$(version_of versioned)" = "$expected" ]
}
text_of() { "$BAREPROF" merge --text -o - "$1"; }
{ record f 1 1 && printf '$1\n1\n'; } >bits.proftext
{ kind ':ir
' && values 2 vt:1; } >vtable.proftext
printf ':ir\n:instrument_loop_entries\n' >loops.proftext
record f 1 1 >>loops.proftext
has_version "counts" 7 fe.proftext
has_version "bitmaps" 11 bits.proftext
has_version "vtables" 12 vtable.proftext
has_version "traces" 10 run1.proftext
has_version "loop entries" 11 loops.proftext
for profile in fe bits vtable run1 loops csir; do
	merge $profile.proftext >versioned
	text_of $profile.proftext >1
	check "$profile: nothing is lost" sh -c "'$BAREPROF' merge --text -o - versioned | cmp - 1"
done
for release in 13 14 15 16 17 18 19 20 21 22 23; do
	set -- 7 7 8 9 10 11 12 12 12 13 13
	shift $((release - 13))
	has_version "--for-llvm $release" "$1" --for-llvm $release bits.proftext
	if [ "$1" -lt 11 ]; then
		said "--for-llvm $release: a warning of the loss" "left out for LLVM $release: MC/DC bitmaps"
	else
		check "--for-llvm $release: no loss" [ ! -s said ]
	fi
done

# Tests hashes of front-end functions. The hashes of clang 22 are four bits shorter than the hashes of older releases.
# clang 22 finds its hashes only in profiles of index version 13.
cat >hashes.c <<'C'
#define F(name) int name(int n) { int i, s = 0; \
	for (i = 0; i < n; i++) if (i % 3) s += i; else while (s > 100) s -= 7; return n > 9 ? s : n ? -s : 1; }
F(a)
int b(int n) { switch (n) { case 1: return 2; case 5: return 3; } for (;;) if (n++ > 7 && n % 2) return n; }
int c(int n) { do n--; while (n > 3 || n == 1); if (n) { for (; n < 4; n++) ; } return n ? n : a(n) && b(n); }
int main(void) { int i, s = 0; for (i = 0; i < 9; i++) { s += a(i); if (i > 2) s += b(i); else s -= c(i); }
	return s == 3 ? 1 : 0; }
C
for clang in 19 22; do
	"clang-$clang" -O1 -fprofile-instr-generate hashes.c -o hashes 2>said &&
		LLVM_PROFILE_FILE=hashes$clang.profraw ./hashes
done
has_version "hashes of clang 19" 9 hashes19.profraw
has_version "hashes of clang 22" 13 hashes22.profraw
merge --for-llvm 22 hashes19.profraw >out 2>said
said "hashes of clang 19 for LLVM 22: a warning" 'clang before 22: .* does not find these functions, .*--pgo-hash v4'
merge --for-llvm 19 hashes22.profraw >out 2>said
said "hashes of clang 22 for LLVM 19: a warning" 'have hashes of clang 22'
has_version "--pgo-hash v4" 13 --pgo-hash v4 hashes19.profraw
said "--pgo-hash v4: a warning that llvm-cov will not match" 'llvm-cov will not match'
# weights PROFILE: prints the number of branch weights that clang gets from the profile.
weights() {
	"clang-$newest" -O1 -fprofile-instr-use="$1" -S -emit-llvm -o - hashes.c 2>said | grep -c '!"branch_weights"'
}
merge hashes22.profraw >right.profdata
merge --for-llvm 22 hashes19.profraw >wrong.profdata 2>said
check "--pgo-hash v4: clang $newest finds all functions" [ "$(weights versioned)" -eq "$(weights right.profdata)" ]
check "without --pgo-hash v4, it does not" [ "$(weights wrong.profdata)" -lt "$(weights right.profdata)" ]
