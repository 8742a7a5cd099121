#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test.sh: tests `bareprof doctor` with the prepared cases of cases.tsv, the sound sets of sound.tsv, and files that are
# damaged at random. Without BAREPROF_WIDE=1, a tenth of the damaged files is tested.
# shellcheck disable=SC2086
. "$(dirname "$0")/../../lib.sh"
here=$ROOT/tests/host/doctor
cp "$here/program.c" "$WORK"
cd "$WORK" || exit 1
mkdir json
fe="-O1 -fprofile-instr-generate -fcoverage-mapping"

# make_file WORDS FILE: makes FILE by the words of a case in cases.tsv.
make_file() {
	python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import files; files.make(sys.argv[2], sys.argv[3])' "$here" "$1" "$2"
}

# program LLVM NAME FLAGS...: compiles and runs a program, and makes its indexed profile.
program() {
	llvm=$1
	name=$2$1
	shift 2
	clang-$llvm "$@" program.c -o $name >$name.build.log 2>&1 && LLVM_PROFILE_FILE=$name.profraw ./$name >/dev/null &&
		"$BAREPROF" merge --for-llvm $llvm -o $name.profdata $name.profraw 2>/dev/null
}

id="-Wl,--build-id=sha1"
for v in $(clang_releases); do
	[ $v -ne 15 ] || continue
	check "clang $v: programs" program $v p $fe $id
	program $v q $fe $id -DCHANGED
	program $v r $fe $id -DOTHER
	program $v w -O1 -fprofile-instr-generate $id
	program $v i -O1 -fprofile-generate $id
	clang-$v -O1 program.c -o plain$v
	"$BAREPROF" convert --to indexed:12 -o p$v.v12.profdata p$v.profraw 2>/dev/null
	"$BAREPROF" convert --to indexed:13 --drop-build-ids -o p$v.v13.profdata p$v.profraw 2>/dev/null
	"$BAREPROF" convert --to indexed:7 --drop-build-ids -o p$v.v7.profdata p$v.profraw 2>/dev/null
	"$BAREPROF" merge --text -o p$v.proftext p$v.profraw
	python3 "$ROOT/tests/capture/make.py" p$v p$v.capture profraw=p$v.profraw span=16
	python3 "$ROOT/tests/capture/make.py" p$v p$v.log profraw=p$v.profraw span=16 form=text
	told=$(readelf -n p$v | sed -n 's/.*Build ID: //p')
	[ $v -ne 13 ] || told=none # compiler-rt 13 writes no build id on this machine
	python3 "$ROOT/tests/capture/make.py" - w$v.log whole=p$v.profraw span=48 form=text id=$told
done
vectors=$ROOT/tests/vectors
cp "$vectors/clang-14/ir-dbgcorr.profraw" d14.profraw
cp "$vectors/clang-22/ir-dbgcorr2.profraw" d22.profraw
for v in 19 22; do
	program $v l $fe $id -mllvm -profile-correlate=binary 2>/dev/null
done
# Two objects of two compilers with different records; the program need not run.
clang-16 -O1 -fprofile-instr-generate -DOTHER -Dmain=second -c program.c -o x16.o
clang-22 -O1 -fprofile-instr-generate -fcoverage-mapping $id program.c x16.o -o x22 2>x22.log
program 16 n $fe -Wl,--build-id=none
python3 "$ROOT/tests/capture/make.py" n16 n16.log profraw=n16.profraw span=16 form=text
refuses "salvage: without a build id, nothing proves the program" "no build id" \
	"$BAREPROF" doctor --salvage n16.salvaged n16.log n16
check "salvage: --trust-counts does without" "$BAREPROF" doctor --salvage n16.salvaged --trust-counts n16.log n16
sed 5d p22.log >p22.lost.log
refuses "salvage: without the ELF file" "in the ELF file of the program: name that file, too" \
	"$BAREPROF" doctor --salvage no.profraw p22.lost.log
refuses "salvage: a sound raw profile is refused" "shows no damage" "$BAREPROF" doctor --salvage no.profraw p22.profraw
make_file "p22.profraw|field:1:sites:+1" sites.profraw
refuses "salvage: value sites differ from the program" "differs from the program in its records" \
	"$BAREPROF" doctor --salvage no.profraw --trust-counts sites.profraw p22
make_file "p22.profraw|field:1:name:+1" named.profraw
refuses "salvage: the name of a function changed" "no name in the names section has this hash" \
	"$BAREPROF" doctor --salvage no.profraw --trust-counts named.profraw
