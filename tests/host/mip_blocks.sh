# SPDX-License-Identifier: BSD-2-Clause
# mip_blocks - tests block coverage: `mip cc --mode calls,blocks` and clang's own flags, as `mip show` prints them. The
# programs run under Linux on x86_64. tests/mip/oracle.sh compares the blocks with what QEMU sees.
# shellcheck shell=sh disable=SC2086
. "$(dirname "$0")/../lib.sh"

w=$WORK
newest=$(newest_clang)
releases=$newest
[ -z "${BAREPROF_WIDE-}" ] || releases=$(clang_releases)
make -s linker || { not_ok "make linker"; exit 0; }
mkdir -p "$w/home"

# The example of LLVM's review D104060: bar(int) is in line 16. Its third block does not run.
{
	printf '%s\n' 'extern "C" int dump();' 'int sink;' '' '__attribute__((noinline)) void foo()' '{' '	sink += 3;' '}' ''
	printf '%s\n' '__attribute__((noinline)) void never(int n)' '{' '	sink = n;' '}' '' '' '' '__attribute__((noinline)) void bar(int n)'
	printf '%s\n' '{' '	if (n > 0)' '		foo();' '	if (n > 99)' '		never(n);' '	if (n > 1)' '		foo();' '	if (n < 9)' '		foo();' '}' ''
	printf '%s\n' '__attribute__((noinline)) void turns(int n)' '{' '	while (n--)' '		if (n >= 0)' '			sink += n;' '}' ''
	printf '%s\n' 'int main()' '{' '	bar(2);' '	turns(256);' '	turns(256);' '	return dump();' '}'
} >"$w/home/main.cpp"
cat >"$w/dump.c" <<'END'
#include <bareprof/mip.h>
#include <stdio.h>
BAREPROF_STATE;
#ifdef BAREPROF_MIP_SAMPLES_MODE
BAREPROF_MIP_RING(2048);
#endif
int dump(void);
int dump(void)
{
	static unsigned char file[32768];
	static struct bareprof_image image;
	struct bareprof_dump dump;
	if (bareprof_mip_image_self(&image))
		return 3;
	bareprof_mip_open(&dump, &image);
	return bareprof_read(&dump, 0, file, sizeof(file)) != (intptr_t)dump.size ||
	       fwrite(file, 1, dump.size, stdout) != dump.size;
}
END

# program DIR COMPILER...: compiles main.cpp with COMPILER, links, runs and merges.
program() {
	dir=$w/$1
	shift
	mkdir -p "$dir"
	"$@" -g -c -ffile-prefix-map="$w"= "$w/home/main.cpp" -o "$dir/main.o" &&
		gcc -O1 -w -Iinclude ${serves--DBAREPROF_MIP_BLOCKS_MODE} "$w/dump.c" runtime/mip.c runtime/mip_self.c runtime/mip_sancov.c runtime/read.c \
			runtime/reset.c arch/x86_64/copy.c arch/x86_64/${stub-mip_first}.c "$dir/main.o" \
			-no-pie -Wl,--build-id=sha1,-T,build/linker/mip.ld -o "$dir/program" &&
		"$dir/program" >"$dir/raw" && "$BAREPROF" mip merge --elf "$dir/program" -o "$dir/mip" "$dir/raw" &&
		"$BAREPROF" mip show --mangled --elf "$dir/program" "$dir/mip" >"$dir/show"
}
# row DIR FUNCTION: prints the words of the blocks of the function.
row() { awk -v f="$2" '$0 == f { on = 1 } on && /^     [HC-]/ { print } !NF { on = 0 }' "$w/$1/show"; }

example() {
	program "seed-$1" "$BAREPROF" mip cc --mode calls,blocks "clang++-$1" -O0 || return
	sed -n '/^_Z3bari$/,/^$/p' "$w/seed-$1/show" | grep -v '^  Ran\|^  Order' >"$w/seed-$1/bar"
	printf '%s\n' _Z3bari "  Source Info: /home/main.cpp:16" "  Call Count: 1" "  Block Coverage:" "     HOT  HOT  COLD HOT  HOT" "" |
		diff - "$w/seed-$1/bar"
}
for release in $releases; do
	check "clang $release: the example of the review, with calls and blocks" example "$release"
	for flag in 8bit-counters bool-flag; do
		check "clang $release: -fsanitize-coverage=bb,inline-$flag,pc-table" \
			program "$flag-$release" "clang++-$release" -O0 "-fsanitize-coverage=bb,inline-$flag,pc-table"
	done
	check "clang $release: blocks alone" program "blocks-$release" "$BAREPROF" mip cc --mode blocks "clang++-$release" -O0
