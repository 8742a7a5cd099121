#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# profgen.sh - compares the pseudo probes that bareprof reads with those of other readers, in images of each release of
# clang. Where llvm-profgen has a reader (x86_64 from release 14 on, AArch64 from 19 on), each line of a probe must be
# the same, at the same instruction. Images of all releases and targets are also compared with tests/probes/decode.py.
# Where llvm-profgen is wrong or prints nothing (docs/DIFFERENCES.md), the probes of an image are compared with those of
# its object files. With BAREPROF_WIDE=1, the images are also the demo kernel, newlib, the compression code of Linux, Lua
# and SQLite.
. "$(dirname "$0")/../lib.sh"

LLD=$(newest_clang)
export LLD
probes="-O2 -fpseudo-probe-for-profiling -ffreestanding -fno-pic -w -mllvm -pre-RA-sched=source"
wide=${BAREPROF_WIDE-}

# reads RELEASE TARGET: succeeds if llvm-profgen of this release reads images of the target.
reads() { case $2-$1 in x86_64-13) false ;; x86_64-*) ;; aarch64-19 | aarch64-2*) ;; *) false ;; esac }

triple() {
	case $1 in
	x86_64) echo --target=x86_64-linux-gnu ;;
	aarch64) echo --target=aarch64-linux-gnu ;;
	arm) echo --target=armv7a-none-eabi -marm ;;
	thumb) echo --target=armv7a-none-eabi -mthumb ;;
	armv6m) echo --target=armv6m-none-eabi ;;
	esac
}

# listed RELEASE ELF: compares the listings of bareprof and llvm-profgen.
listed() {
	"llvm-profgen-$1" --show-disassembly-only --show-pseudo-probe --binary="$2" --output=/dev/null >"$2.theirs" &&
		"$BAREPROF" probes show --disassemble "$2" >"$2.ours" &&
		python3 tests/probes/compare.py profgen "$2.ours" "$2.theirs"
	set -- $? "$2"
	rm -f "$2.ours" "$2.theirs"
	return "$1"
}
spec() { python3 tests/probes/compare.py spec "$BAREPROF" "$1"; }
objects() { python3 tests/probes/compare.py objects "$BAREPROF" "$@"; }

# compiled DIR RELEASE TARGET OPTION...: compiles the sample.
compiled() {
	to=$1
	by=$2
	# shellcheck disable=SC2046
	set -- $(triple "$3") "$@"
	while [ "$1" != "$to" ]; do
		set -- "$@" "$1"
		shift
	done
	shift 3
	mkdir -p "$to"
	for source in work.c shared.c; do
		# shellcheck disable=SC2086
		"clang-$by" $probes "$@" -c "tests/probes/sample/$source" -o "$to/${source%.*}.o" || return
	done
}

