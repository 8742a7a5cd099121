#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# identity.sh - links bareprof's runtime and compiler-rt into one program on a host, with every installed clang. The
# runtime and compiler-rt must write the same bytes. The program `bareprof` must make these bytes, too, from the
# counters and the ELF file, whether or not the loader moved the program. With BAREPROF_WIDE=1, every kind is tested in
# every combination, otherwise only at -O2, and only programs of the newest clang are also linked at a fixed address,
# without a build id, and with the runtime compiled by gcc.
. "$(dirname "$0")/../lib.sh"

RUNTIME="image_walk image reset profraw read profraw_write image_build_id capture_blocks capture capture_counters counter_codec capture_file crc32c snapshot"
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
LLVMS=$(some_clang_releases)
export LLVM_PROFILE_FILE=/dev/null
# In this test, the runtime yields by calling a function that counts the calls.
cat >"$WORK/yield.h" <<'C'
void count_yield(void);
#define BAREPROF_YIELD() count_yield()
C
CFLAGS="$CFLAGS -include $WORK/yield.h"
if [ -n "$BAREPROF_WIDE" ]; then
	links="clang,id,pie clang,none,pie gcc,id,pie gcc,none,pie clang,id,no-pie clang,none,no-pie gcc,id,no-pie gcc,none,no-pie"
else
	links="clang,id,pie"
fi

# runtime COMPILER DIR: compiles to DIR those objects of the runtime that are linked together with compiler-rt.
runtime() {
	mkdir -p "$2"
	for f in $RUNTIME; do
		# shellcheck disable=SC2086
		"$1" $CFLAGS -O2 -fPIC -c "runtime/$f.c" -o "$2/$f.o" || return
	done
	# shellcheck disable=SC2086
	"$1" $CFLAGS -O2 -fPIC -c arch/x86_64/copy.c -o "$2/copy.o"
}

# rebuilt DIR: from captures before and after a reset, bareprof must make the same two files as compiler-rt. The sum
# of these two captures must be the sum of the two files.
rebuilt() {
	for n in 1 2; do
		"$BAREPROF" pull --elf "$1/identity" "$1/profraw.$n.capture" -o "$1/pulled" && cmp "$1/pulled" "$1/profraw.$n" || return
	done
	"$BAREPROF" merge --elf "$1/identity" --text -o "$1/ours" "$1/profraw.1.capture" "$1/profraw.2.capture" 2>"$1/said" &&
		"$BAREPROF" merge --text -o "$1/theirs" "$1/profraw.1" "$1/profraw.2" && cmp "$1/ours" "$1/theirs" &&
		! grep -v 'it has no build id, so bareprof cannot check' "$1/said"
}

