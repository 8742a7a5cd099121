#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test.sh: tests `bareprof doctor` with the prepared cases of cases.tsv, the sound sets of sound.tsv, and files that are
# damaged at random. Without BAREPROF_WIDE=1, one case of four and a tenth of the damaged files are tested.
# shellcheck disable=SC2086
. "$(dirname "$0")/../../lib.sh"
here=$ROOT/tests/host/doctor
cp "$here/program.c" "$WORK"
cd "$WORK" || exit 1
fe="-O1 -fprofile-instr-generate -fcoverage-mapping"

# program LLVM NAME FLAGS...: compiles and runs a program, and makes its indexed profile.
program() {
	llvm=$1
	name=$2$1
	shift 2
	clang-$llvm "$@" program.c -o $name >$name.build.log 2>&1 && LLVM_PROFILE_FILE=$name.profraw ./$name >/dev/null &&
		"$BAREPROF" merge --for-llvm $llvm -o $name.profdata $name.profraw
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
	"$BAREPROF" convert --to indexed:12 -o p$v.v12.profdata p$v.profraw
	"$BAREPROF" convert --to indexed:13 --drop-build-ids -o p$v.v13.profdata p$v.profraw 2>/dev/null
	"$BAREPROF" convert --to indexed:7 --drop-build-ids -o p$v.v7.profdata p$v.profraw
	"$BAREPROF" merge --text -o p$v.proftext p$v.profraw
	python3 "$ROOT/tests/capture/make.py" p$v p$v.capture profraw=p$v.profraw span=16
	python3 "$ROOT/tests/capture/make.py" p$v p$v.log profraw=p$v.profraw span=16 form=text
	told=$(readelf -n p$v | sed -n 's/.*Build ID: //p')
	[ $v -ne 13 ] || told=none # compiler-rt 13 writes no build id on this machine
	python3 "$ROOT/tests/capture/make.py" - w$v.log whole=p$v.profraw span=48 form=text id=$told
done
program 16 n $fe -Wl,--build-id=none
program 16 m $fe -Wl,--build-id=none -DCHANGED
program 16 o $fe -Wl,--build-id=none -DOTHER

part=${BAREPROF_WIDE:+0/1}
python3 "$here/cases.py" "$BAREPROF" "$here/cases.tsv" ${part:-0/1}
python3 "$here/cases.py" "$BAREPROF" "$here/sound.tsv"
