#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# compare.sh: compares `bareprof compare` with `llvm-profdata overlap` for profiles of several clang releases, and tests
# whether a profile fits a newer profile and a newer program.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
same=$ROOT/tests/host/lib/compare_same.py
cp "$ROOT/tests/host/samples/compared.c" .

# made N KIND OPTION...: compiles old and new programs, runs them, and makes raw and indexed profiles of both.
made() {
	n=$1
	kind=$2
	shift 2
	for side in old new; do
		to=$side.$n.$kind
		"clang-$n" -O1 "$@" $([ $side = old ] || echo -DNEW) compared.c -o "$to" &&
			LLVM_PROFILE_FILE=$to.profraw "./$to" $([ $side = old ] || echo 1 2) &&
			"llvm-profdata-$n" merge "$to.profraw" -o "$to.profdata" || return
	done
	LLVM_PROFILE_FILE=again.$n.$kind.profraw "./old.$n.$kind" 1
}
releases="13 16 19 22"
for n in $releases; do
	check "clang $n: front-end profiles" made "$n" instr -fprofile-instr-generate
	check "clang $n: IR profiles" made "$n" ir -fprofile-generate
	for kind in instr ir; do
		for form in profdata profraw; do
			python3 "$same" "$BAREPROF" "llvm-profdata-$n" "clang $n, $kind, $form" "old.$n.$kind.$form" "new.$n.$kind.$form"
		done
		python3 "$same" "$BAREPROF" "llvm-profdata-$n" "clang $n, $kind, same program" "old.$n.$kind.profraw" "again.$n.$kind.profraw"
	done
done

# fits WHAT A B NAMES: the lists of functions of A that fit, changed and are gone, and the new ones of B, must be NAMES.
fits() {
	what=$1
	expected=$4
	shift
	"$BAREPROF" compare --json --all "$1" "$2" 2>said >json
	python3 -c 'import json
functions = json.load(open("json"))["functions"]
print(*("%s=%s" % (fit, ",".join(sorted(f["name"].split(":")[-1].split(";")[-1] for f in functions if f["fit"] == fit)))
        for fit in ("fits", "changed", "gone", "new")))' >found
	if [ "$(cat found)" = "$expected" ]; then
		ok "$what"
	else
		not_ok "$what: $(cat found)"
		sed 's/^/    /' said
	fi
}
changed="fits=main,stays,work changed=changes,never gone=old new=fresh"
every="fits=changes,main,never,old,stays,work changed= gone= new="
for n in $releases; do
	fits "clang $n: front-end, profile" "old.$n.instr.profdata" "new.$n.instr.profraw" "$changed"
	fits "clang $n: front-end, program" "old.$n.instr.profdata" "new.$n.instr" "$changed"
done
for n in $releases; do
	fits "clang $n: IR, profile" "old.$n.ir.profdata" "new.$n.ir.profraw" "$changed"
	fits "clang $n: IR, program" "old.$n.ir.profraw" "new.$n.ir" "$changed"
	for kind in instr ir; do
		fits "clang $n: $kind, the same program" "old.$n.$kind.profdata" "old.$n.$kind" "$every"
	done
done

# Profiles with everything that two profiles can disagree about: numbers of counters and of value sites, functions with
# several hashes, functions that never ran in one of them, the unknown target several times, and values only one has.
cat >a.proftext <<'END'
:ir
same
10
3
5
0
7
1
0
2
3
other:11
** External Symbol **:5
** External Symbol **:2
1
copy:4

counters
11
1
5

sites
12
1
6
1
0
1
1
copy:9

hashes
13
1
4

hashes
14
1
8

zero
15
1
4

only_a
16
1
9

END
cat >b.proftext <<'END'
:ir
same
10
3
2
6
1
1
0
2
4
copy:1
other:3
** External Symbol **:8
** External Symbol **:4
0

counters
11
2
5
3

sites
12
1
6
1
0
2
1
copy:9
0

hashes
14
1
2

hashes
17
1
3

zero
18
1
0

only_b
16
1
9

END
for n in $releases; do
	python3 "$same" "$BAREPROF" "llvm-profdata-$n" "text, llvm-profdata $n" a.proftext b.proftext
done
fits "text: everything" a.proftext b.proftext "fits=hashes,same,sites changed=counters,hashes,zero gone=only_a new=only_b"

