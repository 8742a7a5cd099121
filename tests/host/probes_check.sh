#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# probes_check.sh: tests `bareprof probes check` with images that have each fault, and `probes show` with each form of
# output. tests/probes/ tests the decoder.
. "$(dirname "$0")/../lib.sh"

w=$WORK
probes() { "$BAREPROF" probes "$@"; }
newest=$(newest_clang)

cat >"$w/a.c" <<'END'
int outside(int n);
static inline int twice(int n)
{
	return n > 3 ? outside(n) + n : outside(n + 1);
}
int entry(int n);
int entry(int n)
{
	return n ? twice(n) : twice(n + 7);
}
END
cat >"$w/b.c" <<'END'
int outside(int n);
int outside(int n)
{
	int sum = 0;

	while (n--)
		sum ^= n;
	return sum;
}
END
# object NAME LLVM TARGET FLAG...: compiles $w/NAME.c to $w/NAME.o.
object() {
	file=$1 release=$2 target=$3
	shift 3
	"clang-$release" --target="$target" -O2 -ffreestanding -fpseudo-probe-for-profiling "$@" -c "$w/$file.c" -o "$w/$file.o"
}
# image NAME LLVM TARGET FLAG...: links both files to $w/NAME.
image() {
	name=$1
	shift
	object a "$@" && object b "$@" && "ld.lld-$newest" -e entry -o "$w/$name" "$w/a.o" "$w/b.o"
}
# finds NAME STATUS PATTERN [OPTION...]: the check of $w/NAME ends with STATUS and prints PATTERN.
finds() {
	name=$1 expected=$2 pattern=$3
	shift 3
	probes check "$@" "$w/$name" >"$w/out" 2>&1
	status=$?
	[ "$status" -eq "$expected" ] && grep -q -- "$pattern" "$w/out" || {
		echo "status $status"
		cat "$w/out"
		return 1
	}
}

for release in 13 14 15 16 19 22; do
	image "sound$release" "$release" x86_64-none-elf -g1 || not_ok "clang $release: the image is built"
	check "clang $release: nothing is wrong with an image with -g1" finds "sound$release" 0 'errors: 0, warnings: 0$'
	image bare "$release" x86_64-none-elf || not_ok "clang $release: the image is built"
	check "clang $release: an image without -g has no calls" finds bare 7 '^warning: .*not as an inlined copy: .*twice.*-g1 or more'
done

object a 15 x86_64-none-elf -g1 && object b 19 x86_64-none-elf -g1 && "ld.lld-$newest" -e entry -o "$w/mixed" "$w/a.o" "$w/b.o"
check "files of two releases" finds mixed 7 '^warning: some files were compiled by clang up to 15 and some by clang 16'
object a 22 x86_64-none-elf -g1
sed 's/while (n--)/while (n-- > 5 || sum)/' "$w/b.c" >"$w/weak.c"
sed -i 's/^int outside(int n)$/__attribute__((weak)) &/' "$w/weak.c"
object b 22 x86_64-none-elf -g1 && object weak 22 x86_64-none-elf -g1
"ld.lld-$newest" -e entry -o "$w/two" "$w/a.o" "$w/b.o" "$w/weak.o"
check "a function with two hashes" finds two 7 '^warning: 1 functions have several hashes, .*: outside; a profile fits only one'

cp "$w/sound22" "$w/stripped"
llvm-strip-22 "$w/stripped"
check "a stripped image" finds stripped 1 '^error: the image has no pseudo probes; compile with clang -g1 -fpseudo-probe-for-profiling, and'
llvm-objcopy-22 --remove-section .pseudo_probe "$w/sound22" "$w/dropped"
check "a link without probes" finds dropped 1 "^error: the image has descriptors of 3 functions, but no probes: .*'.pseudo_probe'"
llvm-objcopy-22 --remove-section .pseudo_probe_desc "$w/sound22" "$w/nameless"
check "a link without descriptors" finds nameless 7 "^warning: [0-9]* records have a GUID without a name, .*'.pseudo_probe_desc'"
llvm-objcopy-22 --strip-symbol entry "$w/sound22" "$w/unnamed"
check "a function without a symbol" finds unnamed 1 '^error: [0-9]* probes in 1 records have no address, .*first of which is entry;'
# The descriptor of a function whose probes come from no object.
object b 22 x86_64-none-elf -g1 && llvm-objcopy-22 --remove-section .pseudo_probe "$w/b.o" && object a 22 x86_64-none-elf -g1 &&
	"ld.lld-$newest" -e entry -o "$w/partly" "$w/a.o" "$w/b.o"
check "a function without probes" finds partly 7 '^warning: 1 functions have code and a descriptor, but no probes: outside;'
"clang-$newest" --target=thumbv7m-none-eabi -O2 -ffreestanding -c "$w/b.c" -o "$w/arm"
check "on Arm, the message has the option against the crash" finds arm 1 'no pseudo probes; compile .* -mllvm -pre-RA-sched=source'

printf '%s\n' 'bareprof samples 1' samples "0x$(nm "$w/sound22" | sed -n 's/^\([0-9a-f]*\) T entry$/\1/p') 50" >"$w/some.samples"
refuses "a profile of ranges takes no options of a profile for clang" 'format ranges takes no --lines' \
	"$BAREPROF" sample profile --format ranges --guids -o "$w/no" "$w/sound22" "$w/some.samples"
"$BAREPROF" sample profile --format text "$w/sound22" "$w/some.samples" -o "$w/some.txt" 2>"$w/said" || cat "$w/said"
check "a profile of the image fits" finds sound22 0 'warnings: 0$' --profile "$w/some.txt"
check "a profile of clang 22 does not fit clang 16" finds sound16 7 '1 of 1 functions of .*some.txt have another hash in the image: entry;' \
	--profile "$w/some.txt"
sed 's/^entry:/exit_to:/' "$w/some.txt" >"$w/other.txt"
check "a profile of other code" finds sound22 7 '1 of 1 functions of .*other.txt are not in the image: exit_to' --profile "$w/other.txt"
echo 'entry:' >"$w/damaged.txt"
check "a damaged profile" finds sound22 1 'damaged.txt: ' --profile "$w/damaged.txt"

valid() {
	python3 - "$1" <<'END'
import json, sys
import jsonschema
shown = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator(json.load(open("docs/probes.schema.json"))).validate(shown)
assert [f["name"] for f in shown["functions"]] == ["entry", "outside"], shown["functions"]
END
}
probes show --json "$w/sound22" >"$w/json"
check "the JSON is valid" valid "$w/json"
check "text names the function, and the calls through which code was inlined" sh -c \
	"'$BAREPROF' probes show '$w/sound22' | grep -q '^  0x[0-9a-f]*  call [0-9]* of twice(int), inlined @ entry:[0-9]*$'"
check "--mangled keeps the names of the symbol table" sh -c \
	"'$BAREPROF' probes show --mangled '$w/sound22' | grep -q ' of _ZL5twicei.__uniq.[0-9]*, inlined'"
check "--function selects" sh -c "'$BAREPROF' probes show --function '^out' '$w/sound22' | grep -c '^[a-z]' | grep -qx 1"
refuses "--function that matches nothing" "but none matches 'nothing'" probes show --function nothing "$w/sound22"
refuses "--json with --disassemble" "cannot be combined" probes show --json --disassemble "$w/sound22"
refuses "no probes to show" "has no pseudo probes; compile with" probes show "$w/stripped"
