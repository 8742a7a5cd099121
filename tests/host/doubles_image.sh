#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# doubles_image.sh: tests images in which several objects define the same weak function. The target corrects its records
# and writes its profile. From the captured counters and the ELF file, bareprof must make the same bytes. A profile
# whose records are in the ELF file only must give the same counts as a program without weak duplicates. `bareprof
# check` must report that such an image needs a fix, and a coverage report must show the prevailing definition.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
RUNTIME="image_walk image image_weak_duplicates profraw read profraw_write copy symbols values_record values_pool values_serialize capture_values capture_blocks capture capture_counters counter_codec
	capture_file crc32c"
LLVMS=$(some_clang_releases)
newest=$(echo "$LLVMS" | tail -n 1)
coverage="-fprofile-instr-generate -fcoverage-mapping"

runtime() {
	made=$WORK/$llvm
	mkdir -p "$made"
	for f in $RUNTIME; do
		"clang-$llvm" $CFLAGS -DBAREPROF_VALUES -O2 -fPIC -c "runtime/$f.c" -o "$made/$f.o" || return
	done
	"clang-$llvm" -Wall -Wextra -Werror -Iinclude -O2 -fPIE -c tests/runtime/weak_duplicates/captures.c -o "$made/captures.o" &&
		"clang-$llvm" -O2 -fPIE -Dmain=work -c tests/runtime/weak_duplicates/hosted.c -o "$made/hosted.o"
}

# parts FLAGS...: compiles each part of $order twice, once for $all and once for $one. In $all, every object defines the
# weak function under the same name. In $one, only the first object uses this name. Every other object in $one gives the
# weak function a name of its own.
parts() {
	all=
	one=
	other=
	for part in $order; do
		"clang-$llvm" "$@" -fPIE -O1 -DPART=$part -c tests/runtime/weak_duplicates/weak.c -o "$dir/$part.o" &&
			"clang-$llvm" "$@" -fPIE -O1 -DPART=$part ${other:+-Dchosen=other$part} -c tests/runtime/weak_duplicates/weak.c \
				-o "$dir/one$part.o" || return
		all="$all $dir/$part.o"
		one="$one $dir/one$part.o"
		other=1
	done
}