# Other inputs: text, a capture with its program, standard input, programs with correlated records, virtual calls, and
# profiles with contexts.
"$BAREPROF" merge --text -o old.proftext old.22.ir.profraw
fits "text" old.proftext new.22.ir "$changed"
clang-22 -O1 -fprofile-generate -Wl,--build-id compared.c -o stamped && LLVM_PROFILE_FILE=stamped.profraw ./stamped
python3 "$ROOT/tests/capture/make.py" stamped stamped.capture profraw=stamped.profraw form=text
refuses "a capture without its program" "^bareprof: stamped.capture: .*--elf" "$BAREPROF" compare stamped.capture new.22.ir
check "a capture with its program" sh -c "'$BAREPROF' compare --json --elf stamped stamped.capture new.22.ir |
	grep -A1 fits_of_a | grep -q '\"functions\": [1-9]'"
check "standard input" sh -c "'$BAREPROF' compare - new.22.ir <old.22.ir.profraw | grep -q '^A: standard input, 6 func'"
refuses "standard input twice" "can be read only once" "$BAREPROF" compare - - <old.proftext
clang-22 -O1 -fprofile-instr-generate -mllvm -profile-correlate=binary compared.c -o binary
fits "a program with records that are not loaded" old.22.instr.profdata binary "$every"
clang-22 -O1 -g -fprofile-generate -mllvm -disable-vp=true -mllvm -profile-correlate=debug-info compared.c -o debug
fits "a program with records in its debug information" old.22.ir.profdata debug "$every"
for n in 19 22; do
	vtables="-O1 -x c++ -fno-exceptions -fno-rtti -fprofile-generate -mllvm -enable-vtable-value-profiling"
	# shellcheck disable=SC2086 # $vtables holds several options
	"clang-$n" $vtables "$ROOT/tests/host/samples/show_program.c" -o vtables
	LLVM_PROFILE_FILE=vtables.a.profraw ./vtables
	LLVM_PROFILE_FILE=vtables.b.profraw ./vtables 1 2 3 4 5 6 7 8 9 10
	python3 "$same" "$BAREPROF" "llvm-profdata-$n" "clang $n, virtual calls" vtables.a.profraw vtables.b.profraw
	"$BAREPROF" compare --json --all vtables.a.profraw vtables.b.profraw >vtables.json
done
clang-22 -O1 -fprofile-use=old.22.ir.profdata -fcs-profile-generate compared.c -o contexts 2>/dev/null &&
	LLVM_PROFILE_FILE=contexts.profraw ./contexts 1
"$BAREPROF" merge -o contexts.profdata contexts.profraw old.22.ir.profraw 2>merge.log
fits "contexts: only the other functions are compared" contexts.profdata old.22.ir "$every"
check "contexts: says so" grep -q "^bareprof: contexts.profdata: note: [1-9][0-9]* context-sensitive functions are not" said
check "contexts: their functions fit a program with contexts" sh -c "'$BAREPROF' compare --json contexts.profraw contexts |
	grep -A2 fits_of_a | tail -1 | grep -q '\"functions\": 0'"

# The hashes of clang 22 lack the upper 4 bits. From clang 17 on, static functions have other names in IR profiles.
fits "hashes of clang 19 and 22" old.19.instr.profdata old.22.instr "$every"
check "a profile of clang 19 and one of clang 22: warning" grep -Eq "^bareprof: old.19.instr.profdata: warning: it has the hashes of clang 11 to 21, but old.22.instr has the hashes of clang 22: .* 'bareprof merge --pgo-hash v4'" said
fits "hashes of clang 22 and 19" old.22.instr.profdata old.19.instr "$every"
check "a profile of clang 22 and one of clang 19: warning" grep -q "warning: it has the hashes of clang 22, .* make A again with the clang that compiles B" said
"$BAREPROF" merge --pgo-hash v4 -o converted.profdata old.19.instr.profdata 2>merge.log
fits "hashes of clang 19, converted" converted.profdata old.22.instr "$every"
check "hashes of clang 19, converted: no warning" test ! -s said
fits "names of clang 19, program of clang 16" old.19.ir.profdata old.16.ir \
	"fits=changes,main,never,old changed= gone=stays,work new=stays,work"
fits "names of clang 16, program of clang 19" old.16.ir.profdata old.19.ir "fits=changes,main,never,old,work changed=stays gone= new="
clang-19 -O1 -fprofile-use=old.16.ir.profdata -Wbackend-plugin compared.c -c -o used.o 2>used
check "clang 19 agrees" sh -c "grep -q 'hash mismatch.*stays' used && ! grep work used"

