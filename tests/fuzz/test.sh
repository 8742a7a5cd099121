#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fuzz: tests readers with damaged input. It reads profiles that are cut or damaged. Then it runs the fuzz targets,
# first with the inputs that failed in the past (tests/fuzz/regress), then with some hundred new inputs for each
# target. With BAREPROF_WIDE=1, new inputs are tried for a minute for each target. Inputs that fail are kept in
# build/fuzz/found.
. "$(dirname "$0")/../lib.sh"
targets="raw_read indexed_read text_read profile_read order elf capture rewrite mip sampleprof samples probes"
targets="$targets kdump packets core page_walk coverage doctor"
bin=build/fuzz
seeds=$WORK/seeds
found=$bin/found
mkdir -p "$found"

# The fuzzer also fails if an input of some KiB takes more time or memory than these limits.
limits="-timeout=20 -rss_limit_mb=768 -malloc_limit_mb=64 -max_len=16384"
runs=200
[ "${BAREPROF_WIDE:-0}" = 1 ] && runs=-1

# over WHAT COMMAND...: the case passes if the fuzzer COMMAND succeeds. Prints the number of inputs that it tried.
over() {
	what=$1
	shift
	if "$@" >"$WORK/log" 2>&1; then
		ok "$what$(sed -n 's/^Done \([0-9]*\) runs.*/, \1 inputs/p' "$WORK/log")"
	else
		not_ok "$what"
		grep -E '^not so|ERROR|runtime error|written to| #[0-9]* .* in ' "$WORK/log" | head -n 20 | sed 's/^/    /'
	fi
}

# judged WHAT COMMAND...: runs COMMAND, which prints its test cases itself. If it prints none, the case WHAT fails.
judged() {
	what=$1
	shift
	"$@" >"$WORK/log" 2>&1
	cat "$WORK/log"
	grep -Eq '^(not )?ok - ' "$WORK/log" || not_ok "$what: ended early"
}

check "seeds: profiles of clang 13, 16 and 22, captures, ELF files" sh tests/fuzz/seeds.sh "$seeds"
python3 tests/fuzz/slow.py "$WORK"
check "many functions at one address: in time" timeout 5 "$BAREPROF" merge -o "$WORK/out" "$WORK/same-address"
cases=80
step=5 # coprime to 8, so that words are cut at each of their bytes
[ "${BAREPROF_WIDE:-0}" = 1 ] && cases=6000 step=1
for target in $targets; do
	[ ! -d "tests/fuzz/regress/$target" ] ||
		python3 tests/fuzz/unpack.py "$WORK/regress/$target" "tests/fuzz/regress/$target"/*.hex
done
judged "damaged profiles and llvm-profdata" python3 tests/fuzz/differ.py "$BAREPROF" "$seeds" $cases 4 "$WORK"/regress/*_read/*
judged "profiles cut and damaged" build/tests/bin/flips $step "$seeds"/raw_read/* "$seeds"/indexed_read/* "$seeds"/text_read/*
for target in $targets; do
	[ ! -d "$WORK/regress/$target" ] ||
		over "$target: inputs that were found before" "$bin/$target" $limits "$WORK/regress/$target"/*
	mkdir -p "$WORK/corpus/$target"
	over "$target: new inputs" "$bin/$target" $limits -seed=4 -runs=$runs -max_total_time=60 \
		-dict=tests/fuzz/words.dict -artifact_prefix="$found/$target-" \
		"$WORK/corpus/$target" "$seeds/$target"
done
