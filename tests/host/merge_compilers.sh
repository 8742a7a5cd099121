#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_compilers.sh - merges profiles of every kind from every compiler. llvm-profdata merges the profiles of the same
# runs, and both results are compared. Every llvm-profdata and llvm-cov that can read these results must report the same
# for both. The compiler must make the same code with both. tests/host/lib/merge_one.sh tests one combination of a
# compiler and a kind. Each kind is tested with one compiler and some of the tools, or with all if BAREPROF_WIDE=1 is
# set. MERGE_LLVM selects compilers, and MERGE_MODE selects kinds.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/merge_modes.sh
export WORK BAREPROF

compilers=${MERGE_LLVM-$releases}
modes=${MERGE_MODE-$modes}
dir=$WORK
turn=0
for mode in $modes; do
	turn=$((turn + 1))
	for major in $compilers; do
		! mode "$major" "$mode" || echo "$major $mode"
	done | awk -v all="${BAREPROF_WIDE-}${MERGE_MODE-}" -v turn=$turn '
		{ line[NR] = $0 }
		END { for (i = 1; i <= NR; i++) if (all != "" || i == turn % NR + 1) print line[i], turn }'
done >"$WORK/plan"

# For profiles of rustc, the test uses the tools of the LLVM release that rustc contains.
rustc=$("${RUSTC:-/usr/bin/rustc}" --version --verbose 2>/dev/null | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
if [ -n "${MERGE_MODE-}" ]; then
	:
elif [ -z "$rustc" ]; then
	not_ok "/usr/bin/rustc is not here: .ci/deps installs it, or name another with RUSTC"
elif ! command -v "llvm-profdata-$rustc" >/dev/null; then
	skip "rustc: its LLVM is $rustc, whose llvm-profdata is not here"
else
	printf '%s\n' "$rustc rust-coverage 3" "$rustc rust-pgo 4" >>"$WORK/plan"
fi

for major in $releases; do
	for tool in clang llvm-profdata llvm-cov; do
		command -v "$tool-$major" >/dev/null || not_ok "$tool-$major is not here: .ci/deps installs it"
	done
done
xargs -P"${MERGE_JOBS:-2}" -L1 sh tests/host/lib/merge_one.sh <"$WORK/plan"
while read -r major mode turn; do
	cat "$WORK/$major-$mode/said" || not_ok "clang $major, $mode: no output"
done <"$WORK/plan"
