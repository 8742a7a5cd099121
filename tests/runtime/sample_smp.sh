#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sample_smp.sh - three CPUs run, and all four are sampled at 10 kHz, while the samples are collected and sent again and
# again. In the end, the samples, the dropped samples and the samples outside of the code must be as many as the
# interrupts, exactly. The test takes some seconds; with BAREPROF_WIDE=1, it takes a minute for each of two boards.
. "$(dirname "$0")/../lib.sh"

llvm=$(newest_clang)
seconds=1
[ -z "${BAREPROF_WIDE-}" ] || seconds=60

# adds_up LOG PREFIX: decodes all dumps of samples in LOG, and compares their numbers with those that the kernel printed.
cat >"$WORK/adds_up.py" <<'END'
import glob, re, struct, sys
log, prefix, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
numbers = re.findall(r"interrupts ([0-9 ]+), sum ([0-9]+)", open(log, errors="replace").read())[-1]
each, total = [int(n) for n in numbers[0].split()], int(numbers[1])
sums = [0, 0, 0]
dumps = glob.glob(prefix + "-*.samples")
for path in dumps:
    data = open(path, "rb").read()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    assert words[0] == 1 and words[1] == 1 and words[8] == 10000 and words[9] == 4, words[:16]
    assert len(words) == 16 + words[10] and list(words[16:]) == sorted(words[16:])
    assert not words[16:] or 0 < words[16] and words[-1] <= words[4]
    sums = [a + b for a, b in zip(sums, words[10:13])]
print(f"{len(dumps)} dumps: {sums[0]} samples + {sums[1]} dropped + {sums[2]} outside, {total} interrupts: {each}")
assert sum(sums) == total == sum(each), "they differ"
# On a busy machine, QEMU raises fewer interrupts.
assert min(each[1:]) >= 50 * seconds and sums[0] >= 150 * seconds and sums[1] and len(dumps) == 2 * seconds + 1, "too few"
END
decode() {
	rm -f "$WORK/dump"-*
	python3 tests/capture/decode.py --form text --all "$WORK/dump" "$1" >"$WORK/decoded" || return
	python3 "$WORK/adds_up.py" "$1" "$WORK/dump" $seconds >"$WORK/sums" || return
	cat "$WORK/sums"
}

commands='cov sample on 10000\nrace start\n'
half=0
while [ $half -lt $((2 * seconds)) ]; do
	commands="${commands}sleep 500\\ncov sample dump\\n"
	half=$((half + 1))
done
commands="${commands}race stop\\ncov sample off\\ncov sample dump\\ncov sample info\\nexit\\n"
for board in aarch64 ${BAREPROF_WIDE:+x86_64}; do
	if ! make -s image BOARD="$board" LLVM="$llvm" KIND=none SAMPLES=1 SAMPLE_SLOTS=256 OUT="$WORK/$board" >"$WORK/make.log" 2>&1; then
		fails "$board: the image does not build" "$WORK/make.log"
		continue
	fi
	check "$board: $seconds seconds of samples" "$BAREPROF" run --board "$board" --timeout $((3 * seconds + 60)) --send "$commands" \
		--log "$WORK/$board.log" -o "$WORK/$board.capture" "$WORK/$board/kernel.elf"
	check "$board: samples, dropped and outside are the interrupts" decode "$WORK/$board.log"
	sed 's/^/  /' "$WORK/sums"
done
