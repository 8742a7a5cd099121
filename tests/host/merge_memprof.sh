#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_memprof.sh: tests indexed profiles that contain a memory profile (memprof) as well as counts. merge keeps the
# memory profile if it can stay at the same offset in the file. Otherwise merge drops it with a warning.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
newest=22

cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static char *get(size_t n) { return memset(malloc(n), 1, n); }
int main(void)
{
	int sum = 0;

	for (size_t i = 0; i < 10; i++) {
		char *p = get(100 + i);

		sum += p[5];
		free(p);
	}
	return sum != 10;
}
END
echo 'int other(int x) { return x ? x : 1; } int main(void) { return other(1) - 1; }' >other.c


for llvm in 19 22; do
	clang-$llvm -g -O1 -fno-omit-frame-pointer -fmemory-profile -no-pie -Wl,--build-id program.c -o memory-$llvm
	MEMPROF_OPTIONS=log_path=stdout:print_text=0 ./memory-$llvm >memory-$llvm.profraw
	for program in program other; do
		clang-$llvm -O1 -fprofile-generate $program.c -o $program-$llvm
		LLVM_PROFILE_FILE=$program-$llvm.profraw ./$program-$llvm
	done
	llvm-profdata-$llvm merge memory-$llvm.profraw --profiled-binary memory-$llvm program-$llvm.profraw -o both
	check "LLVM $llvm: the input has a memory profile" sh -c "'$BAREPROF' show both | grep -q '^memprof: '"

	"$BAREPROF" merge -o out both >said 2>&1
	check "LLVM $llvm: merge keeps it, byte for byte" cmp both out
	check "LLVM $llvm: without a warning" test ! -s said
	"$BAREPROF" convert --to indexed -o out both
	check "LLVM $llvm: convert keeps it" cmp both out

	"$BAREPROF" merge -o sum both program-$llvm.profraw
	"llvm-profdata-$llvm" merge -o twice program-$llvm.profraw program-$llvm.profraw
	check "LLVM $llvm: counts are added" sh -c \
		"llvm-profdata-$llvm merge --text -o - sum | grep -v '^#' >a; llvm-profdata-$llvm merge --text -o - twice | grep -v '^#' >b; cmp a b"
	tail -c "+$(($(od -An -t u8 -j 40 -N 8 both) + 1))" both >section
	check "LLVM $llvm: the memory profile stays where it was" sh -c \
		"tail -c +$(($(od -An -t u8 -j 40 -N 8 sum) + 1)) sum | cmp - section"
	[ $llvm != "$newest" ] || check "llvm-profdata-$newest reads it as before" sh -c \
		"llvm-profdata-$newest show --memory both >a && llvm-profdata-$newest show --memory sum >b && [ -s a ] && cmp a b"

	"$BAREPROF" merge -o sum both other-$llvm.profraw >said 2>&1
	check "LLVM $llvm: dropped with a warning if it cannot stay" grep -q \
		'warning: left out: the memory profile (memprof): the data before the memory profile has grown' said
	check "LLVM $llvm: the output then has no memory profile" sh -c "llvm-profdata-$llvm show sum >/dev/null && ! '$BAREPROF' show sum | grep -q memprof"
	"$BAREPROF" merge -o sum both both >said 2>&1
	check "LLVM $llvm: two memory profiles: the output has none" grep -q 'left out: the memory profile (memprof): more than one input has a memory profile' said
	rm -f out
	for to in text indexed:8; do
		"$BAREPROF" convert --to $to -o out both >said 2>&1
		check "LLVM $llvm: convert --to $to refuses" sh -c \
			"[ $? = 1 ] && [ ! -e out ] && grep -q 'cannot hold .*the memory profile (memprof)' said"
	done
done

# The other cases use a small memory profile.
cat >memory.yaml <<'YAML'
---
HeapProfileRecords:
  - GUID: 0xdeadbeef12345678
    AllocSites:
      - Callstack:
          - { Function: 0x1111111111111111, LineOffset: 11, Column: 10, IsInlineFrame: true }
          - { Function: 0x2222222222222222, LineOffset: 22, Column: 20, IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 111, TotalSize: 222, TotalLifetime: 333, TotalLifetimeAccessDensity: 444 }
    CallSites: []
...
YAML
printf '%s\n' :ir i 1 1 0 j 1 2 0 0 k 1 1 5 >counts.proftext
"llvm-profdata-$newest" merge -o memory.profdata memory.yaml counts.proftext
"llvm-profdata-$newest" merge -o only.profdata memory.yaml
"llvm-profdata-$newest" show --memory memory.profdata >memory
"$BAREPROF" merge -o out only.profdata
check "a memory profile without counts: the same file" cmp only.profdata out
"$BAREPROF" merge --sparse -o out memory.profdata
check "at the same offset, with less before it" sh -c "'llvm-profdata-$newest' show --memory out | diff memory -"
"$BAREPROF" merge --for-llvm 16 -o out memory.profdata 2>said
check "for an older release: dropped with a warning" grep -q 'left out for LLVM 16: the memory profile (memprof): releases of LLVM before the one' said
"$BAREPROF" merge --text -o out memory.profdata 2>said
check "as text: dropped with a warning" grep -q 'text cannot hold: the memory profile (memprof)' said
for i in 1 2 3; do "$BAREPROF" merge --shard $i/3 -o shard$i memory.profdata; done
"$BAREPROF" merge -o out shard3 shard1 shard2
check "shards merged again are the whole" cmp memory.profdata out
