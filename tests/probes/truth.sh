#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# truth.sh - compares the addresses of pseudo probes with what QEMU executes. In a program with many functions that are
# inlined into each other, each block counts its executions in the source. A plugin of QEMU counts the executions of the
# instructions at the probes. All copies of a probe together must be executed as often as the block in the source
# (truth.py). This is the test for the targets and releases of clang for which llvm-profgen has no reader.
. "$(dirname "$0")/../lib.sh"

if [ -n "${BAREPROF_WIDE-}" ]; then
	cases=$(for release in $(clang_releases); do
		for target in x86_64 aarch64 arm thumb; do echo "$release $target -O2 1"; done
		for option in -O1 -Os -O3; do echo "$release thumb $option 2"; done
	done)
else
	cases="13 thumb -O2 1
22 arm -O2 1"
fi
check "the plugin is built" qemu_plugin mip/oracle

# executed RELEASE TARGET OPTION SEED
executed() {
	case $2 in
	arm) triple="armv7a-none-eabi -marm -mfloat-abi=soft" qemu=qemu-arm ;;
	thumb) triple="armv7a-none-eabi -mthumb -mfloat-abi=soft" qemu=qemu-arm ;;
	*) triple="$2-linux-gnu" qemu=qemu-$2 ;;
	esac
	cc="clang-$1 --target=$triple -ffreestanding -fno-pic -w -mllvm -pre-RA-sched=source -Itests/mip/body"
	python3 tests/probes/truth.py generate "$4" >"$WORK/program.c" || return
	# Clang prints the program to standard error when it has inserted the probes.
	$cc "$3" -g1 -fpseudo-probe-for-profiling -mllvm -print-after=pseudo-probe -mllvm -print-module-scope \
		-c "$WORK/program.c" -o "$WORK/program.o" 2>"$WORK/ir" || return
	for file in tests/probes/sample/tick.c tests/mip/body/start.c; do
		$cc -O2 -c $file -o "$WORK/$(basename $file .c).o" || return
	done
	"ld.lld-$1" -e _start -o "$WORK/image" "$WORK/program.o" "$WORK/tick.o" "$WORK/start.o" &&
		python3 tests/probes/truth.py list "$BAREPROF" "$WORK/image" >"$WORK/list" &&
		$qemu -plugin "$WORK/plugin.so,functions=$WORK/list,out=$WORK/counted" "$WORK/image" >"$WORK/out" &&
		python3 tests/probes/truth.py compare "$BAREPROF" "$WORK/image" "$WORK/ir" "$WORK/counted" "$WORK/out"
}

echo "$cases" | while read -r release target option seed; do
	check "clang $release, $target, $option: QEMU executes each probe as often as the block" \
		executed "$release" "$target" "$option" "$seed"
done
