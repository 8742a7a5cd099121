#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# atomic - tests the option -fprofile-update=atomic. With this option, code of every compiler must count exactly.
# Without this option, counts must be lost, which shows that the test can find lost counts. On 32-bit Arm, an
# interrupt increases the same counter as the thread. On a Cortex-M3, an NMI and unprivileged code also increase this
# counter. On x86_64 and AArch64, several CPUs count, with and without instructions for atomic additions. With the
# option -singlestep, QEMU can take interrupts after any instruction.
. "$(dirname "$0")/../../lib.sh"

wide=${BAREPROF_WIDE-}
newest=$(newest_clang)
RUNTIME=arch/arm/atomic.c
for part in symbols image_self image_walk image reset start capture_blocks capture counter_codec capture_counters capture_send crc32c encode_text copy; do
	RUNTIME="runtime/$part.c $RUNTIME"
done

# QEMU 9 and later releases have another name for the option -singlestep.
step=-singlestep
qemu-system-arm -help | grep -q -- "^$step" || step="-accel tcg,one-insn-per-tb=on"
for board in mps2-an385 microbit armv7a; do
	mkdir -p "$WORK/boards/$board"
	sed "s/ -machine / $step&/" "qemu/$board/board.conf" >"$WORK/boards/$board/board.conf"
done
# Each guest has five CPUs, and four of them count in the race.
for board in x86_64 aarch64; do
	mkdir -p "$WORK/boards/$board"
	sed -e "s/ -smp [0-9]* / -smp 5 /" -e "s/ cortex-a57 / neoverse-n1 /" "qemu/$board/board.conf" >"$WORK/boards/$board/board.conf"
done

