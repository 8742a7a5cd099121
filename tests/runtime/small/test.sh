#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# small - boots firmware that uses the small form and no other part of the runtime, on three Cortex-M boards. The
# firmware starts with garbage in RAM, counts, dumps over its console as text and as frames, and then starts to count
# again. From these dumps, the host must make the profiles that compiler-rt writes for the same application on Linux.
. "$(dirname "$0")/../../lib.sh"

NEWEST=$(newest_clang)
RUNTIME="$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags) -include tests/runtime/small/yield.h"
PARTS=
for part in capture_small capture_blocks counter_codec crc32c copy encode_text encode_frame symbols; do PARTS="$PARTS runtime/$part.c"; done

# image VERSION KIND BOARD LINKER LEAN NAME [VARIABLE=VALUE...]: builds the firmware with clang VERSION as
# $WORK/NAME.elf.
image() {
	version=$1 kind=$2 board=$3 linker=$4 lean=$5 elf=$WORK/$6.elf
	shift 6
	case $board in
	lm3s6965evb) uart=arch/arm/pl011.c ;;
	mps2-an385) uart=arch/arm/cmsdk_uart.c ;;
	microbit) uart="arch/arm/nrf51_uart.c qemu/microbit/divide.c" ;;
	esac
	make -s -j2 image LLVM="$version" KIND="$kind" BOARD="$board" LINKER="$linker" LEAN="$lean" \
		OUT="$WORK/$version-$kind-$board" DEMO_PLAIN= RUNTIME_CFLAGS="$RUNTIME" \
		IMAGE_PLAIN_SOURCES="tests/runtime/small/start.c tests/runtime/small/firmware.c qemu/cortex-m/fault_entry.S \
			qemu/cortex-m/fault.c qemu/cortex-m/cortex_m.c qemu/report.c qemu/mem.c qemu/$board/board.c \
			arch/arm/semihosting.c $uart" \
		IMAGE_DEMO_SOURCES=tests/runtime/small/app.c IMAGE_RUNTIME_SOURCES="$PARTS" "$@" &&
		cp "$WORK/$version-$kind-$board/kernel.elf" "$elf"
}

# run NAME [STATUS]: boots the firmware NAME; `bareprof run` must exit with STATUS. The console's output of each step
# goes to the file NAME.said/STEP.
run() {
	rm -rf "$WORK/$1.said"
	mkdir "$WORK/$1.said"
	"$BAREPROF" run --board "$board" --timeout 30 --log "$WORK/$1.log" -o "$WORK/$1.profraw" "$elf" </dev/null
	status=$?
	python3 - "$WORK/$1.log" "$WORK/$1.said" <<'PYTHON'
import sys
for step in (b"\n" + open(sys.argv[1], "rb").read()).split(b"\n== ")[1:]:
    name, _, said = step.partition(b"\r\n")
    open(f"{sys.argv[2]}/{name.decode()}", "wb").write(said + b"\n")
PYTHON
	[ $status -eq "${2-0}" ] && [ -e "$WORK/$1.said/end" ]
}

# returned STEP: prints the result of the call in STEP, and the number of times that the runtime yielded in it.
returned() { tr -d '\0\r' <"$said/$1" | sed -n "s/^result /$1 /p"; }

# blocks STEP: pulls the dump of STEP, and prints the number of blocks that the host counted.
blocks() {
	"$BAREPROF" pull --elf "$elf" "$said/$1" -o "$said/$1.profraw" >"$said/$1.pull" 2>&1 &&
		sed -n 's/.* of \([0-9]*\) blocks; all of them arrived.*/\1/p' "$said/$1.pull"
}

