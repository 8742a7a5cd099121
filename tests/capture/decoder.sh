#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# decoder.sh - tests the decoder and the encoder with which other tests check captures. The decoder must return the data
# that the encoder encoded, and must refuse a capture that breaks a rule of docs/SPEC.md.
. "$(dirname "$0")/../lib.sh"

python3 tests/capture/rules.py || not_ok "rules.py ended with an error"

# Runs make.py and decode.py as programs, on the .profraw of a real program.
LLVM=$(newest_clang)
"clang-$LLVM" -O1 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc tests/host/samples/show_program.c -o "$WORK/program" &&
	LLVM_PROFILE_FILE=$WORK/program.profraw "$WORK/program" >/dev/null || not_ok "the sample program does not compile or run"
# make NAME KEY=VALUE...: writes a capture to NAME.capture.
#
# decode NAME: writes the streams of NAME.capture to files.
make() { python3 tests/capture/make.py - "$WORK/$1.capture" form=$form span=64 id=none "$2" "${3-order=plain}"; }
decode() { python3 tests/capture/decode.py -o "$WORK/$1" "$WORK/$1.capture"; }
for form in file text frames; do
	check "$form: a capture of a program's counters is made" make $form profraw="$WORK/program.profraw"
	check "$form: it is decoded" decode $form
	check "$form: a capture of the decoded streams is made" make $form.again counters="$WORK/$form.counters" bitmap="$WORK/$form.bitmap"
	check "$form: it is the same capture" cmp "$WORK/$form.capture" "$WORK/$form.again.capture"
	check "$form: a capture of a whole .profraw is made" make $form.whole whole="$WORK/program.profraw"
	check "$form: it is decoded" decode $form.whole
	check "$form: the result is that .profraw" cmp "$WORK/$form.whole.profraw" "$WORK/program.profraw"
	make $form.less profraw="$WORK/program.profraw" drop=1
	check "$form: a missing block is noticed" sh -c "! python3 tests/capture/decode.py '$WORK/$form.less.capture' >'$WORK/said' &&
		grep -q 'the first is 1' '$WORK/said'"
done
