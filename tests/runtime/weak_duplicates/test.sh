#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# weak_duplicates - tests images in which several objects define the same weak function. It tests every clang and
# every kind of profile, with two or three definitions in several orders. The profile must have the counts of the
# prevailing definition, and zeros for the weak duplicates.
. "$(dirname "$0")/../../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
LLVMS=$(some_clang_releases)
RUNTIME="image_walk image image_weak_duplicates profraw read profraw_write strerror values_record values_pool values_serialize"

# runtime LLVM TARGET: compiles the runtime to the folder $objects.
runtime() {
	objects=$WORK/runtime-$1-$2
	mkdir -p "$objects"
	for f in $RUNTIME copy; do
		# shellcheck disable=SC2086
		"clang-$1" --target="$2" $CFLAGS -DBAREPROF_VALUES -O2 -fPIC -c "runtime/$f.c" -o "$objects/$f.o" || return
	done
	"clang-$1" --target="$2" -Iinclude -O2 -c tests/runtime/weak_duplicates/main.c -o "$objects/main.o"
}

# counts LLVM PROFILE: prints a line for each definition of chosen(), in the order of the records.
counts() {
	"llvm-profdata-$1" show --all-functions --counts "$2" 2>"$WORK/show.err" | awk '
		/^  [^ ].*:$/ { chosen = /^  chosen:$/ }
		chosen && /Counters:/ { printf "%s counters:", $2 }
		chosen && /Function count:/ { printf " %s", $3 }
		chosen && /Block counts:/ { sub(/.*\[/, ""); sub(/\]/, ""); gsub(/,/, ""); printf " %s\n", $0 }'
}

# image DIR PARTS: links the objects in DIR in the order of PARTS, and runs the program.
image() {
	rm -f "$1/said"
	# shellcheck disable=SC2086
	"clang-$llvm" --target="$target" -fuse-ld="$linker" -no-pie $(for part in $2; do echo "$1/$part.o"; done) "$objects"/*.o -o "$1/image" &&
		"$1/image" "$1/profraw" >"$1/said" && counts "$llvm" "$1/profraw" >"$1/counts" &&
		"llvm-profdata-$llvm" show --all-functions --ic-targets "$1/profraw" | grep -c '%)$' >"$1/values"
	test -s "$1/values"
}

# variant LLVM TARGET LINKER KIND PARTS FLAGS...: tests an image whose objects are linked in the order of PARTS. It
# compares this image with another, in which only the first part defines chosen().
variant() {
	llvm=$1 target=$2 linker=$3 kind=$4 parts=$5
	shift 5
	label="clang $llvm, ${target%%-*}, $linker, $kind, definitions $parts"
	dir=$WORK/$llvm-${target%%-*}-$linker-$kind-$(echo "$parts" | tr -d ' ')
	mkdir -p "$dir/one"
	name=chosen
	for part in $parts; do
		"clang-$llvm" --target="$target" "$@" -O1 -DPART="$part" -c tests/runtime/weak_duplicates/weak.c -o "$dir/$part.o" &&
			"clang-$llvm" --target="$target" "$@" -O1 -DPART="$part" -Dchosen=$name -c tests/runtime/weak_duplicates/weak.c -o "$dir/one/$part.o" || {
			not_ok "$label: does not compile"
			return
		}
		name=other$part
	done
	check "$label: links and runs" image "$dir" "$parts"
	check "$label: links and runs with one definition" image "$dir/one" "$parts"
	printf 'init: OVERLAP\nseparate: %s\nagain: %s\ninit: no error\n' $(($(echo "$parts" | wc -w) - 1)) \
		'two records overlap, or a counter or bitmap has no record: bareprof check finds the cause' >"$dir/expected"
	check "$label: is refused, and separated" diff "$dir/expected" "$dir/said"
	check "$label: llvm-profdata reads it without a word" test ! -s "$WORK/show.err"
	check "$label: the definition in use has its counts" sh -c \
		"grep -q ' [1-9]' '$dir/one/counts' && head -n 1 '$dir/counts' | diff '$dir/one/counts' -"
	check "$label: no value is there twice: $(cat "$dir/values")" cmp "$dir/values" "$dir/one/values"
	check "$label: the others have none" sh -c \
		"test \$(tail -n +2 '$dir/counts' | grep -cE '^[0-9]+ counters:( 0)+ *\$') -eq $(($(echo "$parts" | wc -w) - 1))"
}

coverage="-fprofile-instr-generate -fcoverage-mapping"
newest=$(echo "$LLVMS" | tail -n 1)
for llvm in $LLVMS; do
	check "clang $llvm: the runtime" runtime "$llvm" x86_64-linux-gnu
	# shellcheck disable=SC2086
	variant "$llvm" x86_64-linux-gnu lld coverage "1 2" $coverage
	# shellcheck disable=SC2086
	variant "$llvm" x86_64-linux-gnu bfd coverage "3 1 2" $coverage
	variant "$llvm" x86_64-linux-gnu lld values "2 3" -fprofile-generate
done
# shellcheck disable=SC2086
for order in "2 1" "1 3 2"; do
	variant "$newest" x86_64-linux-gnu lld mcdc "$order" $coverage -fcoverage-mcdc
	variant "$newest" x86_64-linux-gnu bfd bytes "$order" $coverage -mllvm -enable-single-byte-coverage
done
