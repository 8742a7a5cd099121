#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# commands.sh: builds U-Boot with coverage, boots it from flash and from RAM, and runs ten commands. QEMU writes a trace
# of each boot. In the profile of the boot, each function must have the count that the trace has.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/uboot/lib.sh

LLVM=19
RAM=0x41000000 # the address to which the test loads U-Boot
uboot_source "$WORK/source" || exit 0
check "bareprof is installed" sh ports/uboot/install.sh "$WORK/source"

# boot TREE PLACE NAME COMMAND...: boots from flash or RAM. $trace has more options for QEMU.
boot() {
	tree=$1 place=$2 name=$3
	shift 3
	case $place in
	flash) load="-bios $tree/u-boot.bin" ;;
	ram) load="-device loader,file=$tree/u-boot.bin,addr=$RAM,force-raw=on -device loader,addr=$RAM,cpu-num=0" ;;
	esac
	rm -f "$WORK/monitor" "$name.profraw"
	# shellcheck disable=SC2086
	python3 tests/ports/uboot/console.py "$WORK/monitor" "$name.profraw" "$@" -- \
		qemu-system-aarch64 -machine virt -cpu cortex-a57 -m 128 -nodefaults -nographic -serial stdio \
		-monitor unix:"$WORK/monitor",server,nowait $load ${trace-} >"$name.console" 2>&1
}

address() { printf '%016x\n' $((0x$(nm "$1/u-boot" | awk -v name="$2" '$3 == name { print $1 }') + offset)); }

# judged WHAT TREE PLACE END COMMAND...: boots with a trace. Counts from the start, or from the command "bareprof
# reset", to the call of END, at which the profile is made.
judged() {
	case=$1 tree=$2 place=$3 last=$4
	shift 4
	name=$WORK/$(echo "$case" | tr -c '[:alnum:]\n' -)
	# The first boot has no trace. It shows where U-Boot's copy is.
	trace=
	boot "$tree" "$place" "$name" bdinfo
	offset=$(tr -d '\r' <"$name.console" | sed -n 's/^reloc off *= //p')
	[ -n "$offset" ] || { fails "$case: U-Boot boots" "$name.console"; return; }
	rm -f "$name.fifo" && mkfifo "$name.fifo"
	awk -v from="$(address "$tree" bareprof_reset)" -v to="$(address "$tree" "$last")" '
		/^Trace/ { split($4, field, "/"); at = field[2]; if (at == from) delete count; if (at == to) done = 1; if (!done) count[at]++ }
		END { for (at in count) print at, count[at] }' "$name.fifo" >"$name.trace" &
	trace="-d exec,nochain -D $name.fifo"
	boot "$tree" "$place" "$name" "$@"
	wait
	[ -e "$name.profraw" ] || "$BAREPROF" pull --elf "$tree/u-boot" "$name.console" -o "$name.profraw" >"$name.said" 2>&1
	check "$case: the profile is read" "$BAREPROF" merge --text "$name.profraw" -o "$name.text"
	case $place in flash) places="0 $offset" ;; ram) places="$RAM $offset" ;; esac
	# shellcheck disable=SC2086
	python3 tests/ports/uboot/judge.py "$tree/u-boot" "$name.text" "$name.trace" $places >"$name.judged"
	check "$case: $(tail -n 1 "$name.judged")" sh -c "cat '$name.judged'; ! grep -q ^differs '$name.judged' && grep -q ' differ: 0, ' '$name.judged'"
}

# The function of each command must have run.
ran() {
	for function in do_version do_bdinfo do_env_set do_env_print do_itest do_mem_mw do_mem_md do_mem_crc do_mem_cmp do_flinfo; do
		check "$1: $function ran" awk -v name="(^|[;:])$function\$" '$0 ~ name { at = NR } at && NR == at + 6 { ran += $1 }
			END { exit !ran }' "$name.text"
	done
}

ten() {
	"$@" version bdinfo "setenv a 1" "printenv a" "itest 1 -eq 1" "mw.l 43000000 a5a5a5a5 100" "md.l 43000000 4" \
		"crc32 43000000 400" "cmp.l 43000000 43000200 80" flinfo "$end"
}

# built TREE LLVM WORD...: builds U-Boot in TREE. Inlined functions are counted, but have no address of their own in the
# trace. So nothing is inlined.
built() {
	tree=$1 llvm=$2
	shift 2
	cp -a "$WORK/source" "$tree"
	check "$(basename "$tree"): U-Boot is configured" uboot_config "$tree" "$llvm" "$@"
	check "$(basename "$tree"): U-Boot is built" uboot_make "$tree" "$llvm" KCFLAGS=-fno-inline u-boot.bin
	"$BAREPROF" check --bin "$tree/u-boot.bin" --mapped 0x40000000:0x48000000 "$tree/u-boot" >"$tree.said"
	check "$(basename "$tree"): bareprof check has no error and no warning" \
		sh -c "cat '$tree.said'; ! grep -E '^(error|warning):' '$tree.said'"
}

built "$WORK/full" $LLVM
built "$WORK/lean" $LLVM -e BAREPROF_LEAN
for place in flash ram; do
	end="bareprof write 44000000" ten judged "$place, whole profile, boot and commands" "$WORK/full" $place bareprof_write
	ran "$place, whole profile"
	end="bareprof send" ten judged "$place, counters, boot and commands" "$WORK/lean" $place bareprof_snapshot
	ran "$place, counters"
	end="bareprof send" ten judged "$place, counters, commands only" "$WORK/lean" $place bareprof_snapshot "bareprof reset"
	ran "$place, commands only"
done

# The bias works with each clang that has the option.
for llvm in 15 16 22; do
	command -v "clang-$llvm" >/dev/null || { skip "clang $llvm: not installed"; continue; }
	other=$WORK/clang-$llvm
	built "$other" "$llvm"
	end="bareprof send" ten judged "clang $llvm, flash, boot and commands" "$other" flash bareprof_snapshot
done
