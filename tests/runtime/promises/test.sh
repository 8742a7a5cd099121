#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# promises - tests the contracts in docs/DESIGN.md. A promise and the case that tests it have the same name. The cases
# are in tests/runtime/unit/promises*.c. Each patch in tests/runtime/promises breaks code that keeps a promise. With
# the patch, exactly the cases that the patch names must fail. The other cases only run with BAREPROF_WIDE=1.
. "$(dirname "$0")/../../lib.sh"

LLVM=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
FILES="image_walk image reset profraw read profraw_write copy capture_blocks capture counter_codec capture_counters crc32c snapshot image_set image_set_dump values_record values_pool values_serialize capture_values sample sample_drain sample_stack sample_collect capture_samples"

# runtime TREE OUT FILE...: compiles the FILEs of the runtime in the folder TREE to the folder OUT.
runtime() {
	tree=$1
	out=$2
	shift 2
	for f; do
		# shellcheck disable=SC2086
		(cd "$tree" && "clang-$LLVM" $CFLAGS -DBAREPROF_VALUES -DBAREPROF_SAMPLES -DBAREPROF_SAMPLE_STACKS -include "$ROOT/tests/runtime/unit/promises_yield.h" -O2 \
			-c "runtime/$f.c" -o "$out/$f.o") || return
	done
}

cases() {
	# The cases are compiled without a red zone, because the signal handler that runs at every instruction would
	# overwrite it.
	for f in promises promises_dumps promises_values promises_panic promises_several promises_samples; do
		gcc -std=gnu99 -Wall -Wextra -Werror -Iinclude -mno-red-zone -O1 -c tests/runtime/unit/$f.c -o "$WORK/unit/$f.o" || return
	done
	"clang-$LLVM" -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -mllvm -enable-value-profiling \
		-c tests/runtime/unit/promises_subject.c -o "$WORK/unit/subject.o"
}

program() {
	"clang-$LLVM" -no-pie -fuse-ld=lld "$WORK"/unit/*.o "$1"/*.o -o "$1/promises"
}

# in_a_line: reads words, one on each line, sorts them and prints them in one line.
in_a_line() { sort | tr '\n' ' ' | sed 's/ $//'; }

mkdir -p "$WORK/unit" "$WORK/whole" "$WORK/out"
# shellcheck disable=SC2086
check "the cases build" eval 'cases && runtime . "$WORK/whole" $FILES && program "$WORK/whole"'
"$WORK/whole/promises" "$WORK/out" >"$WORK/said" 2>&1 || not_ok "the cases end in an error"
cat "$WORK/said"
for file in "$WORK"/out/*.profraw; do
	name=$(basename "$file" .profraw)
	check "$name: a profile that LLVM reads" "llvm-profdata-$LLVM" show --all-functions --ic-targets "$file"
	check "$name: and bareprof" "$BAREPROF" merge -o "$WORK/merged.profdata" "$file"
done

# docs/DESIGN.md, the cases and the patches must name the same promises.
sed -n 's/.*ok - //p' "$WORK/said" | sort >"$WORK/cases"
sed -n '/^## Contracts/,/^## The capture/p' docs/DESIGN.md | grep -o '`[a-z0-9]*_[a-z0-9_]*`' | tr -d '`' | sort -u |
	grep -v bareprof >"$WORK/promised"
check "each case is a promise of docs/DESIGN.md, and each promise has one" diff "$WORK/promised" "$WORK/cases"
sed -n 's/^Red: //p' tests/runtime/promises/*.patch | tr ' ' '\n' | sort -u >"$WORK/broken"
check "each promise is broken by a patch" diff "$WORK/cases" "$WORK/broken"

# broken PATCH: makes the program from a tree with PATCH.
broken() {
	rm -rf "$WORK/tree" "$WORK/objects"
	mkdir "$WORK/tree" "$WORK/objects"
	cp -r runtime include "$WORK/tree" && patch -s -d "$WORK/tree" -p1 --fuzz=0 <"$1" || return
	cp "$WORK"/whole/*.o "$WORK/objects"
	case $(sed -n 's|^+++ b/runtime/||p' "$1") in
	*.h) changed=$FILES ;;
	*) changed=$(sed -n 's|^+++ b/runtime/\(.*\)\.c$|\1|p' "$1") ;;
	esac
	# shellcheck disable=SC2086
	runtime "$WORK/tree" "$WORK/objects" $changed && program "$WORK/objects"
}

for patch in tests/runtime/promises/*.patch; do
	what=$(sed -n 's/^What: //p' "$patch")
	if ! broken "$patch" >"$WORK/log" 2>&1; then
		not_ok "$what: the patch does not apply, or what it makes does not compile"
		sed 's/^/    /' "$WORK/log"
		continue
	fi
	expected=$(sed -n 's/^Red: //p' "$patch" | tr ' ' '\n' | in_a_line)
	# shellcheck disable=SC2046,SC2086
	"$WORK/objects/promises" "" $([ -n "${BAREPROF_WIDE-}" ] || echo $expected) >"$WORK/said" 2>&1
	red=$(sed -n 's/^not ok - //p' "$WORK/said" | in_a_line)
	if [ "$red" = "$expected" ]; then
		ok "$what: red is $expected"
	else
		not_ok "$what: red should be $expected, is $red"
	fi
done