# steps: succeeds if each step returned the right result and all dumps are complete.
steps() {
	for step in start room smallest aborted frames again second large; do returned $step; done >"$said/steps"
	for step in smallest frames second large; do blocks $step; done >"$said/blocks"
	{ read -r smallest && read -r frames && read -r second && read -r large; } <"$said/blocks" || return
	printf '%s yields %s\n' 'start 0' 0 'room -1' 0 'smallest 0' "$smallest" 'aborted -3' 0 \
		'frames 0' "$frames" 'again 0' 0 'second 0' "$second" 'large 0' "$large" | diff - "$said/steps" || return
	! grep -q @bp: "$said/room" && [ "$large" = "$smallest" ] || return
	# The dump has BEGIN, END, and one DATA block for each 128 bytes of a section. The smallest buffer has no
	# space for more than 128 bytes.
	"$BAREPROF" check "$elf" >"$said/check" &&
		[ "$smallest" -eq "$(awk -F '[ ,]+' '/^sections:/ { print 2 + int(($3 + 127) / 128) + int(($6 + 127) / 128) }' "$said/check")" ]
}

# text PROFILE...: LLVM converts the sum of the profiles to text. The output goes to a file whose name is the first
# PROFILE with .text added.
text() { "llvm-profdata-$version" merge -text "$@" -o "$1.text"; }

# hosted: runs the same application on Linux with 3 and with 5 rounds. The profiles are $twin.ROUNDS.profraw.
hosted() {
	twin=$WORK/$version-$kind
	[ ! -e "$twin.5.profraw" ] || return 0
	flags=$(printf 'include Makefile\nprint:\n\t@echo $(INSTRUMENT_%s)\n' "$kind" | make -s --no-print-directory -f - print)
	cc="clang-$version -O2 -g -std=gnu11 -Itests/runtime/small"
	# shellcheck disable=SC2086
	$cc -c tests/runtime/small/hosted.c -o "$twin.main.o" && $cc -ffreestanding $flags -c tests/runtime/small/app.c -o "$twin.app.o" &&
		$cc $flags "$twin.main.o" "$twin.app.o" -o "$twin" || return
	for rounds in 3 5; do
		LLVM_PROFILE_FILE="$twin.$rounds.profraw" "$twin" $rounds && text "$twin.$rounds.profraw" || return
	done
	cp "$twin.3.profraw" "$twin.sum.profraw"
	text "$twin.sum.profraw" "$twin.5.profraw"
}

# same ROUNDS STEP: the profile of STEP must have the counts of the Linux program that ran with ROUNDS.
same() { text "$said/$2.profraw" && cmp "$twin.$1.profraw.text" "$said/$2.profraw.text"; }

# large: the profile must have the counts of five rounds. One count must be higher by 1 << 32, because the firmware
# added this number to the first counter. With byte counters, no count is higher.
large() {
	text "$said/large.profraw"
	paste "$twin.5.profraw.text" "$said/large.profraw.text" | awk -F '\t' -v kind="$kind" '
		$1 == $2 { next }
		$2 - $1 == 4294967296 { large++; next }
		{ print; wrong++ }
		END { exit wrong || large != (kind == "bytes" || kind == "entries" ? 0 : 1) }'
}

