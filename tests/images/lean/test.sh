#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lean - tests lean images. The program headers of the lean demo kernel must not load records, names or mapping, on
# any board. Its ELF file must contain everything that the ELF file of the full kernel contains. Objects of all kinds
# must link, also at addresses far from 0. Code with value profiling must not link to a lean image. Code of compilers
# before clang 18 is an exception: it links, and `bareprof check` must refuse the image. Instrumented code must not
# link with bareprof-none.ld. The script prints the numbers of bytes that three kernels load: a kernel without
# instrumentation, the full kernel, and the lean kernel.
# shellcheck disable=SC2086
. "$(dirname "$0")/../../lib.sh"

sources=tests/images/linker

# judge LEAN [FULL]: only the counters of LEAN may be loaded. The records of LEAN must be the same as the records of
# FULL.
judge() { python3 tests/images/lean/judge.py $version "$@"; }

# --- Demo kernels. ---

versions="13 22"
[ -z "${BAREPROF_WIDE-}" ] || versions="13 14 15 16 19 22"

# image BOARD VERSION LINKER NAME KIND [VARIABLE=VALUE...]: builds a kernel as NAME.elf.
image() {
	out=$WORK/$1-$2-$5
	make -s -j2 image BOARD=$1 LLVM=$2 LINKER=$3 KIND=$5 DROPIN="$DROP_IN" ${6-} ${7-} OUT="$out" && cp "$out/kernel.elf" "$WORK/$4.elf"
}

# lean_kernel BOARD VERSION LINKER: builds three kernels: not instrumented, full and lean. It checks the lean kernel,
# and adds the loaded sizes of all three kernels to $WORK/growth.
lean_kernel() {
	image $1 $2 $3 none none && image $1 $2 $3 full coverage && image $1 $2 $3 lean coverage LEAN=1 &&
		judge "$WORK/lean.elf" "$WORK/full.elf" && "$BAREPROF" check "$WORK/lean.elf" &&
		python3 tests/images/lean/growth.py "clang $2, $3" $1 "$WORK/none.elf" "$WORK/full.elf" "$WORK/lean.elf" \
			>>"$WORK/growth"
}

turn=0
for version in $versions; do
	if ! command -v clang-$version ld.lld-$version >/dev/null; then
		skip "lean kernels of clang-$version: it is not installed with its lld"
		continue
	fi
	for board in qemu/*/board.mk; do
		board=$(basename "$(dirname "$board")")
		# Without BAREPROF_WIDE=1, each instruction set is tested with the newest release or with the oldest one.
		case ${BAREPROF_WIDE:+wide}$version-$board in
		13-x86_64 | 22-aarch64 | 22-armv7a | 22-lm3s6965evb | wide*) ;;
		*) continue ;;
		esac
		linkers="lld gnu"
		if [ -z "${BAREPROF_WIDE-}" ]; then
			turn=$((turn + 1))
			linkers=$(echo "$linkers" | cut -d' ' -f$((turn % 2 + 1)))
		fi
		for linker in $linkers; do
			check "lean kernel of $board, clang-$version, $linker" lean_kernel $board $version $linker
		done
	done
done
# boots BOARD VERSION VARIABLE=VALUE: a lean kernel must boot and send its counters. The dump must have a size that
# `bareprof check` forecasts.
boots() {
	image $1 $2 lld boot coverage LEAN=1 $3 || return
	[ -z "$3" ] || "$BAREPROF" stamp "$WORK/boot.elf" || return
	"$BAREPROF" check --json "$WORK/boot.elf" >"$WORK/json" || return
	timeout 60 "$BAREPROF" run --board $1 --send 'cov counters\nexit\n' --log "$WORK/boot.log" -o "$WORK/boot.profraw" \
		"$WORK/boot.elf"
	python3 tests/images/lean/sent.py "$WORK/boot.elf" "$WORK/boot.log" "$WORK/json"
}
for board in qemu/*/board.mk; do
	board=$(basename "$(dirname "$board")")
	[ -n "${BAREPROF_WIDE-}" ] || case $board in armv7a | microbit | lm3s6965evb) continue ;; esac
	# Without BAREPROF_WIDE=1, the kernel of mps2-an385 has a stamp, and the others have a build id of the linker.
	[ -z "${BAREPROF_WIDE-}" ] && [ $board = mps2-an385 ] ||
		check "lean kernel of $board runs, clang-$version" boots $board $version ""
	[ -z "${BAREPROF_WIDE-}" ] && [ $board != mps2-an385 ] ||
		check "lean kernel of $board runs with a stamp as its build id" boots $board $version STAMP=1
