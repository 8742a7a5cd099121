#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# size.sh [--check] - prints the size of the runtime: code and constants for each capability and target, RAM, and
# stack. With --check, it compares these numbers with the budgets instead.
. "$(dirname "$0")/../../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
FILES="$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-core) \
	$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-more) \
	$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-state) \
	$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-mip) \
	$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-samples)"
TARGETS="armv7-m armv6-m armv7-a-arm armv7-a-thumb aarch64 x86_64"
NEWEST=$(newest_clang)
export LC_ALL=C

# flags TARGET clang|gcc: sets $compiler and $machine, and sets $push to the number of bytes that a call pushes.
flags() {
	case $1 in
	armv7-m) triple=thumbv7m-none-eabi machine="-march=armv7-m -mthumb" gcc=arm-none-eabi-gcc push=0 ;;
	armv6-m) triple=thumbv6m-none-eabi machine="-march=armv6-m -mthumb" gcc=arm-none-eabi-gcc push=0 ;;
	armv7-a-arm) triple=armv7a-none-eabi machine="-march=armv7-a -marm" gcc=arm-none-eabi-gcc push=0 ;;
	armv7-a-thumb) triple=armv7a-none-eabi machine="-march=armv7-a -mthumb" gcc=arm-none-eabi-gcc push=0 ;;
	aarch64) triple=aarch64-none-elf machine="-mgeneral-regs-only" gcc=aarch64-linux-gnu-gcc push=0 ;;
	x86_64) triple=x86_64-unknown-none-elf gcc=gcc push=8
		machine="-mno-sse -mno-mmx -mno-red-zone -fno-asynchronous-unwind-tables" ;;
	esac
	case $1 in arm*) machine="$machine -mfloat-abi=soft" ;; esac
	case $2 in
	gcc)
		compiler="$gcc -Os"
		push=0 # gcc counts the return address as part of the frame
		machine="$machine -fno-pic -fno-asynchronous-unwind-tables"
		;;
	*) compiler="$2 --target=$triple -Oz -fomit-frame-pointer" ;;
	esac
}