done

serves='' refuses "the raw profile of a runtime that does not serve blocks" \
	'has no block bytes, but the map has [0-9]+; compile the runtime of the image with -DBAREPROF_MIP_BLOCKS_MODE' \
	program unserved "$BAREPROF" mip cc --mode calls,blocks "clang++-$newest" -O0

# Calls, blocks and samples in one profile.
all_three() {
	stub=mip_sample serves=-DBAREPROF_MIP_SAMPLES_MODE program all "$BAREPROF" mip cc --mode calls,blocks,sample=1 "clang++-$newest" -O0 &&
		[ "$(row all _Z3bari)" = "     HOT  HOT  COLD HOT  HOT" ] && "$BAREPROF" mip graph "$w/all/mip" >"$w/all/graph" &&
		grep -Eq '^ +3 +0 +3  bar\(int\) -> foo\(\)$' "$w/all/graph"
}
check "calls, blocks and samples in one profile" all_three

# A block of turns() runs 512 times. Only a counter that wraps cannot tell, and then the block is not COLD.
turns() {
	for dir in seed bool-flag blocks; do
		row $dir-$newest _Z5turnsi | tr -s ' ' '\n' | grep -q COLD && { row $dir-$newest _Z5turnsi; return 1; }
		row $dir-$newest _Z5turnsi | grep -q HOT || return
	done
	row 8bit-counters-$newest _Z5turnsi | grep -q -- - && ! row 8bit-counters-$newest _Z5turnsi | grep -q COLD &&
		grep -q '^- stands for a block that did not run, or ran a multiple of 256 times$' "$w/8bit-counters-$newest/show"
}
check "a block that ran 512 times is never COLD" turns

# Of never(), clang's counters cannot tell whether it ran.
not_known() {
	dir=$w/8bit-counters-$newest
	"$BAREPROF" mip show --mangled --not-run "$dir/mip" >"$dir/not-run" && ! grep -q never "$dir/not-run" &&
		grep -q '^4 of 5 functions ran; raw profiles: 1; not known: 1$' "$dir/not-run" &&
		"$BAREPROF" mip report "$dir/program" "$dir/mip" --lcov "$dir/lcov" --html "$dir/html" >"$dir/table" 2>"$dir/said" &&
		grep -Eq '^TOTAL +4 +4 +100.00%' "$dir/table" && grep -q 'note: the report lacks 1 function whose' "$dir/said" &&
		! grep -q never "$dir/lcov" && ! grep -q never "$dir/html" && grep -q 'Functions without a row.*: 1<' "$dir/html"
}
check "a function that is not known is neither one that ran nor one that did not" not_known
reports() {
	dir=$w/blocks-$newest
	"$BAREPROF" mip show --mangled --not-run "$dir/mip" | grep -q '^_Z5neveri$' &&
		"$BAREPROF" mip report "$dir/program" "$dir/mip" --lcov "$dir/lcov" >"$dir/table" 2>"$dir/said" && [ ! -s "$dir/said" ] &&
		grep -Eq '^TOTAL +5 +4 +80.00%' "$dir/table" && grep -q '^FNDA:0,_Z5neveri$' "$dir/lcov" && grep -q '^FNDA:1,_Z3bari$' "$dir/lcov"
}
check "mip report with blocks alone" reports

# Blocks with one offset are one block, and a block with the offset 0 belongs to the entry. In bar(), the second block
# gets the offset of the third, which did not run, and the fourth block gets the offset 0.
cat >"$w/join.py" <<'END'
import pathlib, struct, sys
sys.path[:0] = ["tests/mip"]
import mip
data = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
found = mip.read_mip9(bytes(data))
at = 112 + len(found["id"]) + -len(found["id"]) % 8 + 80 * len(found["functions"])
for one in found["functions"]:
    if one["name"] == b"_Z3bari":
        data[at:at + 4] = data[at + 8:at + 12]
        data[at + 16:at + 20] = bytes(4)
    at += 8 * len(one["blocks"])
data[-4:] = struct.pack("<I", mip.crc32c(bytes(data[:-4])))
pathlib.Path(sys.argv[2]).write_bytes(data)
END
joined() {
	mkdir -p "$w/joined" && python3 "$w/join.py" "$w/seed-$newest/mip" "$w/joined/mip" &&
		"$BAREPROF" mip show --mangled "$w/joined/mip" >"$w/joined/show" || return
	row joined _Z3bari
	[ "$(row joined _Z3bari)" = "     HOT  HOT  HOT" ] && python3 tests/mip/mip.py agree "$BAREPROF" "$w/joined/mip"
}
check "blocks with one offset are one block" joined

