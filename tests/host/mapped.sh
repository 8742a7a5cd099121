#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mapped.sh: tests changes of a large input that merge has mapped into memory. While merge writes its output and has not
# yet read the whole input, a test cuts this input short or writes to it.
. "$(dirname "$0")/../lib.sh"

python3 tests/host/lib/raw_functions.py "$WORK/whole.profraw" 20000 1 0
llvm=$(ls /usr/bin | sed -n 's/^llvm-profdata-\([0-9]*\)$/\1/p' | sort -n | tail -1)
"$BAREPROF" merge --for-llvm "$llvm" -o "$WORK/ours" "$WORK/whole.profraw"
"llvm-profdata-$llvm" merge -o "$WORK/theirs" "$WORK/whole.profraw"
check "a mapped profile: the same bytes as from llvm-profdata" cmp "$WORK/ours" "$WORK/theirs"
"$BAREPROF" merge --for-llvm "$llvm" -o "$WORK/piped" - <"$WORK/whole.profraw"
check "the same profile from standard input: the same bytes" cmp "$WORK/piped" "$WORK/theirs"

# meanwhile WHAT PATTERN COMMAND...: runs COMMAND while merge writes its output to a pipe. The function reads the first
# byte from the pipe, runs COMMAND, and then reads the remaining bytes. So merge still has most counters to write when
# COMMAND changes the input. merge must fail with a message that matches PATTERN.
meanwhile() {
	what=$1
	pattern=$2
	shift 2
	cp "$WORK/whole.profraw" "$WORK/in.profraw"
	rm -f "$WORK/pipe"
	mkfifo "$WORK/pipe"
	"$BAREPROF" merge --for-llvm "$llvm" -o "$WORK/pipe" "$WORK/in.profraw" 2>"$WORK/err" &
	exec 3<"$WORK/pipe"
	head -c 1 <&3 >/dev/null
	"$@"
	cat <&3 >/dev/null
	exec 3<&-
	wait $!
	got=$?
	if [ $got -eq 3 ] && [ "$(wc -l <"$WORK/err")" -eq 1 ] && grep -q "in.profraw: $pattern" "$WORK/err"; then
		ok "$what"
	else
		not_ok "$what: exit code $got: $(cat "$WORK/err")"
	fi
}
meanwhile "an input that is cut to a page while it is mapped" "was truncated by" truncate -s 4096 "$WORK/in.profraw"
meanwhile "an input that loses less than a page" "was truncated by" truncate -s -100 "$WORK/in.profraw"
meanwhile "an input that is emptied and written again" "was changed by" \
	sh -c "sleep 0.05; cat '$WORK/whole.profraw' '$WORK/whole.profraw' >'$WORK/in.profraw'"
meanwhile "an input that is written to" "was changed by" \
	sh -c "sleep 0.05; printf x | dd of='$WORK/in.profraw' bs=1 seek=300 conv=notrunc status=none"
