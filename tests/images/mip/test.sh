# SPDX-License-Identifier: BSD-2-Clause
# mip - boots images with machine profiles. A kernel with LLVM's counters as well must have the same counts in both
# profiles. Firmware with nothing but a machine profile runs on a chip with 16 KiB of flash, and on an Armv6-M. With
# BAREPROF_WIDE=1, the kernels of all boards and compilers run in both modes.
# shellcheck shell=sh disable=SC2086
. "$(dirname "$0")/../../lib.sh"

here=tests/images/mip
newest=$(newest_clang)
make -s linker || { not_ok "make linker"; exit 0; }

# kernel BOARD LLVM MODE [VARIABLE=VALUE...]: builds the demo kernel with both profiles, boots it and compares them. In
# the mode calls, both profiles are counted with atomic additions, because interrupts and CPUs count too. Without
# inlining, LLVM counts the entries of functions where the machine profile counts them.
kernel() {
	board=$1
	llvm=$2
	mode=$3
	shift 3
	out=$WORK/$board-$llvm-$mode
	update=
	[ $mode = coverage ] || update=atomic
	make -s -j2 image BOARD=$board LLVM=$llvm KIND=coverage MIP=$mode UPDATE=$update OPT=-O1 EXTRA=-fno-inline OUT="$out" "$@" &&
		"$BAREPROF" run --board $board "$out/kernel.elf" --send 'test\nmip both\nexit\n' --log "$out/log" -o "$out/profraw" >"$out/said" &&
		"$BAREPROF" mip merge --elf "$out/kernel.elf" "$out/log" -o "$out/mip" &&
		"$BAREPROF" mip show --json "$out/mip" >"$out/show" &&
		"llvm-profdata-$llvm" merge "$out/profraw" -o "$out/profdata" &&
		"llvm-profdata-$llvm" show --all-functions --counts "$out/profdata" >"$out/counts" &&
		python3 $here/compare.py $mode "$out/show" "$out/counts"
}

# alone BOARD LLVM MODE: boots a kernel that has nothing but a machine profile.
alone() {
	out=$WORK/$1-$2-$3-alone
	make -s -j2 image BOARD=$1 LLVM=$2 KIND=none MIP=$3 OPT=-O1 EXTRA=-fno-inline OUT="$out" &&
		{ "$BAREPROF" run --board $1 "$out/kernel.elf" --send 'test\nmip dump\nexit\n' --log "$out/log" -o "$out/profraw" >"$out/said" 2>&1 || true; } &&
		"$BAREPROF" mip merge --elf "$out/kernel.elf" "$out/log" -o "$out/mip" &&
		"$BAREPROF" mip show "$out/mip" | tail -n 1 | tee "$out/last" && grep -Eq '^[6-9][0-9] of (8|9|1.)[0-9] functions ran' "$out/last"
}

