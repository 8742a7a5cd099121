#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# show_compilers.sh: makes new profiles with every installed clang, and compares the output of `bareprof show` with
# that of llvm-profdata of the same release.
. "$(dirname "$0")/../lib.sh"

# made LLVM NAME MERGE COMPILER OPTION...: compiles and runs a program. llvm-profdata prints its profile. MERGE is the
# option of `llvm-profdata merge` that names the program, or an empty word.
made() {
	n=$1
	to=$WORK/$1/$2
	merge=$3
	compiler=$4
	shift 4
	mkdir -p "$WORK/$n"
	"$compiler-$n" -O1 -Wl,--build-id "$@" tests/host/samples/show_program.c -o "$to.program" &&
		LLVM_PROFILE_FILE=$to.profraw "$to.program" &&
		"llvm-profdata-$n" merge ${merge:+"$merge=$to.program"} "$to.profraw" -o "$to.profdata" &&
		"llvm-profdata-$n" merge --text "$to.profdata" -o "$to.proftext" &&
		"llvm-profdata-$n" show --all-functions --counts --ic-targets --memop-sizes "$to.profdata" >"$to.show.txt" &&
		"llvm-profdata-$n" show --detailed-summary "$to.profdata" >>"$to.show.txt" || return
	[ -z "$merge" ] || mv "$to.program" "$to.elf"
	files="$files $to.profraw $to.profdata $to.proftext"
}
case_of() {
	made "$@" >"$WORK/made.log" 2>&1 && return
	not_ok "clang-$1: $2 cannot be made"
	sed 's/^/    /' "$WORK/made.log"
}

releases=$(clang_releases)
[ -n "$releases" ] || not_ok "no clang is installed"
files=
for n in $releases; do
	case_of "$n" front-end "" clang -fprofile-instr-generate -fcoverage-mapping
	case_of "$n" ir "" clang -fprofile-generate
	case_of "$n" entry "" clang -fprofile-generate -mllvm -pgo-instrument-entry
	[ "$n" -ge 19 ] || continue
	case_of "$n" temporal "" clang -fprofile-generate -mllvm -pgo-temporal-instrumentation
	case_of "$n" blocks "" clang -fprofile-generate -mllvm -pgo-block-coverage
	case_of "$n" mcdc "" clang -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
	case_of "$n" vtables "" clang -x c++ -fno-exceptions -fno-rtti -fprofile-generate \
		-mllvm -enable-vtable-value-profiling
	case_of "$n" debug --debug-info clang -g -fprofile-generate -mllvm -disable-vp=true \
		-mllvm -profile-correlate=debug-info
	case_of "$n" sections --binary-file clang -fprofile-instr-generate -mllvm -profile-correlate=binary
done
# shellcheck disable=SC2086
python3 tests/host/lib/show_compare.py "$BAREPROF" $files

# The file has the build ids of several images, and each build id is padded.
"$BAREPROF" merge "$WORK/$n/front-end.profraw" "$WORK/$n/mcdc.profraw" -o "$WORK/two.profdata" 2>"$WORK/merge.log"
"llvm-profdata-$n" show --binary-ids "$WORK/two.profdata" | sed -n '/^Binary IDs/,$p' | sed 1d | sort >"$WORK/expected"
"$BAREPROF" show "$WORK/two.profdata" | sed -n 's/^build id: *//p' | sort >"$WORK/shown"
check "clang-$n: two build ids" test "$(wc -l <"$WORK/expected")" -eq 2
check "clang-$n: two build ids, as text" cmp "$WORK/expected" "$WORK/shown"
"$BAREPROF" show --json "$WORK/two.profdata" | grep -o '"[0-9a-f]\{40\}"' | tr -d '"' | sort >"$WORK/shown"
check "clang-$n: two build ids, as JSON" cmp "$WORK/expected" "$WORK/shown"