# variant LLVM WHAT SOURCE FLAGS...: tests one program. The program is linked with and without a build id, at a fixed
# and at a movable address, and with the runtime compiled by each of two compilers. Each of these programs runs and
# writes its profile. llvm-profdata-LLVM must read the profile, and bareprof must make the same profile from a capture.
variant() {
	llvm=$1
	what="$2, ${3##*.}, $4"
	dir=$WORK/$llvm
	object=$dir/subject.o
	source=$3
	shift 3
	if ! "clang-$llvm" -fPIE "$@" -c "$source" -o "$object" 2>"$dir/log"; then
		not_ok "clang $llvm, $what: does not compile"
		sed 's/^/    /' "$dir/log"
		return
	fi
	bad=
	for one in $links; do
		compiler=${one%%,*}
		pie=${one##*,}
		id=${one#*,}
		id=${id%,*}
		style=none
		[ "$id" = none ] || style=sha1
		if ! "clang-$llvm" -fuse-ld=lld -fprofile-instr-generate "-$pie" "-Wl,--build-id=$style" "$object" \
			"$dir/identity.o" "$dir/$compiler"/*.o -o "$dir/identity" >"$dir/log" 2>&1 ||
			! "$dir/identity" "$id" "$dir/profraw" >"$dir/log" 2>&1 ||
			! "llvm-profdata-$llvm" show "$dir/profraw" >>"$dir/log" 2>&1 ||
			! rebuilt "$dir" >>"$dir/log" 2>&1; then
			bad=1
			not_ok "clang $llvm, $what, runtime by $compiler, build id: $id, $pie"
			sed 's/^/    /' "$dir/log"
		fi
		[ "$id" = none ] || said=$(head -1 "$dir/log")
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
	[ "$llvm" != "$(newest_clang)" ] || [ -n "$BAREPROF_WIDE" ] || links="$links gcc,none,no-pie"
	if ! runtime "clang-$llvm" "$WORK/$llvm/clang" || { case $links in *gcc*) ! runtime gcc "$WORK/$llvm/gcc" ;; *) false ;; esac } ||
		! "clang-$llvm" -std=gnu99 -Wall -Wextra -Werror -O1 -fPIC -Iinclude -c tests/runtime/unit/identity.c \
			-o "$WORK/$llvm/identity.o"; then
		not_ok "clang $llvm: the runtime does not compile"
		continue
	fi
	for source in tests/runtime/unit/subject.c tests/runtime/unit/subject.cc; do
		lang=
		[ "${source##*.}" = cc ] && lang="-std=c++14 -fno-exceptions -fno-rtti"
		for level in ${BAREPROF_WIDE:+-O0} -O2; do
			# shellcheck disable=SC2086
			{
				variant "$llvm" coverage $source $level $lang -fprofile-instr-generate -fcoverage-mapping
				variant "$llvm" "IR PGO" $source $level $lang -fprofile-generate -mllvm -disable-vp=true
				"llvm-profdata-$llvm" merge -o "$WORK/$llvm/base.profdata" "$WORK/$llvm/profraw"
				# All other kinds of instrumentation are tested only at -O2. For these kinds, the
				# compiler instruments code in the same way at -O0 and at -O2, so a test at -O0 would
				# show nothing new.
				if [ $level = -O2 ]; then
					variant "$llvm" "entries first" $source $level $lang -fprofile-generate -mllvm -disable-vp=true \
						-mllvm -pgo-instrument-entry
					variant "$llvm" "on top of a profile" $source $level $lang -fprofile-use="$WORK/$llvm/base.profdata" \
						-fcs-profile-generate -mllvm -disable-vp=true
					[ "$llvm" -lt 19 ] || variant "$llvm" "in bursts" $source $level $lang -fprofile-generate \
						-mllvm -disable-vp=true -mllvm -sampled-instrumentation
					[ "$llvm" -lt 15 ] || variant "$llvm" "with a bias" $source $level $lang -fprofile-generate \
						-mllvm -disable-vp=true -mllvm -runtime-counter-relocation
					[ "$llvm" -lt 22 ] || variant "$llvm" "loop entries" $source $level $lang -fprofile-generate \
						-mllvm -disable-vp=true -mllvm -pgo-instrument-loop-entries
				fi
				# Byte counters are not tested with releases before clang 19. compiler-rt 14 to 16 does
				# not pad byte counters, so the names in its files are not aligned.
				[ "$llvm" -ge 19 ] || continue
				variant "$llvm" "function entries" $source $level $lang -fprofile-generate \
					-mllvm -disable-vp=true -mllvm -pgo-function-entry-coverage
				variant "$llvm" "byte counters" $source $level $lang -fprofile-instr-generate -fcoverage-mapping \
					-mllvm -enable-single-byte-coverage
				variant "$llvm" "byte counters of blocks" $source $level $lang -fprofile-generate \
					-mllvm -disable-vp=true -mllvm -pgo-block-coverage
				variant "$llvm" "temporal" $source $level $lang -fprofile-generate \
					-mllvm -disable-vp=true -mllvm -pgo-temporal-instrumentation
				variant "$llvm" MC/DC $source $level $lang -fprofile-instr-generate -fcoverage-mapping \
					-fcoverage-mcdc
				[ -n "$lang" ] || continue
				variant "$llvm" "IR PGO with vtables" $source $level $lang -fprofile-generate \
					-mllvm -disable-vp=true -mllvm -enable-vtable-value-profiling
			}
		done
	done
	clang-"$llvm" -fPIE -O1 -fno-rtti -fno-exceptions -fprofile-generate -c tests/runtime/unit/subject.cc \
		-o "$WORK/$llvm/subject.o" &&
		"clang-$llvm" -fuse-ld=lld -fprofile-instr-generate -Wl,--build-id=none "$WORK/$llvm/subject.o" \
			"$WORK/$llvm/identity.o" "$WORK/$llvm"/clang/*.o -o "$WORK/$llvm/identity" &&
		"$WORK/$llvm/identity" none "$WORK/$llvm/values" >"$WORK/$llvm/log"
	check "clang $llvm: values are refused" grep -qx 'byte of the file: -18' "$WORK/$llvm/log"
done