# rebuilt PIE LINKER FLAGS...: from the target's capture, pull must make the same .profraw that the target wrote.
rebuilt() {
	pie=$1
	linker=$2
	shift 2
	parts "$@" &&
		"clang-$llvm" -$pie -fuse-ld=$linker -Wl,--build-id=none,--defsym=__start_bareprof_build_id=0 $all \
			"$made"/*.o -o "$dir/run" && "$dir/run" "$dir/target" || return
	"$BAREPROF" pull --elf "$dir/run" "$dir/target.capture" -o "$dir/pulled" 2>"$dir/said" &&
		cmp "$dir/pulled" "$dir/target.profraw" && ! grep -q 'note\|weak' "$dir/said"
}

# said SEVERITY PATTERN IMAGE: check must report the weak duplicates of IMAGE in a single finding, which matches
# PATTERN.
said() {
	"$BAREPROF" check --json "$3" >"$dir/json"
	python3 - "$dir/json" "$1" "$2" <<'PYTHON'
import json, re, sys
found = [f for f in json.load(open(sys.argv[1]))["findings"] if f["id"] in ("weak-duplicate", "counters-shared")]
assert len(found) == 1 and found[0]["id"] == "weak-duplicate" and found[0]["severity"] == sys.argv[2], found
assert re.search(sys.argv[3], found[0]["text"]), found
PYTHON
}

order="2 1"
for llvm in $LLVMS; do
	check "clang $llvm: compiles the runtime" runtime
	for kind in coverage mcdc bytes values; do
		case $kind in
		coverage) flags=$coverage ;;
		mcdc) flags="$coverage -fcoverage-mcdc" ;;
		bytes) flags="$coverage -mllvm -enable-single-byte-coverage" ;;
		values) flags=-fprofile-generate ;;
		esac
		case $kind-$llvm in
		mcdc-1[0-8] | bytes-1* | bytes-2[01]) continue ;;
		esac
		for pie in pie no-pie; do
			[ "$order" = "1 3 2" ] && order="2 1" || order="1 3 2"
			[ $pie = pie ] && linker=lld || linker=bfd
			dir=$WORK/$llvm-$kind-$pie
			mkdir -p "$dir"
			check "clang $llvm, $kind, $pie: the host makes the same .profraw as the target" rebuilt $pie $linker $flags
		done
		check "clang $llvm, $kind: check has a note, as the image fixes its records" \
			said note '^1 weak function is defined more than once, .* definition of each: chosen; ' "$dir/run"
	done
done

# counted PROGRAM OBJECTS...: links and runs the program.
counted() {
	program=$1
	shift
	"clang-$llvm" $flags -fuse-ld=lld -Wl,--build-id "$@" "$dir/hosted.o" -o "$program" &&
		LLVM_PROFILE_FILE=$program.profraw "$program"
}

# program FLAGS...: makes two programs with LLVM's own runtime. In the first program, several definitions have the same
# name. In the second program, each definition has a name of its own.
program() {
	flags=$*
	parts "$@" && "clang-$llvm" -O1 -c tests/runtime/weak_duplicates/hosted.c -o "$dir/hosted.o" &&
		counted "$dir/weak" $all && counted "$dir/one" $one
}

correlated() {
	"$BAREPROF" merge --elf "$dir/one" --text -o "$dir/expected" "$dir/one.profraw" 2>/dev/null &&
		"$BAREPROF" merge --elf "$dir/weak" --text -o "$dir/text" "$dir/weak.profraw" 2>/dev/null &&
		python3 tests/runtime/weak_duplicates/same_counts.py 1 "$dir/expected" "$dir/text"
}

# A profile from an incomplete capture must give no function the counts of another function.
partial() {
	python3 tests/capture/make.py "$dir/weak" "$dir/capture" profraw="$dir/weak.profraw" span=32 drop=4 >"$dir/made" &&
		"$BAREPROF" merge --partial --elf "$dir/weak" --text -o "$dir/text" "$dir/capture" 2>"$dir/said" &&
		grep -q 'is partial' "$dir/said" && python3 tests/runtime/weak_duplicates/same_counts.py part "$dir/expected" "$dir/text"
}

# The report of the raw profile must equal that of the merged profile. Both reports must contain all
# counts of the prevailing definition.
reported() {
	"$BAREPROF" merge -o "$dir/profdata" "$dir/weak.profraw" 2>/dev/null &&
		"$BAREPROF" report --lcov "$dir/raw.info" "$dir/weak" "$dir/weak.profraw" 2>"$dir/said" &&
		"$BAREPROF" report --lcov "$dir/merged.info" "$dir/weak" "$dir/profdata" 2>"$dir/said" &&
		cmp "$dir/raw.info" "$dir/merged.info" && grep -q '^FNDA:120,chosen$' "$dir/raw.info"
}

llvm=$newest
order="2 1"
for how in binary debug-info; do
	dir=$WORK/$how
	mkdir -p "$dir"
	check "clang $llvm, -profile-correlate=$how: compiles" \
		program -fprofile-generate -mllvm -disable-vp=true -g -mllvm -profile-correlate=$how
	check "clang $llvm, -profile-correlate=$how: counts" correlated
	check "clang $llvm, -profile-correlate=$how: an incomplete capture" partial
done
# The records of parts 3 and 4 are equal. Without a correction, both definitions would get the counts of the
# prevailing definition.
order="3 4"
dir=$WORK/report
mkdir -p "$dir"
check "a program for reports" program $coverage
check "report shows the definition in use" reported
check "check has an error if the image does not fix its records" \
	said error 'definition of each: chosen; .*; call bareprof_fix_weak_duplicates\(\) when ' "$dir/weak"

# check finds the file of a definition by the static functions whose records are next to its record. The coverage
# mapping shows the folder of that file.
mkdir -p "$dir/in"
for name in x y; do
	cat >"$dir/in/$name.c" <<C
static __attribute__((used)) int first(int n) { return n + 1; }
int chosen(int n);
__attribute__((weak)) int chosen(int n) { return n > $(echo $name | cksum | cut -c1-3) ? n : -n; }
static __attribute__((used)) int last(int n) { return n + 2; }
C
	check "compiles $name.c" "clang-$llvm" $coverage -c "$dir/in/$name.c" -o "$dir/$name.o"
done
check "links a program of two files" "clang-$llvm" $coverage -fuse-ld=lld "$dir/x.o" "$dir/y.o" "$dir/hosted.o" -o "$dir/two"
check "check names the files of both definitions" \
	said error 'definition of each: chosen \(the one in [^ ]*/in/x.c, not the one in [^ ]*/in/y.c\)' "$dir/two"
