#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# decoder.sh - the second reader and the second writer of captures, which others'
# captures are judged by: they agree with each other, and what breaks a rule of
# docs/SPEC.md is refused.
. "$(dirname "$0")/../lib.sh"

python3 tests/capture/rules.py || not_ok "rules.py ended with an error"

# As programs, on the .profraw of something real.
LLVM=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)
"clang-$LLVM" -O1 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc tests/host/samples/show_program.c -o "$WORK/program" &&
	LLVM_PROFILE_FILE=$WORK/program.profraw "$WORK/program" >/dev/null || not_ok "no program to be had"
# make NAME KEY=VALUE...: a capture; decode NAME: the streams that are in it.
make() { python3 tests/capture/make.py - "$WORK/$1.capture" form=$form span=64 id=none "$2" "${3-order=plain}"; }
decode() { python3 tests/capture/decode.py -o "$WORK/$1" "$WORK/$1.capture"; }
for form in file text frames; do
	check "$form: a capture of a program's counters" make $form profraw="$WORK/program.profraw"
	check "$form: is decoded" decode $form
	check "$form: a capture of what came out" make $form.again counters="$WORK/$form.counters" bitmap="$WORK/$form.bitmap"
	check "$form: is the same" cmp "$WORK/$form.capture" "$WORK/$form.again.capture"
	check "$form: a whole .profraw" make $form.whole whole="$WORK/program.profraw"
	check "$form: is decoded too" decode $form.whole
	check "$form: comes out as it was" cmp "$WORK/$form.whole.profraw" "$WORK/program.profraw"
	make $form.less profraw="$WORK/program.profraw" drop=1
	check "$form: a block less is noticed" sh -c "! python3 tests/capture/decode.py '$WORK/$form.less.capture' >'$WORK/said' &&
		grep -q 'the first is 1' '$WORK/said'"
done
