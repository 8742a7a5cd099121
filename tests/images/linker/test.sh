# SPDX-License-Identifier: BSD-2-Clause
# linker - tests our linker script fragments with every clang and its lld, and with GNU ld. All bounds must be defined
# and right, and --gc-sections must not lose anything. Sections that should stay in the file must not be loaded. If a
# fragment lacks KEEP, the checks must notice it.
# shellcheck shell=sh disable=SC2086
. "$(dirname "$0")/../../lib.sh"

make -s linker || { not_ok "make linker"; exit 0; }
sources=tests/images/linker

# judge NOLOAD ID ELF: checks an image with check.awk.
judge() { readelf -WSsl "$3" | awk -v noload="$1" -v id="$2" -f $sources/check.awk; }

# objects DIR OPTIONS INSTRUMENT: compiles the image and the runtime with $clang. Up to clang 16, objects for bare
# metal have constructors that refer to all records. This has two effects. First, two objects with the same COMDAT group
# cannot be linked, so fourth.cc is left out. Second, lld keeps constructors, so it keeps all records even without KEEP.
# Therefore $constructors is set to yes, and the fragment without KEEP is not tested.
objects() {
	rm -rf "$1"
	mkdir -p "$1"
	options="$2 -O1 -ffreestanding -fno-exceptions -fno-rtti -fno-unwind-tables -fno-asynchronous-unwind-tables
		-fno-stack-protector -ffunction-sections -fdata-sections -fno-threadsafe-statics"
	files="first.c second.c third.cc fourth.cc"
	constructors=no
	case $version,$2 in
	1[3-6],*-none-*)
		constructors=yes
		files="first.c second.c third.cc"
		;;
	esac
	for source in $files; do
		$clang $options $3 -c "$sources/$source" -o "$1/$source.o" || return 1
		$clang $options -c "$sources/$source" -o "$1/$source.plain" || return 1
	done
	# The image uses these files of the runtime. A linker takes no others from the archive.
	for source in symbols image_self image_walk image; do
		$clang $options -std=gnu99 -nostdinc -Iinclude -c runtime/$source.c -o "$1/$source.rt" || return 1
	done
	llvm-ar-$version rcs "$1/runtime.a" "$1"/*.rt
}

# link ELF SUFFIX OPTIONS...: links the objects in $in that end in SUFFIX, with $linker and $scripts. Only the hooks
# of value profiling are defined by options, because no file in this folder defines them.
link() {
	elf=$1
	suffix=$2
	shift 2
	$linker $scripts "$@" --defsym __llvm_profile_instrument_target=entry \
		--defsym __llvm_profile_instrument_memop=entry \
		"$in"/*."$suffix" "$in/runtime.a" -o "$elf" >"$elf.log" 2>&1 && return
	cat "$elf.log"
	return 1
}

# whole NOLOAD OUT: links with and without --gc-sections must be right, and may differ only in the code that was
# dropped. Images without a build id and images without instrumented code must be right as well.
whole() {
	out=$2
	link "$out.all" o --build-id=sha1 --no-gc-sections && judge $1 1 "$out.all" >"$out.all.txt" &&
		link "$out" o --build-id=sha1 --gc-sections && judge $1 1 "$out" >"$out.txt" &&
		grep -q "first_dropped" "$out.all.txt" && ! grep -q "first_dropped" "$out.txt" &&
		grep -v first_dropped "$out.all.txt" | diff - "$out.txt" &&
		grep -q "size __llvm_prf_cnts [1-9]" "$out.txt" && grep -q "size __llvm_prf_data [1-9]" "$out.txt" &&
		link "$out.none" o --build-id=none --gc-sections && judge $1 0 "$out.none" &&
		link "$out.plain" plain --build-id=sha1 --gc-sections && judge $1 1 "$out.plain" && return
	cat "$out.all.txt" "$out.txt"
	return 1
}

# broken NOLOAD OUT: succeeds if the checks notice that a link without KEEP lacks sections.
broken() {
	out=$2
	link "$out.broken" o --build-id=sha1 --gc-sections || return 1
	judge $1 1 "$out.broken" >"$out.broken.txt" || return 0
	! diff "$out.txt" "$out.broken.txt"
}

# case_of WHAT NOLOAD SCRIPT BEFORE AFTER: tests the objects in $in with $linker. The fragment SCRIPT comes between
# the options BEFORE and AFTER.
case_of() {
	scripts="$4 -T build/linker/$3.ld $5"
	check "$1, $linker" whole $2 "$WORK/image"
	[ "$constructors,$linker" = "yes,ld.lld-$version" ] && return
	sed 's/KEEP(\(\*([^)]*)\))/\1/g' build/linker/$3.ld >"$WORK/broken.ld"
	scripts="$4 -T $WORK/broken.ld $5"
	check "$1, $linker: a fragment without KEEP is noticed" broken $2 "$WORK/image"
}

# rom: links $in with the script of a vendor and checks the image. Such scripts keep unwind tables, which need a symbol,
# so --defsym defines it. Some scripts have a heap, and define its start _end only if something uses _end. So -u uses
# it.
rom() {
	link "$WORK/image" o --build-id=sha1 --gc-sections -u _end --defsym __aeabi_unwind_cpp_pr0=entry || return 1
	judge 1 1 "$WORK/image" >"$WORK/image.txt" || { cat "$WORK/image.txt" && false; }
}
no_place() { ! rom >"$WORK/image.txt" && grep -q 'overlaps' "$WORK/image.txt"; }

# of_vendors: links $in with the scripts of vendors. Some of these scripts have a section that only moves the dot. lld
# treats this section as a section with contents. Therefore sed changes the section for lld, as docs/PORTING-RTOS.md
# advises.
of_vendors() {
	fragment=build/linker/bareprof-rom.ld
	for vendor in cube cmsis opencm3 mcuxpresso; do
		sed 's/^\(	\._user_heap_stack\) :/\1 (NOLOAD) :/' $sources/vendor/$vendor.ld >"$WORK/vendor.ld"
		case $linker in *-ld) cp $sources/vendor/$vendor.ld "$WORK/vendor.ld" ;; esac
		scripts="-T $sources/memory.ld -T $fragment -T $WORK/vendor.ld"
		check "script of $vendor, $clang, $linker" rom
	done
	sed 's/^	\.text/	code/' $sources/rom.ld >"$WORK/vendor.ld"
	sed 's/INSERT AFTER \.text/INSERT AFTER code/' $fragment >"$WORK/renamed.ld"
	scripts="-T $sources/memory.ld -T $WORK/renamed.ld -T $WORK/vendor.ld"
	check "script without .text, $clang, $linker" rom
	scripts="-T $sources/memory.ld -T $fragment -T $sources/vendor/tiva.ld"
	check "script of tiva, $clang, $linker: the records have no place" no_place
	scripts="-T $sources/vendor/apart.ld -T $fragment -T $sources/vendor/tiva.ld"
	check "script of tiva with memories of its own, $clang, $linker" rom
}

x86="-mno-red-zone -mgeneral-regs-only"
coverage="-fprofile-instr-generate -fcoverage-mapping"
# Without BAREPROF_WIDE=1, only the oldest and the newest release are tested.
for version in $(some_clang_releases | if [ -n "${BAREPROF_WIDE-}" ]; then cat; else sed -n '1p;$p'; fi); do
	clang=clang-$version
	if ! command -v $clang ld.lld-$version llvm-ar-$version >/dev/null; then
		skip "linker fragments with LLVM $version: not installed"
		continue
	fi
	in=$WORK/in
	more=
	vtables=
	if [ $version -ge 19 ]; then
		more=-fcoverage-mcdc
		vtables="-mllvm -enable-vtable-value-profiling"
	fi
	if objects "$in" "$x86 --target=x86_64-unknown-none-elf -mcmodel=kernel" "$coverage $more"; then
		for linker in ld.lld-$version ld; do
			case_of "kernel of $clang" 0 bareprof "" "--defsym BASE=0xffffffff80000000 -T $sources/kernel.ld"
		done
	else
		not_ok "kernel of $clang does not compile"
	fi
	if objects "$in" "$x86 --target=x86_64-linux-gnu -fpic -fvisibility=hidden" "-fprofile-generate $vtables"; then
		for linker in ld.lld-$version ld; do
			case_of "hypervisor of $clang" 0 bareprof "" "--defsym BASE=0xffff82d040000000 -T $sources/kernel.ld"
		done
	else
		not_ok "hypervisor of $clang does not compile"
	fi
	if objects "$in" "--target=thumbv7m-none-eabi" "$coverage $more"; then
		for linker in ld.lld-$version arm-none-eabi-ld; do
			if ! command -v $linker >/dev/null; then
				skip "firmware of $clang: no $linker"
				continue
			fi
			case_of "firmware of $clang" 1 bareprof-rom "-T $sources/memory.ld" "-T $sources/rom.ld"
			of_vendors
		done
	else
		not_ok "firmware of $clang does not compile"
	fi
done