# image [VARIABLE=VALUE...]: builds the image for $board, $llvm, $kind and $update in $out.
image() {
	make -s -j2 image BOARD="$board" LLVM="$llvm" KIND="$kind" UPDATE="$update" OUT="$out" "$@"
}
firmware() {
	case $board in armv7a) runtime=${RUNTIME%arch/*} ;; *) runtime=$RUNTIME ;; esac
	image DEMO_PLAIN= IMAGE_DEMO_SOURCES=tests/runtime/atomic/app.c MORE_PLAIN=tests/runtime/atomic/firmware.c IMAGE_RUNTIME_SOURCES="$runtime"
}
# run COMMANDS: boots the image and types COMMANDS. The console's output goes to $out/said, and the
# profile goes to $out/profraw.
run() {
	BAREPROF_BOARDS=$WORK/boards "$BAREPROF" run --board "$board" --timeout 60 ${1:+--send "$1"} -o "$out/profraw" \
		"$out/kernel.elf" </dev/null >"$out/console" && tr -d '\r' <"$out/console" >"$out/said"
}
# count: prints the count that LLVM reads for the function turn(), which the thread, interrupts and CPUs call.
count() {
	"llvm-profdata-$llvm" merge "$out/profraw" -o "$out/profdata" &&
		"llvm-profdata-$llvm" show --counts --function=turn "$out/profdata" | awk '
			/^  [^ ].*:$/ { here = $1 ~ /(^|[:;])turn:$/ }
			here && /^    Function count:|^    Block counts:/ { gsub(/[^0-9]/, ""); if ($0 + 0 > n) n = $0 + 0 }
			END { print n + 0 }'
}
# of STEP: prints the number of calls in STEP, and the number of these calls that were counted.
of() { awk -v step="$1" '$1 == step { print $2, $3; exit }' "$out/said"; }
# exact STEP...: succeeds if each STEP was done and no count is missing.
exact() {
	for step; do
		# shellcheck disable=SC2046
		set -- $(of "$step")
		[ $# -eq 2 ] && [ "$1" = "$2" ] || { cat "$out/said"; return 1; }
	done
}
# fewer STEP...: succeeds if each STEP was done and counts are missing in it.
fewer() {
	for step; do
		# shellcheck disable=SC2046
		set -- $(of "$step")
		[ $# -eq 2 ] && [ $(($2)) -lt $(($1)) ] || { cat "$out/said"; return 1; }
	done
}
dumped() {
	# shellcheck disable=SC2046
	set -- $(of race)
	[ $# -eq 2 ] && [ "$(count)" -eq $(($2)) ]
}

# steps_of BOARD: prints the steps that the board runs.
#
# losing_of BOARD: prints the steps in which plain counters lose counts.
steps_of() {
	case $1 in
	mps2-an385) echo was is mask half carry unprivileged nmi race ;;
	microbit) echo was is mask half carry race ;;
	*) echo half carry race ;;
	esac
}
losing_of() {
	case $1 in
	mps2-an385) echo unprivileged nmi race ;;
	*) echo race ;;
	esac
}

# interrupted BOARD: tests the firmware, in which the thread and an interrupt count.
interrupted() {
	board=$1
	out=$WORK/$llvm-$kind-$board
	this="$board, clang $llvm $kind"
	update=atomic
	check "$this: builds with atomic counters" firmware
	check "$this: runs" run
	# shellcheck disable=SC2046
	check "$this: no call of thread or interrupt is missing" exact $(steps_of "$board")
	check "$this: the dump has them" dumped
	update=single
	case $llvm-$kind in
	13-coverage | 22-coverage) [ "$board" != armv7a ] || [ -n "$wide" ] || return 0 ;;
	*) [ -n "$wide" ] || return 0 ;;
	esac
	check "$this: builds with plain counters" firmware
	check "$this: runs with them" run
	# shellcheck disable=SC2046
	check "$this: some are missing then" fewer $(losing_of "$board")
	# shellcheck disable=SC2046
	set -- $(of race)
	[ $# -ne 2 ] || echo "  $this: of $(($1)) calls plain counters saw $(($2))"
}

turns() { sed -n 's/^\(> \)*\([0-9]*\) turns.*/\2/p' "$out/said"; }
raced() { [ "$(turns)" -gt 1000 ] && [ "$(count)" -eq "$(turns)" ]; }
# has INSTRUCTION: succeeds if turn() counts with this instruction.
has() { "llvm-objdump-$newest" -d "$out/kernel.elf" | awk '/^[0-9a-f]+ </ { here = /<turn>:/ } here' | grep -qE "$1"; }

# several BOARD WHAT INSTRUCTION [EXTRA]: tests the race of several CPUs in the demo kernel. turn() must count with
# INSTRUCTION.
several() {
	board=$1
	out=$WORK/$llvm-$kind-$board
	this="$board, clang $llvm $kind, $2"
	update=atomic
	check "$this: builds" image EXTRA="${4-}" DROPIN="$DROP_IN"
	check "$this: counts with an instruction for it" has "$3"
	check "$this: a race" run 'race start\nsleep 200\nrace stop\ncov dump\nexit\n'
	check "$this: no turn of four CPUs is missing" raced
}

# like_plain BOARD KIND: the demo kernel's own tests must have the same counts with atomic counters as with plain
# counters.
like_plain() {
	board=$1
	kind=$2
	out=$WORK/demo
	this="$board, clang $llvm $kind"
	for update in single atomic; do
		check "$this: the demo kernel builds with $update counters" image
		check "$this: and tests itself" run 'test\ncov dump\nexit\n'
		check "$this: and has counts" "llvm-profdata-$llvm" merge -text "$out/profraw" -o "$out.$update"
	done
	check "$this: it counts the same" cmp "$out.single" "$out.atomic"
}

# drop_in: makes a drop-in that is configured for atomic counters, and for the commands of the demo kernel. The checks
# below test it.
drop_in() {
	printf '%s\n' CONFIG_BAREPROF_ATOMIC=y CONFIG_BAREPROF_ANSWER=y >"$WORK/config"
	KCONFIG_CONFIG=$WORK/config kconfig-conf --olddefconfig Kconfig &&
		KCONFIG_CONFIG=$WORK/config make -s drop-in DIR="$WORK/drop-in"
}
check "a drop-in with what clang calls on a Cortex-M" drop_in
llvm=$newest kind=coverage board=microbit update=atomic out=$WORK/dropped
check "drop-in: builds" image DROPIN="$WORK/drop-in"
check "drop-in: has it" sh -c "llvm-nm-$newest '$out/kernel.elf' | grep -q ' __atomic_fetch_add_8$'"
check "drop-in: runs" run 'test\ncov dump\nexit\n'
check "drop-in: on other CPUs nothing is in its place" "clang-$newest" --target=aarch64-none-elf -DCONFIG_BAREPROF_ATOMIC \
	-ffreestanding -c "$WORK/drop-in/bareprof.c" -o "$WORK/x.o"
check "drop-in: and only if it is asked for" sh -c "! llvm-nm-$newest '$WORK/x.o' | grep fetch_ &&
	clang-$newest --target=thumbv6m-none-eabi -ffreestanding -c '$DROP_IN/bareprof.c' -o '$WORK/x.o' &&
	! llvm-nm-$newest '$WORK/x.o' | grep fetch_"

for llvm in 13 14 15 16 19 22; do
	if ! command -v "clang-$llvm" "ld.lld-$llvm" "llvm-profdata-$llvm" >/dev/null; then
		skip "clang $llvm: not installed, or not its lld and LLVM"
		continue
	fi
	for kind in coverage irpgo; do
		# Without BAREPROF_WIDE=1, the newest clang is tested on two boards with one kind, and the oldest clang on
		# the third board.
		case ${wide:+wide}$llvm-$kind in
		wide*) interrupted mps2-an385; interrupted microbit; interrupted armv7a ;;
		22-coverage) interrupted microbit; interrupted armv7a ;;
		13-coverage) interrupted mps2-an385 ;;
		esac
		case $llvm-$kind in
		22-coverage) ;;
		*) [ -n "$wide" ] || continue ;;
		esac
		several x86_64 "lock" 'lock'
		[ -z "$wide" ] || several aarch64 "exclusive accesses" 'stl?xr'
		several aarch64 "LSE" 'ldadd|stadd' -march=armv8.1-a
	done

	# The demo kernel must have the same counts with and without atomic counters. On a Cortex-M0, code with MC/DC
	# also calls a function to set the bits of the bitmap.
	case ${wide:+wide}$llvm in
	wide13) like_plain mps2-an385 coverage ;;
	wide22) like_plain microbit mcdc ;;
	esac

	# With older compilers and IR PGO, the option alone has no effect on any target, as docs/PORTING-KINDS.md
	# describes. Without BAREPROF_WIDE=1, the oldest and the newest clang compile for all three targets, and
	# the releases before and after the change for one target.
	targets="thumbv7m-none-eabi x86_64-unknown-none-elf aarch64-none-elf"
	case ${wide:+wide}$llvm in
	wide* | 13 | 22) ;;
	16 | 19) targets=${targets%% *} ;;
	*) targets= ;;
	esac
	for target in $targets; do
		object() { "clang-$llvm" --target=$target -O2 -ffreestanding -c tests/runtime/atomic/app.c -o "$WORK/x.o" "$@"; }
		differs() {
			object -fprofile-generate -mllvm -disable-vp=true && "llvm-objdump-$llvm" -dr --no-show-raw-insn "$WORK/x.o" >"$WORK/plain"
			object -fprofile-generate -mllvm -disable-vp=true -fprofile-update=atomic "$@" &&
				"llvm-objdump-$llvm" -dr --no-show-raw-insn "$WORK/x.o" >"$WORK/atomic" && ! cmp -s "$WORK/plain" "$WORK/atomic"
		}
		alike() { ! differs "$@" && [ -s "$WORK/plain" ]; }
		if [ "$llvm" -le 16 ]; then
			check "$target, clang $llvm irpgo: -fprofile-update=atomic alone changes nothing" alike
		else
			check "$target, clang $llvm irpgo: -fprofile-update=atomic is enough" differs
		fi
		check "$target, clang $llvm irpgo: with -mllvm it is atomic" differs -mllvm -instrprof-atomic-counter-update-all
	done
done
