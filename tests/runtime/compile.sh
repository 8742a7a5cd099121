#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# compile.sh - tests that every file of the runtime compiles by itself and without a warning, with every installed
# compiler, for every kind of target. With BAREPROF_WIDE=1, all combinations run. Otherwise, each compiler uses one
# optimization level, the newest clang compiles for every target, and each other clang and gcc for one target. The
# compilers then stop after their checks and make no code: this takes a quarter of the time. The images of other tests
# have code of each clang, and docs/dropin makes code of the same sources by each gcc. But gcc -Os makes code for Armv6-M,
# because it calls memcpy() there for an assignment of small structs.
. "$(dirname "$0")/../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

# one WHAT COMPILER FLAGS...: compiles each file by itself, and prints one line with the result.
if [ "$1" = one ]; then
	what=$2
	shift 2
	mkdir "$WORK/src" && cd "$WORK/src" || exit 1
	ln -s "$ROOT"/runtime/*.[ch] .
	case $what in
	x86_64*)
		ln -s "$ROOT/arch/x86_64/copy.c" copy_x86_64.c
		ln -s "$ROOT/arch/x86_64/hypercall.c" hypercall_x86_64.c
		ln -s "$ROOT/arch/x86_64/mip_first.c" mip_first_x86_64.c
		ln -s "$ROOT/arch/x86_64/mip_sample.c" mip_sample_x86_64.c
		ln -s "$ROOT/arch/x86_64/mip_stub.h" .
		;;
	aarch64 | armv7-a*)
		ln -s "$ROOT/arch/arm/hypercall.c" hypercall_arm.c
		ln -s "$ROOT/arch/arm/mip_first.c" mip_first_arm.c
		ln -s "$ROOT/arch/arm/mip_sample.c" mip_sample_arm.c
		ln -s "$ROOT/arch/arm/mip_stub.h" .
		;;
	armv?-m)
		ln -s "$ROOT/arch/arm/atomic.c" atomic_arm.c
		ln -s "$ROOT/arch/arm/mip_first.c" mip_first_arm.c
		ln -s "$ROOT/arch/arm/mip_sample.c" mip_sample_arm.c
		ln -s "$ROOT/arch/arm/mip_stub.h" .
		;;
	esac
	# together FLAG...: compiles $files in one process, and fails if a file does not compile. For a small file, clang
	# needs most of its time to start. Therefore this function asks the driver to print how it would call the
	# compiler proper, and then makes this call once for all files.
	together() {
		case $compiler in
		clang*)
			# shellcheck disable=SC2086
			call=$("$compiler" "$@" $CFLAGS -I"$ROOT/include" $goal image.c -### 2>&1 |
				sed -n 's/\( "-o" "image.o"\)\{0,1\} "-x" "c" "image.c"$//p')
			eval "${call:-false} -x c $files"
			;;
		# shellcheck disable=SC2086
		*) "$compiler" "$@" $CFLAGS -I"$ROOT/include" $goal $files ;;
		esac >/dev/null 2>&1
	}
	# alone FLAG...: compiles each of $files by itself, and adds those that do not compile to $bad. The messages go
	# to the log.
	alone() {
		for file in $files; do
			# shellcheck disable=SC2086
			"$compiler" "$@" $CFLAGS -I"$ROOT/include" $goal "$file" >>../log 2>&1 || bad="$bad $file"
		done
	}
	said=$*
	bad=
	compiler=$1
	shift
	goal=-c
	case ${BAREPROF_WIDE-}$compiler$what$* in
	*gccarmv6-m*-Os*) ;;
	clang* | *gcc*) goal=-fsyntax-only ;;
	esac
	files=$(echo *.c)
	together "$@" || alone "$@"
	files=$(grep -l -e BAREPROF_SERVES_VALUES -e values_serialize.h -e sample_hook.h -e bareprof/sample.h *.c | tr '\n' ' ')
	bare=$bad
	bad=
	set -- "$@" -DBAREPROF_VALUES -DBAREPROF_SAMPLES -DBAREPROF_SAMPLE_STACKS
	together "$@" || alone "$@"
	bad=$bare${bad:+ and with values and samples:$bad}
	# The runtime uses no function of a libc.
	for object in *.o; do
		[ ! -e "$object" ] || ! nm -u "$object" | grep -E ' mem(cpy|move|set|cmp)$' >>../log || bad="$bad $object"
	done
	if [ -z "$bad" ]; then
		ok "compiles: $what: $said"
	else
		not_ok "compiles: $what: $said:$bad"
		sed 's/^/    /' ../log
	fi
	exit 0
fi

clangs=$(ls /usr/bin | grep "^clang-[0-9]*$" | sort -V)
levels="-Oz -O2"
gcc_levels="-Os -O2"
if [ -z "${BAREPROF_WIDE-}" ]; then
	levels=-Oz
	gcc_levels=-O2
fi

# compilers_of NUMBER GCC: prints the clangs that compile for the target with this number, and GCC if it does too.
compilers_of() {
	if [ -n "${BAREPROF_WIDE-}" ]; then
		echo "$clangs" "$2"
	else
		echo "$clangs" | awk -v turn="$1" '{ clang[NR] = $0 }
			END { if (turn < NR - 1) print clang[1 + turn]; print clang[NR] }'
		case " $seen " in *" $2 "*) ;; *) echo "$2" ;; esac
	fi
}

# target WHAT GCC CLANG-FLAG FLAGS...: prints a line for each compiler and optimization level. GCC is the name of a
# gcc for the target.
targets=0
seen=
target() {
	what=$1
	gcc=$2
	clang_flags=$3
	shift 3
	for compiler in $(compilers_of $targets "$gcc"); do
		case $compiler in
		clang*) for level in $levels; do echo "$what $compiler $clang_flags $* $level"; done ;;
		*) for level in $gcc_levels; do echo "$what $compiler $* $level"; done ;;
		esac
	done
	seen="$seen $gcc"
	targets=$((targets + 1))
}

{
	target x86_64 gcc --target=x86_64-unknown-none-elf
	target x86_64-kernel gcc --target=x86_64-unknown-none-elf -fno-pic -mcmodel=kernel -mno-sse -mno-mmx -mno-red-zone
	target x86_64-fpic gcc --target=x86_64-unknown-none-elf -fpic -mno-red-zone
	target aarch64 aarch64-linux-gnu-gcc --target=aarch64-none-elf -mgeneral-regs-only
	target armv7-a-arm arm-none-eabi-gcc --target=armv7a-none-eabi -march=armv7-a -marm -mfloat-abi=soft
	target armv7-a-thumb arm-none-eabi-gcc --target=armv7a-none-eabi -march=armv7-a -mthumb -mfloat-abi=soft
	target armv7-m arm-none-eabi-gcc --target=thumbv7m-none-eabi -march=armv7-m -mthumb -mfloat-abi=soft
	target armv6-m arm-none-eabi-gcc --target=thumbv6m-none-eabi -march=armv6-m -mthumb -mfloat-abi=soft
	[ -n "${BAREPROF_WIDE-}" ] || echo "armv6-m arm-none-eabi-gcc -march=armv6-m -mthumb -mfloat-abi=soft -Os"
} >"$WORK/list"
# Each run gets its own scratch directory, because lib.sh clears the directory at the start.
xargs -P 2 -I "{}" sh -c "BAREPROF_TEST_WORK=$WORK/\$\$ sh tests/runtime/compile.sh one {}" <"$WORK/list"