# shows WHAT PATTERN OPTION...: the text must have a line that matches PATTERN.
shows() {
	what=$1
	pattern=$2
	shift 2
	"$BAREPROF" compare "$@" >shown 2>&1
	if grep -Eq -- "$pattern" shown; then
		ok "$what"
	else
		not_ok "$what: no line like '$pattern'"
		sed 's/^/    /' shown
	fi
}
old=old.22.instr.profdata
new=new.22.instr.profraw
shows "text: counts that fit" "^fit B +3 +50.000 % +[0-9]+ +[0-9]+\.[0-9]{3} %$" $old $new
shows "text: new functions" "^new in B +1$" $old $new
shows "text: lost counts" "^ +[0-9]+ +[0-9.]+ % +[0-9]+ +-  changed  changes$" $old $new
check "text: only lost counts" test "$(grep -Ec '  (fits|changed|gone|new) +[a-z.:]+$' shown)" -eq 2
shows "--top" "^1 more; --top 2 lists them$" --top 1 $old $new
shows "--function" "  fits     compared.c:stays$" --function stays $old $new
check "--function: no other" test "$(grep -Ec '  (fits|changed|gone|new) +[a-z.:]+$' shown)" -eq 1
shows "--min-count" "  fits     main$" --min-count 1 $old $new
check "--min-count: not the functions that never ran" sh -c "! grep -E ' (never|old)$' shown"
"$BAREPROF" compare --value-cutoff 1 $old $new >cutoff
check "--value-cutoff is --min-count" cmp shown cutoff
refuses "--function that matches nothing" "^bareprof: $old: has no function whose name matches --function, .*--all" \
	"$BAREPROF" compare --function nothing $old $new
refuses "--function that is wrong" "invalid regular expression" "$BAREPROF" compare --function '(' $old $new
check "--fail-under that holds" "$BAREPROF" compare --fail-under 50 $old $new
refuses "--fail-under" "of its counts fit $new, which is below --fail-under 99.5" "$BAREPROF" compare --fail-under 99.5 $old $new
"$BAREPROF" compare --fail-under 99.5 $old $new >/dev/null 2>&1
check "--fail-under: status 6" test $? -eq 6
refuses "--fail-under as a fraction" "--fail-under takes a percentage.*--fail-under 95" "$BAREPROF" compare --fail-under 0.95 $old $new
printf 'f\n24\n1\n0\n' >zero.proftext
refuses "--fail-under without counts" "^bareprof: zero.proftext: has no counts" "$BAREPROF" compare --fail-under 1 zero.proftext $new
shows "no counts in A" "^no overlap: all counts of A are 0$" zero.proftext $new
shows "no counts in B" "^no overlap: all counts of B are 0$" $new zero.proftext
refuses "a program first" "^bareprof: new.22.instr: is a program; name the profile first" "$BAREPROF" compare new.22.instr $old
refuses "two kinds" "has IR counts .*compare profiles of one kind" "$BAREPROF" compare old.22.ir.profdata $new
refuses "an IR profile, a front-end profile as text" "compare profiles of one kind" "$BAREPROF" compare old.proftext zero.proftext
strip -o stripped new.22.ir
shows "a program without symbols" "warning: does not say whether it has IR counts" old.22.ir.profdata stripped
refuses "a program without instrumentation" "^bareprof: plain: is a program that has no records of functions; give one" sh -c \
	"clang-22 compared.c -o plain && '$BAREPROF' compare $old plain"
refuses "no file" "^bareprof: nothing: .*No such file" "$BAREPROF" compare $old nothing

# Damaged inputs end in one sentence, or in a comparison.
printf 'x' >one
: >empty
for bad in one empty compared.c; do
	refuses "$bad as A" "^bareprof: $bad: " "$BAREPROF" compare $bad $new
	refuses "$bad as B" "^bareprof: $bad: " "$BAREPROF" compare $old $bad
done
for whole in $old $new new.22.ir; do
	bytes=$(wc -c <"$whole")
	for part in 5 33 50 77 97; do
		head -c $((bytes * part / 100)) "$whole" >cut
		"$BAREPROF" compare "${whole%%.*}.22.instr.profraw" cut >out 2>err
		check "$whole, cut to $part %: one sentence" sh -c \
			"[ $? -eq 1 ] && [ \$(wc -l <err) -eq 1 ] && grep -q '^bareprof: cut: ' err && [ ! -s out ]"
	done
done
python3 -c '
for i in range(200000):
    print("f\n%d\n1\n3\n" % (i * 7919 % 1000003))' >many.proftext
check "200,000 functions with one name" timeout 20 "$BAREPROF" compare many.proftext many.proftext

i=0
for pair in "$old $new" "--all $old $new" "--all old.22.ir.profdata new.22.ir.profdata" "$old new.22.instr" \
	"old.19.instr.profdata old.22.instr" "contexts.profdata old.22.ir" "zero.proftext $new"; do
	i=$((i + 1))
	# shellcheck disable=SC2086 # $pair holds several arguments
	"$BAREPROF" compare --json $pair >json$i 2>/dev/null
done
cd "$ROOT" || exit 1
python3 tests/host/lib/json_schema.py compare "$WORK"/json[1-9] "$WORK/vtables.json"
