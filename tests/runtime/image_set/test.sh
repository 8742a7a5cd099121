#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# image_set - loads and unloads modules on a host, and writes one file with all their profiles. From this file, every
# LLVM must read the same counts as from separate files of the modules. The counts must also equal those that
# compiler-rt writes for one program that does the work of all modules. The host must separate the captures of several
# images in one log.
. "$(dirname "$0")/../../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
LLVMS=$(some_clang_releases)

objects=
for f in image_walk image reset profraw read profraw_write image_build_id image_set image_set_dump capture_blocks capture capture_counters counter_codec crc32c encode_text strerror copy; do
	# shellcheck disable=SC2086
	gcc $CFLAGS -O2 -fPIC -c "runtime/$f.c" -o "$WORK/$f.o" || not_ok "$f.c does not compile"
	objects="$objects $WORK/$f.o"
done
# shellcheck disable=SC2086
check "a program that loads modules" gcc -Wall -Wextra -Werror -Iinclude -O1 tests/runtime/image_set/loader.c $objects -ldl -o "$WORK/loader"

# module CLANG NAME FLAGS...: makes $dir/NAME.so, which does not contain compiler-rt.
module() {
	clang=clang-$1
	name=$2
	shift 2
	"$clang" -DNAME="$name" -O1 -fPIC "$@" -c tests/runtime/image_set/work.c -o "$dir/$name.work.o" &&
		"$clang" -DNAME="$name" -Iinclude -Wall -Wextra -Werror -O1 -fPIC -c tests/runtime/image_set/module.c -o "$dir/$name.o" &&
		# shellcheck disable=SC2086
		"$clang" $CFLAGS -O1 -fPIC -c runtime/symbols.c -o "$dir/symbols.o" &&
		"$clang" -shared -fuse-ld=lld -nostdlib -Wl,--build-id=sha1,-z,nostart-stop-gc "$dir/$name.work.o" "$dir/$name.o" \
			"$dir/symbols.o" -o "$dir/$name.so"
}

# theirs FLAGS...: builds one program that does the work of the modules, and runs it. compiler-rt writes its profile.
theirs() {
	for name in a b; do
		"clang-$llvm" -DNAME=$name -O1 -fPIC "$@" -c tests/runtime/image_set/work.c -o "$dir/$name.work.o" || return
	done
	"clang-$llvm" -Wno-all -O1 -c tests/runtime/image_set/whole.c -o "$dir/whole.o" &&
		"clang-$llvm" -fprofile-instr-generate "$dir/whole.o" "$dir/a.work.o" -Wl,-z,muldefs "$dir/b.work.o" -o "$dir/whole" &&
		LLVM_PROFILE_FILE=$dir/whole.raw "$dir/whole" && text "$dir/whole.text" "$dir/whole.raw"
}

text() {
	out=$1
	shift
	"llvm-profdata-$llvm" merge -text "$@" -o "$out"
}

# as_apart N: LLVM and bareprof must read the same counts from the set's file as from the single files.
as_apart() {
	text "$dir/all" "$dir/all.$1" && text "$dir/apart" "$dir/single.$1".* && cmp "$dir/all" "$dir/apart" &&
		grep -q common "$dir/all" && grep -q work_b "$dir/all" && "$BAREPROF" merge --text -o "$dir/ours" "$dir/all.$1" &&
		"$BAREPROF" merge --text -o "$dir/ours.apart" "$dir/single.$1".* && cmp "$dir/ours" "$dir/ours.apart"
}

as_compiler_rt() { text "$dir/all" "$dir/all.3" && cmp "$dir/all" "$dir/whole.text"; }

# pulled: bareprof must pull a profile of each module from one log.
pulled() {
	"$BAREPROF" pull --all "$dir/pulled" --elf "$dir/a.so" --elf "$dir/b.so" "$dir/log" && set -- "$dir"/pulled/*.profraw &&
		[ $# -eq 2 ] && for name in a b; do
		cmp -s "$dir/single.1.$name" "$1" || cmp "$dir/single.1.$name" "$2" || return
	done
}

for llvm in $LLVMS; do
	if ! command -v "llvm-profdata-$llvm" "ld.lld-$llvm" >/dev/null; then
		skip "clang $llvm: no llvm-profdata or lld beside it"
		continue
	fi
	other=22
	[ "$llvm" -lt 19 ] || other=16
	for kind in coverage irpgo; do
		this="clang $llvm, $kind"
		dir=$WORK/$llvm-$kind
		mkdir -p "$dir"
		case $kind in
		coverage) flags="-fprofile-instr-generate -fcoverage-mapping" ;;
		*) flags="-fprofile-generate -mllvm -disable-vp=true" ;;
		esac
		# shellcheck disable=SC2086
		check "$this: modules" eval "module $llvm a $flags && module $llvm b $flags && module $other other $flags"
		"$WORK/loader" "$dir" "$dir/a.so" "$dir/b.so" "$dir/other.so" >"$dir/said"
		[ $? -le 1 ] || not_ok "$this: the program ended in a crash"
		sed "s/^\(not ok\|ok\) - /&$this: /" "$dir/said" | sort | uniq -c | sed 's/^ *[0-9]* //'
		for n in 1 2 3 4; do
			check "$this: a file of all reads as one of each, step $n" as_apart $n
		done
		# shellcheck disable=SC2086
		check "$this: compiler-rt counts the same work" theirs $flags
		check "$this: and the same" as_compiler_rt
		check "$this: of captures in one log comes a profile of each" pulled
	done
done
