#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# values.sh - value profiling on a host, where compiler-rt can be asked: what bareprof
# writes of compiler-rt's lists is compiler-rt's file, byte for byte, and the lists that
# bareprof makes say the same as compiler-rt's.
. "$(dirname "$0")/lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime.mk print-cflags)

# built LLVM: the three programs
built() {
	for f in walk image dump write valuedata valuelists values copy symbols snapshot; do
		# shellcheck disable=SC2086
		"$1" $CFLAGS -DBAREPROF_VALUES -O2 -fPIC -c runtime/$f.c -o "$WORK/$f.o" || return
	done
	common="$WORK/walk.o $WORK/image.o $WORK/dump.o $WORK/write.o $WORK/valuedata.o $WORK/valuelists.o $WORK/copy.o"
	"$1" -O2 -fPIE -fprofile-generate -c tests/values/subject.c -o "$WORK/subject.o" || return
	for program in hosted writer hooks; do
		"$1" -Wall -Wextra -Werror -Iinclude -O2 -fPIE -c tests/values/$program.c -o "$WORK/$program.o" || return
	done
	rm -f "$WORK/hosted" "$WORK/writer" "$WORK/hooks"
	# shellcheck disable=SC2086
	"$1" -pie -fprofile-generate "$WORK/hosted.o" "$WORK/subject.o" -o "$WORK/hosted" &&
		"$1" -pie -fuse-ld=lld -fprofile-generate -Wl,--build-id=none "$WORK/writer.o" "$WORK/subject.o" $common \
			-o "$WORK/writer" &&
		"$1" -pie -fuse-ld=lld -Wl,--build-id=none,--defsym=__start_bareprof_build_id=0 "$WORK/hooks.o" \
			"$WORK/subject.o" $common "$WORK/values.o" "$WORK/symbols.o" "$WORK/snapshot.o" -o "$WORK/hooks"
}

said() { "llvm-profdata-$llvm" show --all-functions --counts --ic-targets --memop-sizes "$1"; }

for llvm in $(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n); do
	if ! [ -f "$("clang-$llvm" --target=x86_64-linux-gnu -print-resource-dir)"/lib/linux/libclang_rt.profile-x86_64.a ]; then
		skip "clang $llvm: no compiler-rt beside it"
		continue
	fi
	check "clang $llvm: programs with value sites" built "clang-$llvm"
	rm -f "$WORK/theirs" "$WORK/raw" "$WORK/ours"
	check "clang $llvm: compiler-rt's lists are written as by compiler-rt" \
		env LLVM_PROFILE_FILE=/dev/null "$WORK/writer" "$WORK/theirs"
	rm -f "$WORK/theirs"
	check "clang $llvm: and where no list has a value" env LLVM_PROFILE_FILE=/dev/null "$WORK/writer" "$WORK/theirs" none
	LLVM_PROFILE_FILE=$WORK/raw "$WORK/hosted"
	check "clang $llvm: a snapshot has the values while they are held" sh -c "'$WORK/hooks' '$WORK/ours' >'$WORK/counted'"
	said "$WORK/raw" >"$WORK/raw.said"
	said "$WORK/ours" >"$WORK/ours.said"
	check "clang $llvm: $(cat "$WORK/counted"): lists say the same" sh -c \
		"grep -q 'function_1' '$WORK/ours.said' && cmp '$WORK/raw.said' '$WORK/ours.said'"
done