# calls_of FUNCTION BOARD UPDATE COMMANDS [VARIABLE=VALUE...]: builds a kernel with nothing but a machine profile, boots
# it and types COMMANDS. Sets $turns to the number of calls that the kernel prints, and $counted to the number of calls
# of FUNCTION that the machine profile has. MODE is the mode, or empty for "calls".
MODE=
calls_of() {
	function=$1
	board=$2
	update=$3
	commands=$4
	shift 4
	out=$WORK/$board-$function-$update${MODE:+-samples}
	make -s -j2 image BOARD=$board LLVM=$newest KIND=none MIP=${MODE:-calls} UPDATE=$update OUT="$out" "$@" >"$out.log" 2>&1 ||
		{ cat "$out.log"; return 1; }
	BAREPROF_BOARDS=$WORK/boards "$BAREPROF" run --board $board "$out/kernel.elf" --send "$commands\\nmip dump\\nexit\\n" \
		--log "$out/log" -o "$out/profraw" >"$out/said" 2>&1
	"$BAREPROF" mip merge --elf "$out/kernel.elf" "$out/log" -o "$out/mip" && "$BAREPROF" mip show --json "$out/mip" >"$out/show" || return
	turns=$(tr -d '\r' <"$out/said" | sed -n 's/^\(> \)*\([0-9]*\) turns.*/\2/p')
	counted=$(python3 -c 'import json, sys
print(next(f["calls"] for f in json.load(open(sys.argv[1]))["functions"] if f["name"] == sys.argv[2]))' "$out/show" $function)
	echo "$board${update:+, $update}: of $turns calls $counted were counted"
	grep -a ' turns' "$out/said"
	[ "$turns" -gt 1000 ] && [ "$counted" -gt 0 ]
}

# raced BOARD UPDATE: in a race, three of four CPUs call turn() and do nothing else. With UPDATE=atomic, all calls must
# be counted. Otherwise, no more than all calls may be counted.
raced() {
	mkdir -p "$WORK/boards/$1"
	sed 's/ -smp [0-9]* / -smp 4 /' "qemu/$1/board.conf" >"$WORK/boards/$1/board.conf"
	calls_of turn $1 "$2" 'test smp\nrace start\nsleep 200\nrace stop' &&
		if [ "$2" ]; then [ $counted -eq $turns ]; else [ $counted -le $turns ]; fi
}

# interrupted BOARD UPDATE: an interrupt calls the function that the main program calls too. QEMU can take interrupts
# after any instruction (-singlestep). On x86_64, one instruction counts a call, so no call may be lost.
interrupted() {
	mkdir -p "$WORK/boards/$1"
	step=-singlestep
	qemu-system-arm -help | grep -q -- "^$step" || step="-accel tcg,one-insn-per-tb=on"
	sed "s/ -machine / $step&/" "qemu/$1/board.conf" >"$WORK/boards/$1/board.conf"
	calls_of shared $1 "$2" 'stress 1' EXTRA=-DDEMO_STRESS MORE_SOURCES=$here/interrupted.c &&
		if [ "$2" ] || [ $1 = x86_64 ]; then [ $counted -eq $turns ]; else [ $counted -le $turns ]; fi
}

# firmware BOARD MODE UART...: builds the firmware for a chip with 16 KiB of flash, and boots it. The compiler's options
# are those for the smallest code.
firmware() {
	board=$1
	mode=$2
	shift 2
	out=$WORK/$board-firmware
	mkdir -p "$out"
	sed 's/LENGTH = 256K/LENGTH = 16K/' qemu/$board/memory.ld >"$out/memory.ld"
	parts=
	for part in mip_small capture_blocks counter_codec crc32c copy encode_text; do parts="$parts runtime/$part.c"; done
	defines=
	case $mode in
	calls) parts="$parts arch/arm/mip_first.c" defines=-DFIRMWARE_CALLS ;;
	calls,*) parts="$parts arch/arm/mip_sample.c" defines="-DFIRMWARE_CALLS -DBAREPROF_MIP_SAMPLES_MODE" ;;
	esac
	make -s -j2 image LLVM=$newest KIND=none MIP=$mode BOARD=$board OUT="$out" DEMO_PLAIN= OPT=-Oz EXTRA=-fno-inline \
		IMAGE_PLAIN_SOURCES="tests/runtime/small/start.c $here/firmware.c qemu/cortex-m/fault_entry.S qemu/cortex-m/fault.c \
			qemu/cortex-m/cortex_m.c qemu/report.c qemu/mem.c qemu/$board/board.c arch/arm/semihosting.c $*" \
		CONFIG_CFLAGS="-Itests/runtime/small $defines" \
		IMAGE_DEMO_SOURCES=tests/runtime/small/app.c IMAGE_RUNTIME_SOURCES="$parts" \
		BOARD_SCRIPTS="$out/memory.ld build/linker/bareprof-rom.ld qemu/cortex-m/board.ld" &&
		{ "$BAREPROF" run --board $board "$out/kernel.elf" --log "$out/log" -o "$out/profraw" </dev/null >"$out/said" 2>&1 || true; } &&
		"$BAREPROF" mip merge --elf "$out/kernel.elf" "$out/log" -o "$out/mip" && "$BAREPROF" mip show --json "$out/mip" >"$out/show" &&
		python3 - "$out/show" $mode <<'PYTHON'
import json, sys
profile = json.load(open(sys.argv[1]))
functions = {f["name"]: f for f in profile["functions"] if "ran" in f}
never = sorted(name for name, f in functions.items() if not f["ran"])
print(never, profile["totals"], profile["raw_profiles"])
# Two dumps, with a new start between them. In each, every function except never() ran.
right = never == ["never"] and len(functions) == 27 and profile["raw_profiles"] == 2
if sys.argv[2].startswith("calls"):
    right = right and functions["application"]["calls"] == 2 and functions["decision_1"]["calls"] == 6
sys.exit(not right)
PYTHON
}

