#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# probes.sh - measures the CPU time of `bareprof probes show` and of llvm-profgen for the same image. The image is the
# compression code of Linux with pseudo probes. A whole kernel, which takes long to build, is measured if BENCH_VMLINUX is
# its vmlinux: Linux 6.1 with KCFLAGS="-g1 -fpseudo-probe-for-profiling -fno-unique-internal-linkage-names".
#
# BENCH_LLVM is the release of clang and llvm-profgen. The script fails if bareprof needs more than a tenth of
# llvm-profgen's time for a whole kernel.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
export BODY_SOURCES=${BENCH_SOURCES:-$ROOT/build/sources}
WORK=${BENCH_WORK:-$ROOT/build/bench/probes}
LLVM=${BENCH_LLVM:-$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)}
cd "$ROOT" || exit 1
mkdir -p "$WORK"

# seconds COMMAND...: prints the CPU time of three runs in seconds.
seconds() {
	(for _ in 1 2 3; do "$@" >/dev/null || exit; done && times) |
		awk -F '[ms ]' 'NR == 2 { printf "%.3f\n", $1 * 60 + $2 + $4 * 60 + $5 }'
}

# row NAME IMAGE
row() {
	ours=$(seconds "$BAREPROF" probes show "$2")
	listing=$(seconds "$BAREPROF" probes show --disassemble "$2")
	theirs=$(seconds "llvm-profgen-$LLVM" --show-disassembly-only --show-pseudo-probe --binary="$2" --output=/dev/null)
	probes=$("$BAREPROF" probes show "$2" | grep -c '^  0x')
	echo "$1 $probes ${ours:-0} ${listing:-0} ${theirs:-0}" | awk '{
		printf "%-14s %8d %10.3f %14.3f %14.3f %6.1f\n", $1, $2, $3 / 3, $4 / 3, $5 / 3, $3 ? $5 / $3 : 0
		exit !$3 || ($1 == "vmlinux" && $5 < 10 * $3)
	}' || missed=1
}

missed=0
printf '%-14s %8s %10s %14s %14s %6s\n' image probes show --disassemble "llvm-profgen $LLVM" ratio
if sh tests/mip/body/build.sh z x86_64 "clang-$LLVM" "$WORK/z" -g1 -fpseudo-probe-for-profiling; then
	row compression "$WORK/z/body"
else
	missed=1
fi
[ -z "${BENCH_VMLINUX-}" ] || row vmlinux "$BENCH_VMLINUX"
exit $missed