# build TARGET COMPILER [FLAG]: compiles all objects to the folder $dir. With the FLAG -DBAREPROF_VALUES,
# -DBAREPROF_STORED or -DBAREPROF_SAMPLES, $dir is another folder.
build() {
	flags "$1" "$2"
	dir=$WORK/$1-$2$3
	mkdir -p "$dir"
	copy=runtime/copy.c
	arch=arm
	[ "$1" = x86_64 ] && arch=x86_64 copy=arch/x86_64/copy.c
	case $1 in armv?-m) atomic=atomic ;; *) atomic= ;; esac
	case $3 in
	*STORED) depends="-e capture_blocks.h -e capture_small.h" ;;
	*SAMPLES) depends="-e sample_hook.h -e bareprof/sample.h" ;;
	*) depends="-e BAREPROF_SERVES_VALUES -e BAREPROF_VALUES -e values_serialize.h" ;;
	esac
	for f in $FILES copy $atomic mip_first mip_sample; do
		source=runtime/$f.c
		[ "$f" = copy ] && source=$copy
		[ "$f" = atomic ] && source=arch/arm/atomic.c
		case $f in mip_first | mip_sample) source=arch/$arch/$f.c ;; esac
		# If the object of a source does not depend on FLAG, the object is copied from the build without FLAG.
		# shellcheck disable=SC2086
		if [ -n "$3" ] && [ -e "$WORK/$1-$2/$f.o" ] && ! grep -q $depends "$source"; then
			cp "$WORK/$1-$2/$f".* "$dir" || return
			continue
		fi
		# shellcheck disable=SC2086
		$compiler $machine $CFLAGS $3 -ffunction-sections -fdata-sections -fstack-usage -c "$source" -o "$dir/$f.o" || return
	done
	rm -f "$dir/runtime.a"
	(cd "$dir" && "llvm-ar-$NEWEST" rc runtime.a ./*.o)
}

# link TARGET COMPILER NAME ROOT...: links the image NAME.elf. Each ROOT is a capability, such as CORE or SNAPSHOT. The
# image calls the functions of these capabilities. If the name of a ROOT starts with VALUE, the objects with support for
# values are linked. If it is STORED, the objects that do not pack counters are linked. If it is SAMPLES, the objects
# that code samples are linked.
link() {
	flags "$1" "$2"
	dir=$WORK/$1-$2
	case " $* " in
	*" VALUE"*) dir=$dir-DBAREPROF_VALUES ;;
	*" STORED"*) dir=$dir-DBAREPROF_STORED ;;
	*" SAMPLES"*) dir=$dir-DBAREPROF_SAMPLES ;;
	esac
	elf=$dir/$3.elf
	shift 3
	# shellcheck disable=SC2046,SC2086
	$compiler $machine $CFLAGS $(printf -- '-DROOT_%s=1 ' "$@") -c tests/runtime/size/api.c -o "$dir/api.o" &&
		"ld.lld-$NEWEST" --gc-sections -z max-page-size=16 -T tests/runtime/size/size.lds "$dir/api.o" "$dir/runtime.a" -o "$elf"
}

# sizes ELF SECTION...: prints the sum of the sizes of the sections.
sizes() {
	sections=$1
	shift
	"llvm-size-$NEWEST" -A "$sections" | awk -v want=" $* " 'index(want, " " $1 " ") { n += $2 } END { print n + 0 }'
}

# stacks ELF DIR: prints a line for each function, with its name and the stack that it needs in bytes.
stacks() {
	"llvm-objdump-$NEWEST" -d --no-show-raw-insn "$1" | perl tests/runtime/size/stack.pl "$push" "$2"/*.su
}

worst_of() {
	awk -v want="$*" '
		{ worst[$1] = $2 }
		END {
			for (i = split(want, name, " "); i > 0; i--) {
				sum = 0
				for (j = split(name[i], part, "+"); j > 0; j--)
					sum += worst[part[j]]
				n = sum > n ? sum : n
			}
			print n + 0
		}'
}

# core_of SECTION...: prints the sum of the sizes of the core's sections. The core must have been linked before.
core_of() { sizes "${dir%-DBAREPROF_*}/core.elf" "$@"; }

VALUES_API="bareprof_values_start bareprof_values_hold bareprof_values_release bareprof_values_remove"
VALUE_HOOKS="__llvm_profile_instrument_target __llvm_profile_instrument_memop"
API="bareprof_image_self bareprof_image_init bareprof_reset bareprof_open bareprof_read bareprof_write"

check_budgets() {
	case $1 in
	armv7-m | armv7-a-thumb) code=1250 stack=200 ;;
	armv6-m) code=1300 stack=200 ;;
	armv7-a-arm) code=1850 stack=200 ;;
	aarch64) code=1850 stack=256 ;;
	x86_64) code=1700 stack=256 ;;
	esac
	if ! build "$1" "$2" >"$WORK/log" 2>&1 || ! link "$1" "$2" core CORE SYMBOLS >>"$WORK/log" 2>&1; then
		not_ok "$1, $2: does not build, or needs a symbol from elsewhere"
		sed 's/^/    /' "$WORK/log"
		return
	fi
	ok "$1, $2: links with nothing but the bounds of the sections"
	is=$(sizes "$elf" .text .rodata)
	if [ "$is" -le $code ]; then
		ok "$1, $2: core $is bytes of code and constants, at most $code"
	else
		not_ok "$1, $2: core $is bytes of code and constants, over $code"
	fi
	if [ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
		ok "$1, $2: core has no data and no bss"
	else
		not_ok "$1, $2: core has data or bss"
	fi
	if ! stacks "$elf" "$dir" >"$dir/stacks" 2>"$WORK/log"; then
		not_ok "$1, $2: $(cat "$WORK/log")"
		return
	fi
	# shellcheck disable=SC2086
	is=$(worst_of $API <"$dir/stacks")
	if [ "$is" -gt 0 ] && [ "$is" -le $stack ]; then
		ok "$1, $2: core takes $is bytes of stack, at most $stack"
	else
		not_ok "$1, $2: core takes $is bytes of stack, over $stack"
	fi
	[ "$1" != armv7-m ] || check_small "$1" "$2"
	check_mip "$1" "$2"
	case ${BAREPROF_WIDE:+wide}$1 in wide* | armv7-m | armv6-m | x86_64) check_state "$1" "$2" ;; esac
	case $1 in armv?-m) check_atomic "$1" "$2" ;; esac
	# An image with all capabilities must have no data. It must need no symbol that the runtime does not define.
	if link "$1" "$2" all CORE SYMBOLS DIAGNOSE BUILD_ID STRERROR SNAPSHOT MASKED DRAIN SEVERAL HYPERCALL CLIENT START KEEP COUNTERS WHOLE MEMORY SMALL TEXT ANSWER FRAMES >"$WORK/log" 2>&1 &&
		[ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
		ok "$1, $2: the rest links alone too, without data or bss"
	else
		not_ok "$1, $2: the rest needs a symbol from elsewhere, or has data"
		sed 's/^/    /' "$WORK/log"
	fi
}

# Checks how much value profiling and timestamps add to the core. Value profiling includes recording and writing to a
# file.
check_state() {
	if ! build "$1" "$2" -DBAREPROF_VALUES >"$WORK/log" 2>&1 ||
		! link "$1" "$2" values CORE SYMBOLS VALUES >>"$WORK/log" 2>&1; then
		not_ok "$1, $2: values do not build, or need a symbol from elsewhere"
		sed 's/^/    /' "$WORK/log"
		return
	fi
	is=$(($(sizes "$elf" .text .rodata) - $(core_of .text .rodata)))
	ram=$(sizes "$elf" .data .bss)
	case $1 in
	armv7-m | armv7-a-thumb) most=1228 stack=256 ;;
	armv6-m) most=1300 stack=320 ;;
	armv7-a-arm) most=2100 stack=256 ;;
	*) most=2200 stack=480 ;;
	esac
	if [ "$is" -gt 400 ] && [ "$is" -le $most ] && [ "$ram" -eq 0 ]; then
		ok "$1, $2: values: $is bytes more than the core, at most $most, no data or bss"
	else
		not_ok "$1, $2: values: $is bytes more than the core, over $most, or $ram bytes of data and bss"
	fi
	stacks "$elf" "$dir" >"$dir/stacks" || return
	# shellcheck disable=SC2086
	is=$(worst_of $VALUE_HOOKS <"$dir/stacks")
	# shellcheck disable=SC2086
	all=$(worst_of $API $VALUES_API <"$dir/stacks")
	if grep -q '^__llvm_profile_instrument_target ' "$dir/stacks" && [ "$is" -le 64 ] && [ "$all" -gt 100 ] && [ "$all" -le $stack ]; then
		ok "$1, $2: noting a value takes $is bytes of stack, at most 64; the core with values $all, at most $stack"
	else
		not_ok "$1, $2: noting a value takes $is bytes of stack, over 64, or the core with values $all, over $stack"
	fi
	if ! link "$1" "$2" timestamp CORE SYMBOLS TIMESTAMP >"$WORK/log" 2>&1; then
		not_ok "$1, $2: timestamps need a symbol from elsewhere"
		sed 's/^/    /' "$WORK/log"
		return
	fi
	is=$(($(sizes "$elf" .text .rodata) - $(core_of .text .rodata)))
	if [ "$is" -gt 0 ] && [ "$is" -le 80 ] && [ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
		ok "$1, $2: timestamps: $is bytes more than the core, at most 80, no data or bss"
	else
		not_ok "$1, $2: timestamps: $is bytes more than the core, over 80, or data or bss"
	fi
	if link "$1" "$2" all CORE SYMBOLS DIAGNOSE BUILD_ID STRERROR START COUNTERS WHOLE MEMORY SMALL TEXT ANSWER FRAMES \
		VALUES VALUE_CAPTURE TIMESTAMP >"$WORK/log" 2>&1 && [ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
		ok "$1, $2: all of it with values links alone too, without data or bss"
	else
		not_ok "$1, $2: all of it with values needs a symbol from elsewhere, or has data"
		sed 's/^/    /' "$WORK/log"
	fi
}

# Checks the size of the functions that clang calls for atomic counters.
check_atomic() {
	if ! link "$1" "$2" atomic ATOMIC >"$WORK/log" 2>&1; then
		not_ok "$1, $2: atomic updates do not link alone"
		sed 's/^/    /' "$WORK/log"
		return
	fi
	is=$(sizes "$elf" .text .rodata)
	if [ "$is" -gt 40 ] && [ "$is" -le 90 ] && [ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
		ok "$1, $2: atomic updates: $is bytes of code and constants, at most 90, no data or bss"
	else
		not_ok "$1, $2: atomic updates: $is bytes of code and constants, over 90, or data or bss"
	fi
}

# Checks the sizes of machine profiles alone and of samples alone. On other targets than Armv7-M, they must link with
# nothing but the bounds of their sections.
check_mip() {
	for part in "machine profiles, small form, stored:MIP_SMALL STORED:800" "machine profiles, small form, coded:MIP_SMALL:1050" \
		"machine profiles, any block, .mipraw:MIP COUNTERS MIPRAW TEXT:1650" "machine profiles, first calls:FIRST:160" \
		"machine profiles, samples:SAMPLE:230" "samples, a ring with hook and drain:RING:200" \
		"samples, a histogram with its hook:HISTOGRAM:150"; do
		name=${part%%:*}
		most=${part##*:}
		roots=${part#*:}
		roots=${roots%:*}
		case $1,$roots in armv7-m,*) ;; *,*STORED) continue ;; *) most=3000 ;; esac
		# shellcheck disable=SC2086
		if { case $roots in *STORED) build "$1" "$2" -DBAREPROF_STORED ;; esac } >"$WORK/log" 2>&1 && link "$1" "$2" mip $roots >>"$WORK/log" 2>&1; then
			is=$(sizes "$elf" .text .rodata)
			if [ "$is" -gt 50 ] && [ "$is" -le "$most" ] && [ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
				ok "$1, $2: $name: $is bytes of code and constants, at most $most, no data or bss"
			else
				not_ok "$1, $2: $name: $is bytes of code and constants, over $most, or data or bss"
			fi
		else
			not_ok "$1, $2: $name: does not build, or needs a symbol from elsewhere"
			sed 's/^/    /' "$WORK/log"
		fi
	done
}

# Checks the size of the small form, which is for devices with a few KiB.
check_small() {
	for part in "coding, one framing and CRC:CODING FRAME:620" "the small form:SMALL SYMBOLS:1050"; do
		what=${part%%:*}
		most=${part##*:}
		roots=${part#*:}
		# shellcheck disable=SC2086
		if ! link "$1" "$2" small ${roots%:*} >"$WORK/log" 2>&1; then
			not_ok "$1, $2: $what does not link alone"
			sed 's/^/    /' "$WORK/log"
			continue
		fi
		is=$(sizes "$elf" .text .rodata)
		if [ "$is" -gt 0 ] && [ "$is" -le "$most" ] && [ "$(sizes "$elf" .data .bss)" -eq 0 ]; then
			ok "$1, $2: $what: $is bytes of code and constants, at most $most, no data or bss"
		else
			not_ok "$1, $2: $what: $is bytes of code and constants, over $most, or data or bss"
		fi
	done
	stacks "$elf" "$dir" >"$dir/stacks" || return
	is=$(worst_of bareprof_small_start bareprof_small_dump <"$dir/stacks")
	if [ "$is" -gt 0 ] && [ "$is" -le 200 ]; then
		ok "$1, $2: the small form takes $is bytes of stack, at most 200"
	else
		not_ok "$1, $2: the small form takes $is bytes of stack, over 200"
	fi
}

# row WHAT NUMBER...: prints a row of the table, with a number for each target.
row() {
	printf '%-34s' "$1"
	shift
	printf '%14s' "$@"
	echo
}

# capability WHAT MINUS ROOTS...: prints the row of a capability, as code + constants. If MINUS is 0, the row has the
# whole size. If it is 1, the row has only what the capability adds to the core.
capability() {
	what=$1
	minus=$2
	shift 2
	numbers=
	for t in $TARGETS; do
		if ! link "$t" "$compiled" one "$@" 2>"$WORK/log"; then
			sed 's/^/    /' "$WORK/log" >&2
			numbers="$numbers -"
			continue
		fi
		text=$(($(sizes "$elf" .text) - minus * $(core_of .text)))
		rodata=$(($(sizes "$elf" .rodata) - minus * $(core_of .rodata)))
		ram=$(sizes "$elf" .data .bss)
		numbers="$numbers $text+$rodata"
		[ "$ram" -eq 0 ] || echo "$what, $t: $ram bytes of data and bss"
	done
	# shellcheck disable=SC2086
	row "$what" $numbers
}

stack_row() {
	what=$1
	shift
	numbers=
	for t in $TARGETS; do
		numbers="$numbers $(worst_of "$@" <"$WORK/$t-$compiled$of/stacks")"
	done
	# shellcheck disable=SC2086
	row "$what" $numbers
}

struct_row() {
	numbers=
	for t in $TARGETS; do
		size=$("llvm-nm-$NEWEST" -S "$WORK/$t-$compiled/api.o" | awk -v n="size_of_$1" '$4 == n { print $2 }')
		numbers="$numbers $((0x$size))"
	done
	# shellcheck disable=SC2086
	row "struct bareprof_$1" $numbers
}

table() {
	compiled=$1
	for t in $TARGETS; do
		build "$t" "$compiled" -DBAREPROF_VALUES && build "$t" "$compiled" -DBAREPROF_STORED && build "$t" "$compiled" -DBAREPROF_SAMPLES && build "$t" "$compiled" && link "$t" "$compiled" core CORE SYMBOLS || return
		link "$t" "$compiled" all CORE SYMBOLS DIAGNOSE BUILD_ID STRERROR SNAPSHOT MASKED DRAIN SEVERAL HYPERCALL CLIENT START KEEP COUNTERS WHOLE MEMORY SMALL TEXT ANSWER FRAMES || return
		stacks "$elf" "$dir" >"$dir/stacks" || return
		link "$t" "$compiled" values CORE SYMBOLS VALUES VALUE_CAPTURE || return
		stacks "$elf" "$dir" >"$dir/stacks" || return
	done
	echo
	echo "$compiled, $2, no frame pointers: code + constants, bytes; no data, no bss unless it says so"
	# shellcheck disable=SC2086
	row "" $TARGETS
	capability "bounds, learn, check" 0 SELF
	capability "reset" 0 RESET
	capability "open, read" 0 READ
	capability "open, read, write" 0 WRITE
	capability "core: all of these" 0 CORE SYMBOLS
	capability "core and: diagnose" 1 CORE SYMBOLS DIAGNOSE
	capability "core and: build id from a note" 1 CORE SYMBOLS BUILD_ID
	capability "core and: strerror" 1 CORE SYMBOLS STRERROR
	capability "core and: snapshot" 1 CORE SYMBOLS SNAPSHOT
	capability "core and: masked snapshot" 1 CORE SYMBOLS MASKED
	capability "core and: snapshot, drain" 1 CORE SYMBOLS SNAPSHOT DRAIN
	capability "core and: several images" 1 CORE SYMBOLS SEVERAL
	capability "core and: hypercalls, counters" 1 CORE SYMBOLS SNAPSHOT COUNTERS HYPERCALL
	capability "core and: start, started, CRC" 1 CORE SYMBOLS START
	capability "core and: kept counts, CRC" 1 CORE SYMBOLS KEEP
	capability "core and: whole capture, CRC" 1 CORE SYMBOLS WHOLE
	capability "core and: counters, CRC" 1 CORE SYMBOLS COUNTERS
	capability "core and: counters, CRC, text" 1 CORE SYMBOLS COUNTERS TEXT
	capability "core and: counters, text, answers" 1 CORE SYMBOLS COUNTERS TEXT ANSWER
	capability "core and: counters, CRC, frames" 1 CORE SYMBOLS COUNTERS FRAMES
	capability "core and: all captures, text" 1 CORE SYMBOLS WHOLE COUNTERS TEXT
	capability "core and: values" 1 CORE SYMBOLS VALUES
	capability "core and: values, captures of them" 1 CORE SYMBOLS VALUES VALUE_CAPTURE
	capability "core and: timestamps" 1 CORE SYMBOLS TIMESTAMP
	capability "coder, frames, CRC" 0 CODING FRAME
	capability "counters by block, frames, CRC" 0 COUNTERS FRAME
	capability "small form, frames" 0 SMALL SYMBOLS
	capability "client of hypercalls, text" 0 CLIENT
	capability "machine profiles, small, stored" 0 MIP_SMALL STORED
	capability "machine profiles, small form, text" 0 MIP_SMALL
	capability "machine profiles, blocks, text" 0 MIP COUNTERS TEXT
	capability "the same and .mipraw" 0 MIP COUNTERS TEXT MIPRAW
	capability "machine profiles, first calls" 0 FIRST
	capability "machine profiles, samples" 0 SAMPLE
	capability "samples: ring, hook, drain" 0 RING
	capability "samples: histogram, hook" 0 HISTOGRAM
	capability "samples: ring, sorted, text" 0 RING SAMPLES TEXT
	TARGETS="armv7-m armv6-m" capability "atomic updates" 0 ATOMIC
	echo "stack, bytes, with everything called but a sender's sink"
	# shellcheck disable=SC2086
	stack_row "core" $API
	stack_row "reset" bareprof_reset
	stack_row "read" bareprof_read
	stack_row "start" bareprof_start
	stack_row "kept counts" bareprof_kept bareprof_keep_start
	stack_row "capture" bareprof_capture_open bareprof_capture_profraw bareprof_block bareprof_capture_write
	stack_row "hypercall" bareprof_hypercalls_start bareprof_hypercall
	stack_row "client of hypercalls" bareprof_client_identify bareprof_client_send
	stack_row "small form" bareprof_small_start bareprof_small_dump
	stack_row "capture, sent as text or frames" bareprof_send
	# shellcheck disable=SC2086
	{
		of=-DBAREPROF_VALUES
		stack_row "core, with values" $API $VALUES_API
		stack_row "a value is noted" $VALUE_HOOKS
		stack_row "capture of values" bareprof_capture_values bareprof_block
		of=
	}
	echo "memory that the caller owns, bytes"
	struct_row image
	struct_row dump
	struct_row capture
	struct_row keep
	struct_row values
	struct_row member
	struct_row set_dump
	struct_row hypercalls
	struct_row client
	struct_row state
	struct_row sampler
	struct_row ring
}

# Without BAREPROF_WIDE=1, Thumb code of Armv7-A is left out, because its limits are those of Armv7-M, and values are
# compared with their limits for three targets: both kinds of Thumb code, and 64 bits.
if [ "$1" = --check ]; then
	[ -n "${BAREPROF_WIDE-}" ] || TARGETS="armv7-m armv6-m armv7-a-arm aarch64 x86_64"
	for clang in clang-22 ${BAREPROF_WIDE:+clang-19}; do
		if ! command -v $clang >/dev/null; then
			skip "sizes with $clang: not installed"
			continue
		fi
		for t in $TARGETS; do
			check_budgets "$t" $clang
		done
	done
	exit 0
fi
for clang in clang-22 clang-19; do
	if command -v $clang >/dev/null; then table $clang -Oz; fi
done
if command -v arm-none-eabi-gcc >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
	table gcc -Os
fi