# sampled BOARD LLVM N [VARIABLE=VALUE...]: boots a kernel that takes samples, and pulls them as a capture. The
# functions of the self test call selftest_expect(), and shared code of the kernel is called through pointers. With N=1,
# an edge whose samples are all in the ring has as many samples as calls.
sampled() {
	board=$1
	llvm=$2
	n=$3
	shift 3
	out=$WORK/$board-$llvm-sample-$n
	make -s -j2 image BOARD=$board LLVM=$llvm KIND=none MIP=calls,sample=$n OUT="$out" "$@" &&
		{ "$BAREPROF" run --board $board "$out/kernel.elf" --send 'test\nmip dump\nexit\n' --log "$out/log" -o "$out/profraw" >"$out/said" 2>&1 || true; } &&
		"$BAREPROF" mip merge --elf "$out/kernel.elf" "$out/log" -o "$out/mip" &&
		"$BAREPROF" mip graph --elf "$out/kernel.elf" --json "$out/mip" >"$out/graph" &&
		"$BAREPROF" mip show --json "$out/mip" >"$out/show" && python3 - "$out/graph" "$out/show" $n <<'PYTHON'
import json, sys
graph, shown, n = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), int(sys.argv[3])
calls = {f["name"]: f["calls"] for f in shown["functions"] if f.get("calls")}
samples = {}
for edge in graph["edges"]:
    callee = graph["functions"][edge["callee"]]["name"]
    samples[callee] = samples.get(callee, 0) + edge["samples"]
# The first call of each function is a sample, and later samples have a mean distance of n calls.
assert n == 1 or set(samples) == set(calls), set(samples) ^ set(calls)
for name, count in samples.items():
    assert count <= calls[name] and (n > 1 or count * 1 == calls[name] or graph["samples"] == 512), name
    expected = 1 + (calls[name] - 1) / n
    assert n == 1 or abs(count - expected) <= 5 * expected ** 0.5 + 1, (name, count, expected)
callers = {graph["functions"][e["caller"]]["name"] for e in graph["edges"] if graph["functions"][e["callee"]]["name"] == "selftest_expect"}
print(graph["samples"], "samples,", len(samples), "callees, selftest_expect() is called by", sorted(map(str, callers)))
assert len(samples) >= (40 if n > 1 else 5) and (n == 1 or len(callers) >= 2)
PYTHON
}

check "x86_64, clang-$newest, calls: both profiles agree" kernel x86_64 $newest calls
check "firmware in 16 KiB of flash, coverage" firmware lm3s6965evb coverage arch/arm/pl011.c
check "firmware on Armv6-M, calls" firmware microbit calls arch/arm/nrf51_uart.c qemu/microbit/divide.c
check "Armv6-M, samples" sampled microbit $newest 64
if [ -n "${BAREPROF_WIDE-}" ]; then
	check "firmware on Armv6-M, samples" firmware microbit calls,sample=2 arch/arm/nrf51_uart.c qemu/microbit/divide.c
	check "...with the call graph" sh -c "'$BAREPROF' mip graph --function decision_1 '$WORK/microbit-firmware/mip' | grep -q ' decisions -> decision_1$'"
	for board in x86_64 aarch64 armv7a mps2-an385; do
		check "$board, samples" sampled $board $newest 64
		check "$board, each call is a sample" sampled $board $newest 1 UPDATE=atomic
	done
	check "armv7a in Thumb state, samples" sampled armv7a $newest 64 ARM_STATE=thumb
	for board in x86_64 aarch64; do
		check "$board: --atomic loses no call in a race of three CPUs" raced $board atomic
		check "$board: without it, calls are lost, but none is invented" raced $board ""
		sed 's/^/  /' "$WORK/check.log"
	done
	# Calls are also exact if the interrupt comes while a sample is taken.
	MODE=calls,sample=2
	for board in x86_64 aarch64; do
		check "$board, samples: --atomic loses no call in a race of three CPUs" raced $board atomic
		sed 's/^/  /' "$WORK/check.log"
	done
	for board in mps2-an385 microbit armv7a x86_64; do
		check "$board, samples: --atomic loses no call of an interrupt" interrupted $board atomic
		sed 's/^/  /' "$WORK/check.log"
	done
	MODE=
	for board in mps2-an385 microbit armv7a x86_64; do
		check "$board: --atomic loses no call of an interrupt" interrupted $board atomic
		check "$board: without it, none is invented" interrupted $board ""
		sed 's/^/  /' "$WORK/check.log"
	done
	for llvm in $(clang_releases); do
		for board in x86_64 aarch64 armv7a mps2-an385 lm3s6965evb microbit; do
			for mode in coverage calls; do
				# The RAM of the microbit is too small for both profiles.
				[ $board = microbit ] || check "$board, clang-$llvm, $mode: both profiles agree" kernel $board $llvm $mode
				check "$board, clang-$llvm, $mode alone" alone $board $llvm $mode
			done
		done
		check "armv7a in Thumb state, clang-$llvm: both profiles agree" kernel armv7a $llvm calls ARM_STATE=thumb
		check "x86_64, clang-$llvm, GNU ld: both profiles agree" kernel x86_64 $llvm calls LINKER=gnu
		check "mps2-an385, clang-$llvm, GNU ld: both profiles agree" kernel mps2-an385 $llvm coverage LINKER=gnu
	done
fi
