#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# identity.sh - on a host, where both can be linked: what bareprof writes is,
# byte for byte, what compiler-rt's buffer API writes, for every clang at hand.
. "$(dirname "$0")/lib.sh"

RUNTIME="walk image reset dump write buildid"
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime.mk print-cflags)
LLVMS=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n)
export LLVM_PROFILE_FILE=/dev/null

# runtime COMPILER DIR: the objects to link beside compiler-rt
runtime() {
	mkdir -p "$2"
	for f in $RUNTIME; do
		# shellcheck disable=SC2086
		"$1" $CFLAGS -O2 -fPIC -c "runtime/$f.c" -o "$2/$f.o" || return
	done
	# shellcheck disable=SC2086
	"$1" $CFLAGS -O2 -fPIC -c arch/x86_64/copy.c -o "$2/copy.o"
}

# variant LLVM WHAT SOURCE FLAGS...: link with and without a build id, with the
# runtime of both compilers; run; let that LLVM's llvm-profdata read the file.
variant() {
	llvm=$1
	what="$2, ${3##*.}, $4"
	dir=$WORK/$llvm
	object=$dir/subject.o
	source=$3
	shift 3
	if ! "clang-$llvm" "$@" -c "$source" -o "$object" 2>"$dir/log"; then
		not_ok "clang $llvm, $what: does not compile"
		sed 's/^/    /' "$dir/log"
		return
	fi
	bad=
	for compiler in clang gcc; do
		for id in id none; do
			link=-Wl,--build-id=none
			expect=none
			if [ $id = id ]; then
				link=-Wl,--build-id=sha1
				expect=id
			fi
			if ! "clang-$llvm" -fuse-ld=lld -fprofile-instr-generate $link "$object" "$dir/identity.o" \
				"$dir/$compiler"/*.o -o "$dir/identity" >"$dir/log" 2>&1 ||
				! "$dir/identity" $expect "$dir/profraw" >"$dir/log" 2>&1 ||
				! "llvm-profdata-$llvm" show "$dir/profraw" >>"$dir/log" 2>&1; then
				bad=1
				not_ok "clang $llvm, $what, runtime by $compiler, build id: $id"
				sed 's/^/    /' "$dir/log"
			fi
			[ $id = id ] && said=$(head -1 "$dir/log")
		done
	done
	[ -n "$bad" ] || ok "clang $llvm, $what: $said"
}

for llvm in $LLVMS; do
	if ! command -v "llvm-profdata-$llvm" >/dev/null ||
		! [ -f "$("clang-$llvm" --target=x86_64-linux-gnu -print-resource-dir)"/lib/linux/libclang_rt.profile-x86_64.a ]; then
		skip "clang $llvm: no compiler-rt or llvm-profdata beside it"
		continue
	fi
	mkdir -p "$WORK/$llvm"
	if ! runtime "clang-$llvm" "$WORK/$llvm/clang" || ! runtime gcc "$WORK/$llvm/gcc" ||
		! "clang-$llvm" -std=gnu99 -Wall -Wextra -Werror -O1 -fPIC -Iinclude -c tests/unit/identity.c \
			-o "$WORK/$llvm/identity.o"; then
		not_ok "clang $llvm: the runtime does not compile"
		continue
	fi
	for source in tests/unit/subject.c tests/unit/subject.cc; do
		lang=
		[ "${source##*.}" = cc ] && lang="-std=c++14 -fno-exceptions -fno-rtti"
		for level in -O0 -O2; do
			# shellcheck disable=SC2086
			{
				variant "$llvm" coverage $source $level $lang -fprofile-instr-generate -fcoverage-mapping
				variant "$llvm" "IR PGO" $source $level $lang -fprofile-generate -mllvm -disable-vp=true
				[ "$llvm" -ge 19 ] || continue
				variant "$llvm" MC/DC $source $level $lang -fprofile-instr-generate -fcoverage-mapping \
					-fcoverage-mcdc
				[ -n "$lang" ] || continue
				variant "$llvm" "IR PGO with vtables" $source $level $lang -fprofile-generate \
					-mllvm -disable-vp=true -mllvm -enable-vtable-value-profiling
			}
		done
	done
done