# linked DIR OPTION...: links the objects of the sample in DIR.
linked() {
	into=$1
	shift
	"ld.lld-$LLD" -e sample --unresolved-symbols=ignore-all -o "$into/image" "$into"/*.o "$@"
}

# image DIR RELEASE TARGET OPTION...: the sample is compiled, linked and compared with all readers.
image() {
	compiled "$@" && linked "$1" && spec "$1/image" || return
	! reads "$2" "$3" || listed "$2" "$1/image"
}

releases=$(clang_releases)
for release in $releases; do
	for target in x86_64 aarch64 arm thumb ${wide:+armv6m}; do
		# Without BAREPROF_WIDE=1, only the readers for which there are few releases see all targets.
		[ -n "$wide" ] || case $release-$target in *-x86_64 | 13-arm | 13-thumb | 19-aarch64 | 22-aarch64) ;; *) continue ;; esac
		check "sample, clang $release, $target: the same probes" image "$WORK/$release-$target" "$release" "$target" -g1
	done
done

# Each line: a name, and the options of the compiler.
variants() {
	cat <<END
without debug information|
sections of functions|-g1 -ffunction-sections
position-independent|-g1 -fPIE
END
	[ -z "$wide" ] || cat <<END
O1|-O1 -g
Os|-Os -g2 -ffunction-sections
no debug information, sections|-ffunction-sections
O3|-O3 -g1 -fno-inline
END
}
variants >"$WORK/variants"
while IFS='|' read -r name options; do
	for release in $releases; do
		[ -n "$wide" ] || case $name-$release in without*-15 | without*-22 | *sections*-15) ;; *) continue ;; esac
		# shellcheck disable=SC2086
		check "$name, clang $release: the same probes" image "$WORK/variant" "$release" x86_64 $options
	done
done <"$WORK/variants"

# The linker discards sections of functions.
discarded() {
	compiled "$WORK/gc" "$1" x86_64 -g1 -ffunction-sections && linked "$WORK/gc" --gc-sections -e work &&
		spec "$WORK/gc/image" && listed "$1" "$WORK/gc/image" &&
		ld.bfd -o "$WORK/gc/image" --gc-sections -e work "$WORK"/gc/*.o && spec "$WORK/gc/image" &&
		listed "$1" "$WORK/gc/image"
}
[ -z "$wide" ] || check "discarded functions, clang 15: the same probes" discarded 15
check "discarded functions, clang $LLD: the same probes" discarded "$LLD"

# Objects of two releases are linked together. llvm-profgen of the newer release reads the image.
mixed() {
	rm -rf "$WORK/mixed"
	compiled "$WORK/mixed" "$1" x86_64 $3 && rm "$WORK/mixed/work.o" &&
		compiled "$WORK/mixed/b" "$2" x86_64 $3 && cp "$WORK/mixed/b/work.o" "$WORK/mixed/$4.o" && linked "$WORK/mixed" &&
		spec "$WORK/mixed/image" && objects "$WORK/mixed/image" "$WORK/mixed"/*.o &&
		listed "$LLD" "$WORK/mixed/image"
}
check "clang 15 after clang 19: the same probes" mixed 15 19 -g1 a
check "clang 19 after clang 15: the same probes" mixed 15 19 -g1 z
check "clang 22 after clang 14, without debug information: the same probes" mixed 14 22 "" z

# Static functions of one name have one GUID. llvm-profgen from release 16 on counts all of them from one symbol.
twins() {
	compiled "$WORK/twins" "$1" x86_64 -g1 $2 && linked "$WORK/twins" &&
		compiled "$WORK/twins/b" "$1" x86_64 -g1 -fno-unique-internal-linkage-names $2 && linked "$WORK/twins/b" &&
		spec "$WORK/twins/b/image" &&
		python3 tests/probes/compare.py places "$BAREPROF" "$WORK/twins/b/image" "$WORK/twins/image"
}
[ -z "$wide" ] || check "functions of one name, clang 15: the same probes as with other names" twins 15
[ -z "$wide" ] ||
	check "functions of one name, clang 16: the same probes as with other names" twins 16 -ffunction-sections
check "functions of one name, clang $LLD: the same probes as with other names" twins "$LLD"

# The linker folds equal functions. The third static function of this name has records of its own.
folded() {
	mkdir -p "$WORK/folded"
	for i in 1 2 3; do
		echo "int out(int); __attribute__((noinline)) static int same(int a) { return a > 3 ? out(a) * a : a - ($i > 2 ? 9 : 7); }
int use$i(int a) { return same(a) + $i; }" >"$WORK/folded/$i.c"
		# shellcheck disable=SC2086
		"clang-$1" --target=x86_64-linux-gnu $probes -g1 -ffunction-sections -fno-unique-internal-linkage-names \
			-c "$WORK/folded/$i.c" -o "$WORK/folded/$i.o" || return
	done
	"ld.lld-$1" --icf=all -e use1 --unresolved-symbols=ignore-all -o "$WORK/folded/image" "$WORK"/folded/*.o &&
		nm "$WORK/folded/image" | awk '/ same$/ { all++; seen[$1] } END { for (i in seen) n++; exit !(all == 3 && n == 2) }' &&
		spec "$WORK/folded/image"
}
for release in 16 19 "$LLD"; do
	check "folded functions of one name, clang $release: the same probes" folded "$release"
done

# llvm-profgen reads no object files.
relocatable() {
	compiled "$WORK/relocatable" "$1" x86_64 $2 -g1 || return
	"$3" -r -o "$WORK/relocatable/all" "$WORK"/relocatable/*.o && objects "$WORK/relocatable/all" "$WORK"/relocatable/*.o
}
check "a module of clang 15: the probes of its objects" relocatable 15 "" ld.bfd
[ -z "$wide" ] || check "a module of clang $LLD: the probes of its objects" relocatable "$LLD" "" "ld.lld-$LLD"
check "a module with sections of functions: the probes of its objects" relocatable "$LLD" -ffunction-sections ld.bfd

# LLVM splits functions after it inserted the probes. The parts have no descriptors, so llvm-profgen crashes.
split() {
	compiled "$WORK/split" "$1" x86_64 -g1 -mllvm -hot-cold-split && linked "$WORK/split" && spec "$WORK/split/image" &&
		readelf -sW "$WORK/split/image" | grep -q 'FUNC.*\.cold\.'
}
[ -z "$wide" ] || check "split functions, clang 16: the same probes" split 16
check "split functions, clang $LLD: the same probes" split "$LLD"

# C++ with functions that both objects define, and optimization at link time.
cxx() {
	rm -rf "$WORK/cxx"
	mkdir "$WORK/cxx"
	for source in shapes shapes2; do
		# shellcheck disable=SC2086
		"clang++-$1" -O2 -g1 -fpseudo-probe-for-profiling -w -fno-rtti $2 -c tests/probes/sample/$source.cc \
			-o "$WORK/cxx/$source.o" || return
	done
	# shellcheck disable=SC2086
	"clang++-$1" --ld-path="ld.lld-$1" $2 -o "$WORK/cxx/image" "$WORK"/cxx/*.o && spec "$WORK/cxx/image" &&
		{ ! reads "$1" x86_64 || listed "$1" "$WORK/cxx/image"; }
}
for release in $releases; do
	[ -n "$wide" ] || case $release in 14 | "$LLD") ;; *) continue ;; esac
	check "C++, clang $release: the same probes" cxx "$release" -fno-lto
	[ -n "$wide" ] || continue
	check "C++ with ThinLTO, clang $release: the same probes" cxx "$release" -flto=thin
	check "C++ with LTO, clang $release: the same probes" cxx "$release" -flto
done

[ -n "$wide" ] || exit 0
. tests/probes/wide.sh