# adds_up: merge must add two dumps if the firmware started to count again between them. If the firmware only dumped
# twice, merge must report a repeated dump.
adds_up() {
	merge="$BAREPROF merge --for-llvm $version --elf $elf"
	$merge "$said/smallest" "$said/second" -o "$said/sum" 2>"$said/sum.said" && text "$said/sum" &&
		cmp "$twin.sum.profraw.text" "$said/sum.text" && ! grep 'same boot' "$said/sum.said" &&
		$merge "$said/second" "$said/large" -o "$said/twice" 2>"$said/twice.said" &&
		grep -q 'warning: comes from the same boot' "$said/twice.said" && return
	cat "$said"/*.said
	return 1
}

# reported ROUNDS STEP: makes a report directly from the console's output of STEP. The report must have the same lines
# as LLVM's report of the Linux program that ran with ROUNDS.
reported() {
	case $kind in irpgo | entries) return 0 ;; esac
	"llvm-profdata-$version" merge "$twin.$1.profraw" -o "$twin.profdata" &&
		"llvm-cov-$version" export -format=lcov "$twin" -instr-profile="$twin.profdata" >"$twin.lcov" &&
		"$BAREPROF" report --lcov "$said/lcov" "$elf" "$said/$2.profraw" && cmp "$twin.lcov" "$said/lcov" &&
		if [ "$kind" != bytes ]; then grep -q '^DA:[0-9]*,21000$' "$said/lcov"; fi && grep -q '^DA:[0-9]*,0$' "$said/lcov"
}

# firmware VERSION KIND BOARD LINKER LEAN [VARIABLE=VALUE...]: builds and boots one firmware, and runs all checks
# above.
firmware() {
	this="clang $1 $2, $3, $4${5:+, lean}${6:+, drop-in}"
	if ! command -v "clang-$1" "ld.lld-$1" "llvm-cov-$1" >/dev/null; then
		skip "$this: clang, lld and LLVM of this version are not installed"
		return
	fi
	name=$1-$2-$3-$4${5:+-lean}
	said=$WORK/$name.said
	check "$this: builds" image "$1" "$2" "$3" "$4" "$5" "$name" ${6+"$6"}
	check "$this: runs" run "$name"
	check "$this: each step did what it should" steps
	check "$this: a Linux program for comparison" hosted
	check "$this: the same counts, as text" same 3 smallest
	check "$this: as frames" same 3 frames
	check "$this: after a new start" same 5 second
	check "$this: and one that takes more than 32 bits" large
	check "$this: two dumps add up" adds_up
	check "$this: the report is the same" reported 3 smallest
}

if [ -n "${BAREPROF_WIDE-}" ]; then
	for version in 13 14 15 16 19 22; do
		kinds="coverage irpgo"
		[ $version -lt 14 ] || kinds="$kinds entries"
		[ $version -lt 19 ] || kinds="$kinds mcdc bytes"
		for kind in $kinds; do
			for board in lm3s6965evb mps2-an385 microbit; do
				for linker in lld gnu; do
					firmware $version $kind $board $linker ""
					firmware $version $kind $board $linker 1
				done
			done
		done
	done
else
	# Each kind, board and linker, and the oldest clang.
	firmware "$NEWEST" coverage lm3s6965evb lld ""
	firmware "$NEWEST" irpgo mps2-an385 gnu ""
	firmware "$NEWEST" mcdc microbit gnu 1
	firmware "$NEWEST" bytes mps2-an385 lld 1
	firmware "$NEWEST" entries microbit lld 1
	firmware 13 coverage microbit lld 1
fi

# With this configuration, the drop-in has only the small form. The firmware must work with it.
small_drop_in() {
	printf '%s\n' "# CONFIG_BAREPROF_CORE is not set" CONFIG_BAREPROF_SMALL=y >"$WORK/config"
	KCONFIG_CONFIG="$WORK/config" kconfig-conf --olddefconfig Kconfig &&
		KCONFIG_CONFIG="$WORK/config" make -s drop-in DIR="$WORK/drop-in"
}
check "a drop-in with the small form alone" small_drop_in
firmware "$NEWEST" coverage microbit lld 1 IMAGE_RUNTIME_SOURCES="$WORK/drop-in/bareprof.c"

# In an image without counters, bareprof_small_start() must return an error, and a dump must be empty.
check "nothing instrumented: builds" image "$NEWEST" none microbit lld 1 none
check "nothing instrumented: runs" run none 1
said=$WORK/none.said
check "nothing instrumented: start says so" test "$(returned start)" = "start -16 yields 0"
check "nothing instrumented: a dump of two blocks" test "$(returned nothing)" = "nothing 0 yields 2"
refuses "nothing instrumented: the host says so" 'announces an image without counters' \
	"$BAREPROF" pull --elf "$elf" "$said/nothing" -o "$said/nothing.profraw"