refuses "salvage: two profiles are refused" "takes one profile" "$BAREPROF" doctor --salvage no.profraw p22.log p19.log
id22=$(readelf -n p22 | sed -n 's/.*Build ID: //p')
python3 "$ROOT/tests/capture/make.py" - named.log whole=named.profraw form=text id=$id22
python3 "$ROOT/tests/capture/make.py" - lean.log whole=l22.profraw form=text id=$(readelf -n l22 | sed -n 's/.*Build ID: //p')
refuses "salvage: names of a dump" "gives no profile that can be read: what is left of it is malformed" \
	"$BAREPROF" doctor --salvage no.profraw named.log
check "salvage: a lean profile is completed" sh -c "'$BAREPROF' doctor --salvage lean.profraw lean.log l22 2>&1 |
	grep -q ': 7 of 7 functions of lean.log; checksums prove their counts'"
check "salvage: refusals write nothing" test ! -e no.profraw
refuses "--trust-counts alone is refused" "needs --salvage" "$BAREPROF" doctor --trust-counts p22.profraw
refuses "--said with other words is refused" "no sentence" "$BAREPROF" doctor --said "it does not work"
mkdir folder
"$BAREPROF" doctor p22 folder gone p22.profraw --said "it does not work" >folder.out 2>folder.err
check "files that cannot be read: exit code 1" test $? -eq 1
check "files that cannot be read are findings" sh -c "grep -q '^unreadable: folder ' folder.out &&
	grep -q '^unreadable: gone ' folder.out && grep -q '^p22.profraw: .*, of p22' folder.out"
check "other words are not an error, if there are files" grep -q 'no sentence of LLVM' folder.err
check "files that cannot be read: JSON" sh -c "'$BAREPROF' doctor --json folder p22 >json/folder.json; test \$? -eq 1"
# says PATTERN FILE...: a line of doctor's answer matches PATTERN.
says() {
	pattern=$1
	shift
	"$BAREPROF" doctor "$@" >says.out
	check "doctor says: $pattern" grep -qE "$pattern" says.out
}

echo '| Lines | 156 of 185 | 29 | 80.00% |' >rates.md
says '^rates.md: text without a dump$' rates.md
says '^other-build: .* is a PGO profile \(-fprofile-generate\), but p22 was compiled for coverage' p22 i22.profraw
clang-22 $fe -Wl,--build-id=0x5678 program.c -o same22
says '^other-build: .*: the build ids differ, although the functions are the same; ' same22 p22.profraw
says '^blocks-missing: p22.lost.log lacks blocks: the dump .* is incomplete: block 4 of 17 is missing; ' p22 p22.lost.log
says '^damaged: named.log changed in place: the name hash of one function, or its name, is damaged' named.log
says '^needs-elf: lean.log has no records and no names, which are only in the ELF file' lean.log
says '^lean.log: .*, of l22$' lean.log l22
make_file "p22.profraw|word:kinds:+7" kinds.profraw
says '^header-damaged: .*copy the file again' kinds.profraw
check "doctor says it once" test "$(grep -o 'copy the file again' says.out | wc -l)" -eq 1
for version in 0 3 6 99; do
	make_file "p22.profraw|word:version:$version" version$version.profraw
done
says '^header-damaged: .* claims raw version 0; copy the file again' version0.profraw
says '^other-release: .* only raw version 5 .LLVM 10. and later: compile the program with clang 10 or later' version3.profraw
says '^header-damaged: .* raw version 6, which no release of LLVM writes; copy the file again' version6.profraw
says '^header-damaged: .* claims raw version 99; copy the file again' version99.profraw
check "--said alone gives the usual causes" sh -c "! '$BAREPROF' doctor --said 'Profile uses raw profile format version = 8; \
	expected version = 10' >only.said && grep -q '^other-release' only.said"
# Objects that are not linked: each function has a section of records, also after ld -r. The last object has one function.
clang-22 $fe -c program.c -o p22.o
ld -r p22.o x16.o -o p22.r.o
echo 'int one(void) { return 1; }' | clang-22 $fe -c -x c - -o one22.o
refuses "compare: an object that is not linked" "is a relocatable object with several sections of records" \
	"$BAREPROF" compare p22.profraw p22.o
check "one function in a program" sh -c "'$BAREPROF' doctor one22.o | grep -q '^one22.o: .*, 1 instrumented function,'"
# Profiles that lack functions of their program. never() is in all but the sparse one, which lacks it.
"$BAREPROF" merge --sparse -o p19.sparse.profdata p19.profraw
"$BAREPROF" merge --function 'never|sum' -o p19.filtered.profdata p19.profraw
"$BAREPROF" pull --elf p22 --partial -o p22.part.profraw p22.lost.log >part.log 2>&1
program 22 s $fe -Wl,--build-id=0x1234
program 22 t $fe -Wl,--build-id=0x1234 -DCHANGED
"$BAREPROF" merge -o two.profdata p22.profraw q22.profraw
program 16 m $fe -Wl,--build-id=none -DCHANGED
program 16 o $fe -Wl,--build-id=none -DOTHER

