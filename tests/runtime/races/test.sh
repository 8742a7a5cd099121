#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# races - runs the runtime under ThreadSanitizer. Threads count and record values, and new threads replace threads that
# end. Meanwhile, profiles are dumped, drained and reset, and images are added and removed. The file
# tests/runtime/races/races.txt lists the races that are by design. There must be no other races.
. "$(dirname "$0")/../../lib.sh"

LLVM=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

built() {
	for f in image_walk image reset profraw read profraw_write copy capture_blocks capture counter_codec capture_counters crc32c capture_send encode_frame snapshot values_record values_pool \
		values_serialize capture_values; do
		# shellcheck disable=SC2086
		"clang-$LLVM" $CFLAGS -DBAREPROF_VALUES -g -O1 -fsanitize=thread -c runtime/$f.c -o "$WORK/$f.o" || return
	done
	"clang-$LLVM" -std=gnu99 -g -O1 -Wall -Wextra -Werror -Iinclude -fsanitize=thread -pthread tests/runtime/unit/races.c \
		"$WORK"/*.o -o "$WORK/races"
}

# raced: runs the program without address space randomization. Otherwise, addresses that ThreadSanitizer needs would
# sometimes be in use.
raced() {
	TSAN_OPTIONS="external_symbolizer_path=/usr/bin/llvm-symbolizer-$LLVM exitcode=66 history_size=7" \
		setarch -R "$WORK/races" >"$WORK/said" 2>&1
	status=$?
	[ $status -eq 0 ] || [ $status -eq 66 ] || cat "$WORK/said"
	[ $status -eq 0 ] || [ $status -eq 66 ]
}
counted() { grep -Eq '^rounds 300 dropped [1-9][0-9]+ unknown [1-9]' "$WORK/said" && ! grep -q '^failed' "$WORK/said"; }

# Samples have no races, not even by design.
samples() {
	for f in $(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-samples); do
		# shellcheck disable=SC2086
		"clang-$LLVM" $CFLAGS -DBAREPROF_SAMPLES -DBAREPROF_SAMPLE_STACKS -g -O1 -fsanitize=thread -c "runtime/$f.c" \
			-o "$WORK/$f.o" || return
	done
	"clang-$LLVM" -std=gnu99 -g -O1 -Wall -Wextra -Werror -Iinclude -fsanitize=thread -pthread \
		tests/runtime/unit/sample_races.c "$WORK"/sample*.o -o "$WORK/sample_races" && setarch -R "$WORK/sample_races"
}
check "samples: no race, and the sums are exact" samples
rm -f "$WORK"/*.o

check "the program builds, and the runtime in it" built
rounds=3
[ -z "$BAREPROF_WIDE" ] || rounds=30
for round in $(seq $rounds); do
	check "run $round: it ends" raced
	check "run $round: all was dumped, and much dropped" counted
	check "run $round: no race but those by design" python3 tests/runtime/races/judge.py "$WORK/said" tests/runtime/races/races.txt
	echo "  $(python3 tests/runtime/races/judge.py "$WORK/said" tests/runtime/races/races.txt | tail -1)"
done
