#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mcdc.sh - compares MC/DC of bareprof with that of llvm-cov, for programs that are made at random. See mcdc_program.py.
. "$(dirname "$0")/../lib.sh"
. tests/coverage/lib.sh

SEEDS=1
[ -z "${BAREPROF_WIDE-}" ] || SEEDS=$(seq 1 25)

# build DIR RELEASE LANGUAGE SEED: makes and runs a program, and makes objects for Arm from the same source.
build() {
	mkdir -p "$1"
	python3 tests/coverage/mcdc_program.py "$4" "$3" >"$1/program.c" || return
	flags="-w -x $3 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
	[ "$3" = c ] || flags="$flags -std=c++17"
	# shellcheck disable=SC2086
	(cd "$1" && "clang-$2" $flags -fuse-ld=lld -Wl,--build-id -o program program.c &&
		LLVM_PROFILE_FILE=1.profraw ./program &&
		"llvm-profdata-$2" merge 1.profraw -o 1.profdata &&
		"clang-$2" $flags -Wno-everything --target=armv7a-none-eabi -ffreestanding -c -o arm.o program.c)
}

# decides RELEASE DIR: the program has decisions, so the comparison is worth something.
decides() {
	python3 - "$2/theirs.json" <<-'END'
		import json, sys
		total = json.load(open(sys.argv[1]))["data"][0]["totals"]["mcdc"]
		print(total)
		sys.exit(not 0 < total["covered"] < total["count"])
	END
}

for release in $(clang_releases); do
	[ "$release" -ge 19 ] || continue
	for language in c c++; do
		for seed in $SEEDS; do
			dir=$WORK/$language-$release-$seed
			about="$language, program $seed, clang $release"
			check "$about: builds and runs" build "$dir" "$release" "$language" "$seed"
			equal --mcdc "$about" "$release" "$dir" "$dir/program" "$dir/1.profraw"
			check "$about: some conditions are covered, some are not" decides "$release" "$dir"
			# Functions have the same hashes for all CPUs, so the profile fits the object for Arm, too.
			equal --mcdc "$about, for 32-bit Arm" "$release" "$dir" "$dir/arm.o" "$dir/1.profdata"
		done
	done
done
