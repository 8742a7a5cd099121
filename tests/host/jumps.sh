#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# jumps.sh: where switches lead, as bareprof reads it from the machine code, is where clang's assembly says. By default,
# each compiler compiles for some of the machines. With BAREPROF_WIDE=1, each compiles for all.
. "$(dirname "$0")/../lib.sh"

# compare RELEASE LEVEL TARGET FLAG...: compiles the switches, and compares the targets of the jumps.
compare() {
	release=$1
	level=$2
	target=$3
	shift 3
	"clang-$release" --target="$target" "$@" "-$level" -ffreestanding -Wno-everything -S tests/host/samples/switches.c \
		-o "$WORK/switches.s" &&
		"clang-$release" --target="$target" "$@" -Wno-everything -Wa,-L -c "$WORK/switches.s" -o "$WORK/switches.o" &&
		"ld.lld-$release" -e five -Ttext 0x20000 --image-base=0x10000 -o "$WORK/switches" "$WORK/switches.o" &&
		nm "$WORK/switches" >"$WORK/symbols" && build/tests/bin/jumps "$WORK/switches" >"$WORK/jumps" &&
		python3 tests/host/lib/jump_truth.py "$WORK/switches.s" "$WORK/symbols" "$WORK/jumps"
}

# Each line is a machine, and the options that change its tables.
machines() {
	cat <<END
aarch64-none-elf
thumbv7m-none-eabi
thumbv6m-none-eabi
armv7a-none-eabi
aarch64-none-elf -mcmodel=large
armv7a-none-eabi -fPIC
aarch64-none-elf -mcmodel=tiny -mbranch-protection=standard
thumbv8m.base-none-eabi
thumbv7m-none-eabi -mexecute-only
armv4t-none-eabi
thumbv7a-none-eabi -fPIC
aarch64-none-elf -mllvm -aarch64-enable-compress-jump-tables=0
END
}

number=0
for release in $(clang_releases); do
	line=0
	machines >"$WORK/machines"
	while read -r machine; do
		line=$((line + 1))
		levels="O2 Os Oz"
		if [ -z "${BAREPROF_WIDE-}" ]; then
			# Each compiler has two machines, and each machine one level.
			[ $((line % 6)) -eq $((number % 6)) ] || continue
			levels=$(echo "O2 Os Oz" | cut -d' ' -f$((number % 3 + 1)))
		fi
		for level in $levels; do
			# shellcheck disable=SC2086
			check "clang $release, $machine, -$level: switches lead where the assembly says" \
				compare "$release" "$level" $machine
		done
	done <"$WORK/machines"
	number=$((number + 1))
done