# C++ with exceptions, in both modes: an argument makes thrown() throw, and then the handler runs.
cat >"$w/throws.cc" <<'END'
#include <cstdio>
extern "C" int dump();
int cleanups;
struct guard { __attribute__((noinline)) ~guard() { cleanups++; } };
__attribute__((noinline)) int thrown(int n)
{
	guard g;
	if (n > 1)
		throw n;
	return n;
}
__attribute__((noinline)) int caught(int n)
{
	try {
		return thrown(n);
	} catch (int &e) {
		cleanups += e;
		return -1;
	}
}
int main(int argc, char **)
{
	fprintf(stderr, "%d %d\n", caught(argc), cleanups);
	return dump();
}
END
throws() {
	dir=$w/throws-$1
	mkdir -p "$dir"
	gcc -O1 -w -Iinclude -DBAREPROF_MIP_BLOCKS_MODE -c "$w/dump.c" -o "$dir/dump.o" &&
		"$BAREPROF" mip cc --mode "$1" "clang++-$newest" -O1 -g -c "$w/throws.cc" -o "$dir/throws.o" || return
	for file in mip mip_self read reset ../arch/x86_64/copy ../arch/x86_64/mip_first; do
		gcc -O1 -w -Iinclude -DBAREPROF_MIP_BLOCKS_MODE -c "runtime/$file.c" -o "$dir/${file##*/}.o" || return
	done
	g++ -no-pie -Wl,--build-id=sha1,-T,build/linker/mip.ld "$dir"/*.o -o "$dir/program" || return
	for argument in '' two; do
		"$dir/program" $argument >"$dir/raw" 2>"$dir/printed$argument" && "$BAREPROF" mip merge --elf "$dir/program" -o "$dir/mip" "$dir/raw" &&
			"$BAREPROF" mip show --mangled "$dir/mip" >"$dir/show" || return
		row "throws-$1" _Z6caughti >"$dir/row$argument"
	done
	grep -qx '1 1' "$dir/printed" && grep -qx -- '-1 3' "$dir/printedtwo" && grep -q COLD "$dir/row" && grep -q HOT "$dir/rowtwo" &&
		! cmp -s "$dir/row" "$dir/rowtwo" || { cat "$dir"/printed* "$dir"/row*; return 1; }
}
for mode in blocks calls,blocks; do
	check "C++ with exceptions, mode $mode" throws $mode
done

agrees() { python3 tests/mip/mip.py agree "$BAREPROF" "$w/seed-$newest/mip" "$w/8bit-counters-$newest/mip" "$w/blocks-$newest/mip"; }
check "a reader from SPEC.md alone reads the profiles" agrees
version8() {
	"$BAREPROF" mip convert --to mip:8 -o "$w/v8.mip" "$w/blocks-$newest/mip" &&
		"$BAREPROF" mip convert --to mipraw:8 --elf "$w/blocks-$newest/mip" -o "$w/v8.mipraw" "$w/blocks-$newest/raw" &&
		"$BAREPROF" mip show "$w/v8.mip" | grep -c 'HOT  HOT  COLD HOT  HOT'
}
check "version 8 has the blocks" version8
refuses "version 8 has no mark for blocks that are not known" 'cannot express this; use version 9' \
	"$BAREPROF" mip convert --to mip:8 -o "$w/no" "$w/8bit-counters-$newest/mip"
refuses "gcc has no blocks" 'gcc has no instrumentation of blocks' "$BAREPROF" mip cc --mode blocks gcc -c "$w/dump.c" -o "$w/no.o"
refuses "an assembler has no blocks" 'an assembler cannot instrument blocks' "$BAREPROF" mip as --mode blocks as -o "$w/no.o" /dev/null
mixed() {
	clang++-$newest -Os -fsanitize-coverage=bb,inline-bool-flag,pc-table -g -c "$w/home/main.cpp" -Dmain=other -Dbar=rab -Dfoo=oof \
		-Dnever=reven -Dturns=snrut -Dsink=knis -o "$w/other.o" &&
		gcc -no-pie -Wl,--build-id=sha1,-T,build/linker/mip.ld "$w/8bit-counters-$newest/main.o" "$w/other.o" -O1 -w -Iinclude \
			-DBAREPROF_MIP_BLOCKS_MODE "$w/dump.c" runtime/mip.c runtime/mip_self.c runtime/mip_sancov.c runtime/read.c \
			runtime/reset.c arch/x86_64/copy.c -o "$w/mixed"
}
check "a program with counters and flags links" mixed
refuses "counters and flags have one table" 'so the order of the entries of their table is not known' "$BAREPROF" mip create -o "$w/no.mip" "$w/mixed"