python3 "$here/cases.py" "$BAREPROF" "$here/cases.tsv"
python3 "$here/cases.py" "$BAREPROF" "$here/sound.tsv"

# next WHAT COMMAND FILE...: doctor finds nothing wrong with the files, and proposes the command.
next() {
	what=$1
	command=$2
	shift 2
	"$BAREPROF" doctor "$@" >next.out && sed -n '$s/^    bareprof //p' next.out >next.command
	check "next: $what: $command" grep -qxF "$command" next.command
}

later=one-boot.2.p22.profraw
next "all profiles" "report p22 p22.profraw $later" p22.profraw p22 $later
next "two programs" "report p22 p22.profraw p19 p19.log" p22 p19 p19.log p22.profraw
next "the later dump of a boot" "report p22 $later" $later p22 p22.log
check "next: the earlier dump is named" grep -q "^p22.log: .*of the same boot as $later, which has all of its counts" next.out
next "the same counts twice" "report p19 p19.profraw" p19 p19.profraw p19.profdata
next "no mapping" "merge -o i22.merged.profdata i22.profraw i19.profraw" i22.profraw i19.profraw
python3 "$ROOT/tests/capture/make.py" i22 own.log profraw=i22.profraw values=none form=text
next "no mapping, a log" "merge --elf i22 -o i19.merged.profdata i19.profraw own.log" i19.profraw i22 i19 own.log

# big LLVM NAME FLAGS...: compiles and runs a larger program, and makes captures of its profile.
big() {
	llvm=$1
	name=$2$1
	shift 2
	clang-$llvm -O1 "$@" $id big.c other.c -o $name >$name.build.log 2>&1 && LLVM_PROFILE_FILE=$name.profraw ./$name 3 \
		>/dev/null || return
	told=$(readelf -n $name | sed -n 's/.*Build ID: //p')
	python3 "$make" $name $name.capture profraw=$name.profraw id=$told span=32 values=none
	python3 "$make" $name $name.log profraw=$name.profraw id=$told span=24 values=none form=text order=random
	python3 "$make" $name $name.frames profraw=$name.profraw id=$told span=48 values=none form=frames order=twice
	[ $llvm -ne 13 ] || told=none
	python3 "$make" - $name.whole.log whole=$name.profraw span=64 form=text id=$told
}
make=$ROOT/tests/capture/make.py
cp "$ROOT/tests/host/samples/program.c" big.c
cp "$ROOT/tests/host/samples/program.h" "$ROOT/tests/host/samples/other.c" .
set --
for v in $(some_clang_releases); do
	big $v fe -fprofile-instr-generate -fcoverage-mapping && set -- "$@" fe$v
done
v=$(newest_clang)
big $v mcdc -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc && set -- "$@" mcdc$v
big $v ir -fprofile-generate -mllvm -disable-vp=true && set -- "$@" ir$v
big $v bytes -fprofile-generate -mllvm -disable-vp=true -mllvm -pgo-function-entry-coverage && set -- "$@" bytes$v
check "larger programs" test $# -ge 5
rounds=100
[ -z "${BAREPROF_WIDE-}" ] || rounds=1000
python3 "$here/salvage.py" "$BAREPROF" $rounds "$@"

# The documents must have the causes and sentences of the code, and the JSON must fit its schema.
cd "$ROOT" || exit 1
python3 tests/host/lib/json_schema.py doctor "$WORK"/json/*.json
sed -n 's/.*X([A-Z_]*, "\([a-z-]*\)",.*"\(.*\)").*/| `\1` | \2 |/p' host-tools/doctor/causes.h >"$WORK/causes"
check "DOCTOR.md has all causes in their order" sh -c "sed -n '/^## All causes/,/^## Sen/p' docs/DOCTOR.md |
	grep '^| \`' | diff '$WORK/causes' -"
sed -n 's/^	{"\([^"]*\)", SAID_.*/\1/p' host-tools/doctor/said.c >"$WORK/words"
check "DOCTOR.md has all sentences" sh -c "while read -r words; do grep -qF \"\\\"\$words\\\"\" docs/DOCTOR.md || {
	echo \"\$words\"; exit 1; }; done <'$WORK/words'"