done

# reported BOARD NAME: runs the self tests of the kernel NAME, and reports their coverage as a table, as LCOV and as
# JSON.
reported() {
	timeout 60 "$BAREPROF" run --board $1 --send 'test\ncov dump\nexit\n' --log "$WORK/$2.log" -o "$WORK/$2.profraw" \
		"$WORK/$2.elf" && "$BAREPROF" report "$WORK/$2.elf" "$WORK/$2.profraw" >"$WORK/$2.table" &&
		"$BAREPROF" report --lcov "$WORK/$2.lcov" --json "$WORK/$2.json" "$WORK/$2.elf" "$WORK/$2.profraw" &&
		grep -q '^DA:[0-9]*,[1-9]' "$WORK/$2.lcov"
}
# same_report BOARD VERSION: the full and the lean kernel must have the same reports. The flat lean image must be
# smaller than the full one by the size of the records and names.
same_report() {
	image $1 $2 lld full coverage && image $1 $2 lld lean coverage LEAN=1 && reported $1 full && reported $1 lean &&
		cmp "$WORK/full.table" "$WORK/lean.table" && cmp "$WORK/full.lcov" "$WORK/lean.lcov" &&
		cmp "$WORK/full.json" "$WORK/lean.json" && llvm-objcopy-$2 -O binary "$WORK/full.elf" "$WORK/full.bin" &&
		llvm-objcopy-$2 -O binary "$WORK/lean.elf" "$WORK/lean.bin" &&
		python3 tests/images/lean/shrunk.py "$WORK/full.elf" "$WORK/full.bin" "$WORK/lean.bin"
}
boards=mps2-an385
[ -z "${BAREPROF_WIDE-}" ] || boards="aarch64 armv7a lm3s6965evb microbit x86_64 $boards"
for board in $boards; do
	check "full and lean kernel of $board have the same report" same_report $board $version
done

[ ! -f "$WORK/growth" ] || { echo "bytes loaded: not instrumented, full, lean"; cat "$WORK/growth"; }

# --- Objects of all kinds. ---

