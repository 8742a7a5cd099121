#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# decoder.sh - the second reader and the second writer of captures, which others'
# captures are judged by: they agree with each other, and what breaks a rule of
# docs/SPEC.md is refused.
. "$(dirname "$0")/lib.sh"

python3 tests/decoder_rules.py || not_ok "decoder_rules.py ended with an error"

# As programs, on the .profraw of something real.
LLVM=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)
"clang-$LLVM" -O1 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc tests/show_program.c -o "$WORK/program" &&
	LLVM_PROFILE_FILE=$WORK/program.profraw "$WORK/program" >/dev/null || not_ok "no program to be had"
for form in file text frames; do
	check "$form: a capture of a program's counters" python3 tests/capture_make.py --form $form --span 64 \
		--from "$WORK/program.profraw" -o "$WORK/$form.capture"
	check "$form: is decoded" python3 tests/decoder.py -o "$WORK/$form" "$WORK/$form.capture"
	check "$form: a capture of what came out" python3 tests/capture_make.py --form $form --span 64 --version 10 \
		--counters "$WORK/$form.counters" --bitmap "$WORK/$form.bitmap" -o "$WORK/$form.again"
	check "$form: is the same" cmp "$WORK/$form.capture" "$WORK/$form.again"
	check "$form: a whole .profraw" python3 tests/capture_make.py --form $form --profraw "$WORK/program.profraw" -o "$WORK/$form.whole"
	check "$form: comes out as it was" sh -c "python3 tests/decoder.py -o '$WORK/$form' '$WORK/$form.whole' &&
		cmp '$WORK/$form.profraw' '$WORK/program.profraw'"
	python3 tests/capture_make.py --form $form --span 64 --drop 1 --from "$WORK/program.profraw" -o "$WORK/$form.less"
	check "$form: a block less is noticed" sh -c "! python3 tests/decoder.py '$WORK/$form.less' >'$WORK/said' &&
		grep -q 'the first is 1' '$WORK/said'"
done
