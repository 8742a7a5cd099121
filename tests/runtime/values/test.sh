#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# values - compares the value profiles of bareprof and compiler-rt, on a host. If compiler-rt's hooks made the value
# lists, bareprof must write the same bytes as compiler-rt. If bareprof's hooks made the lists, the lists must have the
# same values as the lists of compiler-rt.
. "$(dirname "$0")/../../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

# runtime CLANG: compiles the runtime and the three programs, without the function subject(), which they call.
runtime() {
	for f in image_walk image profraw read profraw_write values_serialize values_pool values_record timestamp copy symbols snapshot; do
		# shellcheck disable=SC2086
		"$1" $CFLAGS -DBAREPROF_VALUES -O2 -fPIC -c runtime/$f.c -o "$WORK/$f.o" || return
	done
	for program in hosted writer hooks; do
		"$1" -Wall -Wextra -Werror -Iinclude -O2 -fPIE -c tests/runtime/values/$program.c -o "$WORK/$program.o" || return
	done
}

# built CLANG SOURCE FLAGS...: links the three programs, with the function subject() in SOURCE.
built() {
	clang=$1
	source=$2
	shift 2
	common="$WORK/image_walk.o $WORK/image.o $WORK/profraw.o $WORK/read.o $WORK/profraw_write.o $WORK/values_serialize.o $WORK/values_pool.o $WORK/copy.o"
	"$clang" -O2 -fPIE -fprofile-generate "$@" -c "$source" -o "$WORK/subject.o" || return
	rm -f "$WORK/hosted" "$WORK/writer" "$WORK/hooks"
	# shellcheck disable=SC2086
	"$clang" -pie -fprofile-generate "$WORK/hosted.o" "$WORK/subject.o" -o "$WORK/hosted" &&
		"$clang" -pie -fuse-ld=lld -fprofile-generate -Wl,--build-id=none "$WORK/writer.o" "$WORK/subject.o" $common \
			-o "$WORK/writer" &&
		"$clang" -pie -fuse-ld=lld -Wl,--build-id=none,--defsym=__start_bareprof_build_id=0 "$WORK/hooks.o" \
			"$WORK/subject.o" $common "$WORK/values_record.o" "$WORK/timestamp.o" "$WORK/symbols.o" "$WORK/snapshot.o" -o "$WORK/hooks"
}

said() {
	# shellcheck disable=SC2086
	"llvm-profdata-$llvm" show --all-functions --counts --ic-targets --memop-sizes $more "$1"
}

# variant WHAT PATTERN SOURCE FLAGS...: tests one kind of values. A line that llvm-profdata prints about the values must
# match PATTERN.
variant() {
	whose="clang $llvm, $1"
	pattern=$2
	shift 2
	check "$whose: programs with value sites" built "clang-$llvm" "$@"
	rm -f "$WORK/theirs" "$WORK/raw" "$WORK/ours"
	check "$whose: compiler-rt's lists are written as by compiler-rt" \
		env LLVM_PROFILE_FILE=/dev/null "$WORK/writer" "$WORK/theirs"
	rm -f "$WORK/theirs"
	check "$whose: and where no list has a value" env LLVM_PROFILE_FILE=/dev/null "$WORK/writer" "$WORK/theirs" none
	LLVM_PROFILE_FILE=$WORK/raw "$WORK/hosted"
	check "$whose: a snapshot has the values while they are held" sh -c "'$WORK/hooks' '$WORK/ours' >'$WORK/counted'"
	said "$WORK/raw" >"$WORK/raw.said"
	said "$WORK/ours" >"$WORK/ours.said"
	check "$whose: $(cat "$WORK/counted"): lists say the same" sh -c \
		"grep -q '$pattern' '$WORK/ours.said' && cmp '$WORK/raw.said' '$WORK/ours.said'"
}

for llvm in $(some_clang_releases); do
	if ! [ -f "$("clang-$llvm" --target=x86_64-linux-gnu -print-resource-dir)"/lib/linux/libclang_rt.profile-x86_64.a ]; then
		skip "clang $llvm: no compiler-rt beside it"
		continue
	fi
	check "clang $llvm: the runtime" runtime "clang-$llvm"
	c=tests/runtime/values/subject.c
	more=
	variant "values" function_1 $c
	variant "values, entries first" function_1 $c -mllvm -pgo-instrument-entry
	[ "$llvm" -ge 19 ] || continue
	variant "values, temporal" function_1 $c -mllvm -pgo-temporal-instrumentation
	more=--show-vtables
	variant "vtables" '_ZTVN.*shapeE,.*%' tests/runtime/unit/subject.cc -std=c++14 -fno-exceptions -fno-rtti \
		-mllvm -enable-vtable-value-profiling
	more=
	[ "$llvm" -ge 22 ] || continue
	variant "values, loop entries" function_1 $c -mllvm -pgo-instrument-loop-entries
done

# without_state FILE: links the FILE of the runtime into a program without BAREPROF_STATE. The linker's message must
# contain a symbol whose name tells the user what to write.
without_state() {
	echo 'int main(void) { return 0; }' | "clang-$llvm" -x c -c - -o "$WORK/main.o" &&
		! "clang-$llvm" "$WORK/main.o" "$WORK/$1.o" -o "$WORK/without" 2>"$WORK/said" &&
		grep -q 'bareprof_state_is_missing_write_BAREPROF_STATE' "$WORK/said"
}
check "values without BAREPROF_STATE: the linker says what to write" without_state values_record
check "timestamps without BAREPROF_STATE: the linker says what to write" without_state timestamp