# objects DIR TARGET OPTIONS...: compiles an image and the runtime with $clang. Files that are not instrumented are
# compiled once for all kinds of a target.
objects() {
	in=$1
	rm -rf "$in"
	mkdir -p "$in"
	options="--target=$2 -O1 -ffreestanding -fno-exceptions -fno-rtti -fno-unwind-tables
		-fno-asynchronous-unwind-tables -fno-stack-protector -ffunction-sections -fdata-sections"
	case $2 in x86*) options="$options -mno-red-zone -mgeneral-regs-only" ;; esac
	shift 2
	for source in first.c second.c; do
		$clang $options "$@" -c $sources/$source -o "$in/$source.o" || return
	done
	# The runtime is not instrumented, but it is compiled with those options of the image that concern addresses.
	for option; do
		case $option in -f[pP]* | -fvisibility=* | -mcmodel=*) case $option in -fprofile*) ;; *) options="$options $option" ;; esac ;; esac
	done
	printf 'int third(int);\nint (*way)(int);\nint third(int n) { return n > 1 ? way(n) : n; }\n' >"$in/third.c"
	if [ "$(cat "$WORK/plain/options" 2>/dev/null)" != "$clang $options" ]; then
		rm -rf "$WORK/plain"
		mkdir "$WORK/plain"
		for source in symbols image_self image_walk image; do
			$clang $options -std=gnu99 -nostdinc -Iinclude -c runtime/$source.c -o "$WORK/plain/$source.o" || return
		done
		$clang $options -fno-builtin -c "$in/third.c" -o "$WORK/plain/third.o" || return
		echo "$clang $options" >"$WORK/plain/options"
	fi
	cp "$WORK/plain"/*.o "$in"
}

# link ELF FRAGMENT OPTIONS...: links the objects in $in with our linker script FRAGMENT.
link() {
	elf=$1
	fragment=$2
	shift 2
	rm -f "$elf"
	$linker "$@" -T build/linker/$fragment.ld -T "$script" --defsym BASE=$base --defsym __aeabi_unwind_cpp_pr0=entry \
		--defsym __llvm_profile_instrument_target=entry --defsym __llvm_profile_instrument_memop=entry \
		"$in"/*.o -o "$elf"
}
# The linker script of a kernel that runs constructors has a section for them.
sed -e 's/\*(.init_array\*)//' -e 's/^	\.rodata/	.init_array : { KEEP(*(SORT_BY_NAME(.init_array.*) .init_array)) }\n&/' \
	$sources/kernel.ld >"$WORK/kernel.ld"
script=$WORK/kernel.ld

# forecast ELF: the sizes of dumps that `bareprof check` forecasts for ELF must be right.
forecast() { "$BAREPROF" check --json "$1" >"$WORK/json" && python3 tests/images/lean/forecast.py "$1" "$WORK/json"; }

# lean_and_full OPTIONS...: links a lean and a full image. The lean image must not contain the constructors that clang
# adds for the profile.
lean_and_full() {
	link "$WORK/full" bareprof --build-id=sha1 "$@" && link "$WORK/lean" bareprof-lean --build-id=sha1 "$@" &&
		judge "$WORK/lean" "$WORK/full" && forecast "$WORK/lean" && forecast "$WORK/full" &&
		! llvm-nm-$version "$WORK/lean" | grep __llvm_profile_init
}

# flat OBJCOPY: a flat image must contain the loaded bytes and no others.
flat() {
	linker=ld.lld-$version
	lean_and_full --gc-sections &&
		llvm-objcopy-$version -O binary "$WORK/lean" "$WORK/lean.bin" &&
		llvm-objcopy-$version -O binary "$WORK/full" "$WORK/full.bin" &&
		$1 -O binary "$WORK/lean" "$WORK/gnu.bin" && cmp "$WORK/lean.bin" "$WORK/gnu.bin" &&
		python3 tests/images/lean/judge.py flat "$WORK/lean" "$WORK/lean.bin" &&
		[ "$(wc -c <"$WORK/lean.bin")" -lt "$(wc -c <"$WORK/full.bin")" ]
}

coverage="-fprofile-instr-generate -fcoverage-mapping"
pgo="-fprofile-generate -mllvm -disable-vp=true"

# kinds TARGET BASE LINKER OPTIONS: tests every kind of instrumentation that $clang has, with the lld of $clang and
# with the GNU ld LINKER.
kinds() {
	target=$1
	base=$2
	gnu=$3
	place=$4
	set -- "$coverage" "$pgo"
	# Without BAREPROF_WIDE=1, only the target of a kernel is tested with the kinds that only new compilers have.
	[ $version -lt 19 ] || { [ -z "${BAREPROF_WIDE-}" ] && [ "$place" != -mcmodel=kernel ]; } || set -- "$@" "$coverage -fcoverage-mcdc" "$coverage -mllvm -enable-single-byte-coverage" \
		"$coverage -mllvm -profile-correlate=binary"
	for kind; do
		if ! objects "$WORK/in" $target $place $kind >"$WORK/objects.log" 2>&1; then
			not_ok "$target of $clang, $kind: does not compile"
			sed 's/^/    /' "$WORK/objects.log"
			continue
		fi
		# Without BAREPROF_WIDE=1, GNU ld links only the kind coverage. This is enough, because GNU ld links all
		# kinds in the same way.
		[ -n "${BAREPROF_WIDE-}" ] || [ "$kind" = "$coverage" ] || gnu=
		for linker in ld.lld-$version $gnu; do
			for how in --gc-sections --no-gc-sections "--gc-sections --emit-relocs"; do
				what="$target at $base, $linker $how, $clang $kind"
				# Without --gc-sections, the image has counters of unused functions, but these
				# functions have no records.
				case $how in --no*) [ "$kind" = "$coverage" ] || continue ;; esac
				case $kind$how in *correlate*relocs) continue ;; esac
				# Without BAREPROF_WIDE=1, kinds other than coverage, and targets other than that of a kernel,
				# are linked only with --gc-sections. This is enough, because a linker links all kinds in
				# the same way.
				[ -n "${BAREPROF_WIDE-}" ] || [ "$kind$place" = "$coverage-mcmodel=kernel" ] ||
					[ "$how" = --gc-sections ] || continue
				case $kind in
				*correlate*) check "$what" correlated $how ;;
				*) check "$what" lean_and_full $how ;;
				esac
			done
		done
	done
}
# correlated OPTIONS...: with binary correlation, the records must be in the ELF file and must not be loaded, whether
# the image is linked with bareprof-lean.ld or bareprof.ld.
correlated() {
	link "$WORK/lean" bareprof-lean --build-id=sha1 "$@" && judge "$WORK/lean" && "$BAREPROF" check "$WORK/lean" &&
		link "$WORK/full" bareprof --build-id=sha1 "$@" && judge "$WORK/full"
}

# fails_with TEXT COMMAND...: COMMAND must fail with TEXT in its messages.
fails_with() {
	text=$1
	shift
	! "$@" 2>"$WORK/said" && grep -q "$text" "$WORK/said" && return
	cat "$WORK/said"
	return 1
}
refused_by_check() { ! "$BAREPROF" check "$1" >"$WORK/said" && grep -q 'image is lean, but its records have [1-9].* value sites' "$WORK/said"; }
# none: links without instrumentation and without the runtime. --defsym defines the symbols that the objects need from
# the runtime.
none() {
	rm -f "$in/symbols.o" "$in/image_self.o" "$in/image_walk.o" "$in/image.o"
	link "$WORK/none" bareprof-none --gc-sections --defsym bareprof_image_self=entry --defsym __llvm_profile_runtime=entry \
		--defsym __llvm_profile_register_function=entry --defsym __llvm_profile_register_names_function=entry
}

# Tests all targets and memory models except one: $kernel has x86_64 with the memory model of a kernel.
other_targets() {
	# For x86_64-unknown-none-elf with -fpic, GNU ld can link neither a lean nor a full image
	# (docs/PORTING-PROBLEMS.md).
	kinds x86_64-unknown-none-elf 0xffff82d040000000 "" -fpic
	kinds x86_64-linux-gnu 0xffff82d040000000 ld "-fpic -fvisibility=hidden"
	kinds aarch64-none-elf 0xffffff8000000000 aarch64-linux-gnu-ld -fno-pic
	check "flat image of AArch64, $clang" objects "$WORK/in" aarch64-none-elf $coverage
	check "flat image of AArch64, $clang" flat aarch64-linux-gnu-objcopy
	kinds thumbv7m-none-eabi 0x8000 arm-none-eabi-ld -fno-pic
	[ -n "${BAREPROF_WIDE-}" ] || return 0 # Arm links like Cortex-M
	kinds thumbv6m-none-eabi 0x8000 arm-none-eabi-ld -fno-pic
	kinds armv7a-none-eabi 0x40000000 arm-none-eabi-ld -fno-pic
}

kernel="x86_64-unknown-none-elf 0xffffffff80000000 ld -mcmodel=kernel"
for version in $versions; do
	clang=clang-$version
	command -v clang-$version ld.lld-$version >/dev/null || continue
	kinds $kernel
	if [ -n "${BAREPROF_WIDE-}" ] || [ $version -ne 13 ]; then other_targets; fi

	base=0xffffffff80000000
	for linker in ld.lld-$version ld; do
		objects "$WORK/in" x86_64-unknown-none-elf -mcmodel=kernel -fprofile-generate
		$clang $options -fprofile-generate -c "$in/third.c" -o "$in/third.o"
		# For bare metal, releases before clang 18 emit no section for values. So the linker cannot see that
		# values are profiled; only the records show it.
		if [ $version -ge 19 ]; then
			check "$linker, $clang: value profiling is refused lean" fails_with 'compile with -mllvm -disable-vp=true' \
				link "$WORK/lean" bareprof-lean
		else
			check "$linker, $clang: value profiling links lean" link "$WORK/lean" bareprof-lean --build-id=sha1
			check "$linker, $clang: check refuses it" refused_by_check "$WORK/lean"
		fi
		check "$linker, $clang: value profiling links in full" link "$WORK/full" bareprof
		check "$linker, $clang: bareprof-none.ld refuses instrumented code" \
			fails_with 'compile without -fprofile-instr-generate' none
		objects "$WORK/in" x86_64-unknown-none-elf -mcmodel=kernel
		check "$linker, $clang: bareprof-none.ld links other code" none
	done
done
