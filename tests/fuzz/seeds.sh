#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# seeds.sh DIR: makes the inputs with which the fuzzers start, in a folder of DIR for each fuzz target. The inputs are
# raw profiles of all kinds from old and new compilers, the same profiles in llvm-profdata's indexed and text formats,
# and captures. The script also copies recorded profiles from the folder BAREPROF_VECTORS, by default tests/vectors.
cd "$(dirname "$0")/../.." || exit 1
dir=$1
program=${BAREPROF:-$PWD/build/bareprof}
vectors=${BAREPROF_VECTORS:-tests/vectors}
rm -rf "$dir"
mkdir -p "$dir/raw_read" "$dir/indexed_read" "$dir/text_read" "$dir/profile_read" "$dir/order" "$dir/elf" "$dir/capture" "$dir/rewrite" "$dir/mip" "$dir/sampleprof" "$dir/samples" "$dir/probes" "$dir/coverage" "$dir/doctor" "$dir/work"
dir=$(cd "$dir" && pwd)
work=$dir/work

mkdir "$dir/kdump"
python3 tests/outside/tiny_kdump.py "$dir/kdump/whole"
python3 tests/outside/tiny_kdump.py "$dir/kdump/flat" flat

cat >"$work/c.c" <<'END'
#include <string.h>
static int twice(int x) { return 2 * x; }
static int more(int x) { return x + 1; }
static int (*const way[2])(int) = {twice, more};
__attribute__((noinline)) int choose(int a, int b, int c) { return (a && b) || c; }
int main(int argc, char **argv)
{
	char to[600], from[600] = "";
	int i, sum = argc;

	for (i = 0; i < 40; i++) {
		sum += way[i % 3 == 0](i) + choose(i & 1, i & 2, i & 4);
		memcpy(to, from, (size_t)(sum % 500));
	}
	return argv[0] ? 0 : to[3];
}
END
cat >"$work/cxx.cc" <<'END'
struct shape { virtual int area() const = 0; virtual ~shape() {} };
struct square : shape { int a = 2; int area() const override { return a * a; } };
struct line : shape { int area() const override { return 0; } };
__attribute__((noinline)) int measure(const shape &s) { return s.area(); }
int main()
{
	square s;
	line l;
	int sum = 0;
	for (int i = 0; i < 30; i++)
		sum += i % 3 ? measure(s) : measure(l);
	return sum == 80 ? 0 : 1;
}
END

# What stubs and monitors answer, cores of two programs, and page tables. The targets describe the first bytes.
mkdir "$dir/packets" "$dir/core" "$dir/page_walk"
# two OUT FIRST SECOND: makes the input OUT, whose two parts are the files FIRST and SECOND (see fuzz.h).
two() {
	python3 -c '
import sys
first, second = (open(p, "rb").read() for p in sys.argv[2:4])
open(sys.argv[1], "wb").write(len(first).to_bytes(4, "little") + first + second)' "$@"
}
# core NAME OPTIONS MAKER FLAG...: links a small program, and lets MAKER make its core.
core() {
	name=$1
	options=$2
	maker=$3
	shift 3
	clang-22 --target=x86_64-linux-gnu -O1 -mcmodel=kernel -fno-pic -fprofile-instr-generate -c -o "$work/c.o" "$work/core.c" &&
		ld.lld-22 -nostdlib -e choose -N --unresolved-symbols=ignore-all --build-id=sha1 "$@" -o "$work/small" "$work/c.o" &&
		python3 tests/outside/$maker "$work/small" "$work/copy" &&
		{ printf "$options" && cat "$work/copy"; } >"$work/core" && two "$dir/core/$name" "$work/small" "$work/core" ||
		{ echo "seeds: the core $name cannot be made" >&2; exit 1; }
}
echo 'char init_top_pgt[8]; int choose(int a, int b) { return a > 1 && b ? a : init_top_pgt[b & 7]; }' >"$work/core.c"
core virtual '\000' "memory.py --core"
core missing '\030' "memory.py --core" -Ttext=0x400000
core kernel '\000' tiny_core.py -Ttext=0xffffffff81001000
core paper '\037' tiny_core.py -Ttext=0xffffffff81001000

for way in sound runs noise acknowledged; do
	quiet=quiet
	[ $way != acknowledged ] || quiet=
	python3 tests/fuzz/outside_seeds.py requests "$work/small" $quiet >"$work/requests"
	{ printf '\000' && python3 tests/outside/stub.py "$work/small" $way <"$work/requests"; } >"$dir/packets/$way"
done
{
	printf '\003{"QMP": {"version": {}, "capabilities": []}}\r\n{"return": {}}\r\n{"return": {"running": true}}\r\n'
	printf '{"timestamp": {"seconds": 1}, "event": "STOP"}\r\n{"return": {}}\r\n{"return": {}}\r\n'
	printf '{"error": {"class": "GenericError", "desc": "Invalid addr"}}\r\n{"return": {}}\r\n{"return": {}}\r\n'
} >"$dir/packets/monitor"
python3 tests/fuzz/outside_seeds.py tables "$dir/page_walk"

# Two objects define the same weak function with different code.
cat >"$work/weak1.c" <<'END'
int (*called)(int);
__attribute__((weak)) int chosen(int n) { return n > 3 && called ? called(n) : n; }
int one(int n) { return n + 1; }
END
cat >"$work/weak2.c" <<'END'
__attribute__((weak)) int chosen(int n) { return n > 3 && n < 10 ? 1 : n == 5 || n == 7 ? 2 : n; }
int two(int n) { return n + 2; }
__attribute__((constructor)) static void run(void) { two(chosen(5)); }
END

# raw NAME LLVM SOURCE FLAG...: builds and runs a program, and stores its profile in all formats.
raw() {
	name=$1
	llvm=$2
	source=$3
	shift 3
	case $source in *.cc) compiler=clang++-$llvm ;; *) compiler=clang-$llvm ;; esac
	"$compiler" "$@" -o "$work/program" "$work/$source" &&
		LLVM_PROFILE_FILE="$dir/raw_read/$name" "$work/program" ||
		{ echo "seeds: $name cannot be made" >&2; exit 1; }
	"llvm-profdata-$llvm" merge -o "$dir/indexed_read/$name" "$dir/raw_read/$name" 2>/dev/null || return 0
	"llvm-profdata-$llvm" merge -text -o "$dir/text_read/$name" "$dir/raw_read/$name" 2>/dev/null
}

for llvm in 13 16 22; do
	raw "$llvm-fe" $llvm c.c -O1 -fprofile-instr-generate -fcoverage-mapping
	raw "$llvm-plain" $llvm c.c -fprofile-instr-generate -mllvm -enable-name-compression=false -Wl,--build-id=none
	raw "$llvm-ir" $llvm c.c -O1 -fprofile-generate
	raw "$llvm-cxx" $llvm cxx.cc -O1 -fprofile-generate
	raw "$llvm-weak" $llvm c.c -fprofile-instr-generate "$work/weak1.c" "$work/weak2.c"
	raw "$llvm-weak-ir" $llvm c.c -fprofile-generate "$work/weak2.c" "$work/weak1.c"
done
raw 16-entry 16 c.c -O1 -fprofile-generate -mllvm -pgo-function-entry-coverage
raw 22-mcdc 22 c.c -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
raw 22-bytes 22 c.c -fprofile-instr-generate -fcoverage-mapping -mllvm -enable-single-byte-coverage=true
raw 22-block 22 c.c -O1 -fprofile-generate -mllvm -pgo-block-coverage
raw 22-temporal 22 c.c -O1 -fprofile-generate -mllvm -pgo-temporal-instrumentation
raw 22-vtable 22 cxx.cc -O1 -fprofile-generate -mllvm -enable-vtable-value-profiling -fno-inline
raw 22-cs 22 c.c -O2 -fcs-profile-generate -fprofile-use="$dir/indexed_read/22-ir"

# correlated NAME FLAG...: makes a correlated profile and a small ELF file. This file has the same sections with
# records as the program that ran.
correlated() {
	name=$1
	shift
	raw "$name" 22 c.c "$@"
	clang-22 "$@" -c -o "$work/c.o" "$work/c.c" &&
		ld.lld-22 -nostdlib -e main --unresolved-symbols=ignore-all -o "$work/small" "$work/c.o" &&
		two "$dir/elf/$name" "$dir/raw_read/$name" "$work/small"
}
correlated 22-binary -O1 -fprofile-instr-generate -mllvm -profile-correlate=binary
correlated 22-debug -g -O1 -fprofile-generate -mllvm -disable-vp=true -mllvm -profile-correlate=debug-info
clang-16 -g -O1 -fprofile-instr-generate -fcoverage-mapping -c -o "$work/c.o" "$work/c.c"
ld.lld-16 -nostdlib -e main --unresolved-symbols=ignore-all -o "$work/small" "$work/c.o"
two "$dir/elf/16" "$dir/raw_read/16-fe" "$work/small"
two "$dir/doctor/16" "$dir/raw_read/16-fe" "$work/small"
two "$dir/elf/16-object" "$dir/raw_read/16-fe" "$work/c.o"
clang-16 -g -gz -O1 -c -o "$work/c.o" "$work/c.c"
two "$dir/elf/16-packed" "$dir/raw_read/16-fe" "$work/c.o"

# counters NAME LLVM FLAG...: makes a capture of counters, and of values if there are value sites. It also makes an
# ELF file that has only the sections with which the capture is completed.
counters() {
	name=$1
	llvm=$2
	shift 2
	"clang-$llvm" -O1 -fprofile-instr-generate -fcoverage-mapping "$@" -c -o "$work/c.o" "$work/c.c" &&
		"ld.lld-$llvm" -nostdlib -e main --unresolved-symbols=ignore-all --build-id=sha1 -z norelro -z nognustack -N \
			-o "$work/whole" "$work/c.o" &&
		"llvm-objcopy-$llvm" --strip-all -R .text -R .comment -R __llvm_covmap -R __llvm_covfun "$work/whole" "$work/small" &&
		python3 tests/capture/make.py "$work/small" "$work/capture" span=32 word="$word" values=3 dropped=1 few=$few uniform=yes &&
		two "$dir/capture/$name" "$work/small" "$work/capture" && two "$dir/doctor/$name" "$work/capture" "$work/small" ||
		{ echo "seeds: $name cannot be made" >&2; exit 1; }
}
word=8
few=30
counters 16-capture 16
word=10
counters 22-capture 22
few=0
counters 22-capture-zeros 22
few=30
counters 22-capture-mcdc 22 -fcoverage-mcdc
counters 22-capture-values 22 -mllvm -enable-value-profiling
word=0x100000000000000a
counters 22-capture-bytes 22 -mllvm -enable-single-byte-coverage=true
printf '\001\003\077\000\177\200\007\302\001\002\103' >"$dir/capture/items"
# Differences of words, with the distance 2.
printf '\005\002\002\152\100\141\000' >"$dir/capture/differences"

# assembly NAME OPTIONS COMPILER...: makes the text of a compiler. OPTIONS is the byte that rewrite.c describes.
assembly() {
	name=$1
	options=$2
	shift 2
	"$@" -w -S -o "$work/text.s" tests/host/samples/mip_functions.c &&
		{ printf "$options" && cat "$work/text.s"; } >"$dir/rewrite/$name" ||
		{ echo "seeds: assembly text of $* cannot be made" >&2; exit 1; }
}
assembly gcc-x86_64 '@' gcc -Os
assembly gcc-samples 'i' gcc -Os
assembly gcc-arm 'Y' arm-none-eabi-gcc -Os -mcpu=cortex-m4 -mthumb
assembly gcc-armv6m 'Z' arm-none-eabi-gcc -Os -mcpu=cortex-m0 -mthumb
assembly clang-aarch64 'Q' clang-22 --target=aarch64-none-elf -Os -fverbose-asm
assembly clang-arm '\\' clang-22 --target=armv7a-none-eabi -Os -fverbose-asm

for form in text frames file; do
	build/tests/bin/emit $form >"$dir/profile_read/$form"
done
cp "$dir/text_read/22-ir" "$dir/profile_read/text-profile"
for name in 22-ir 22-mcdc 22-cxx; do
	two "$dir/order/$name-text" "$dir/text_read/$name" "$dir/text_read/$name"
	two "$dir/order/$name" "$dir/raw_read/$name" "$dir/indexed_read/$name"
done
# Two profiles in which the same function has different numbers of counters and sites.
printf 'f\n1\n1\n7\n$1\n0x1\ng\n1\n1\n1\n1\n0\n1\n1\ng:5\n' >"$work/small"
printf 'f\n1\n2\n7\n8\n$2\n0x1\n0x4\ng\n1\n1\n1\n1\n0\n2\n1\nf:5\n0\n' >"$work/large"
two "$dir/order/shapes" "$work/small" "$work/large"
for pair in raw_read:profraw indexed_read:profdata text_read:proftext; do
	find "$vectors" -name "*.${pair#*:}" | sort | while read -r file; do
		cp "$file" "$dir/${pair%:*}/$(echo "${file#"$vectors"/}" | tr / -)"
	done
done
# Maps and machine profiles of both versions, each with a raw profile.
python3 tests/mip/make.py batch <<END
asm x86_64 12 out=$work/mip.s
script 0x100000 out=$work/mip.ld
map8 $work/1.map kinds=1 count=7
map8 $work/14.map kinds=14 count=7 blocks=3
END
clang-22 --target=x86_64-linux-gnu -c "$work/mip.s" -o "$work/mip.o" &&
	ld.lld-22 --build-id=sha1 -e 0 -T "$work/mip.ld" -o "$work/mip.elf" "$work/mip.o" &&
	objcopy --dump-section "__llvm_mipmap=$work/9.map" "$work/mip.elf" /dev/null ||
	{ echo "seeds: the image of a machine profile cannot be made" >&2; exit 1; }
python3 tests/mip/make.py batch <<END
raw $work/mip.elf $work/9.raw
raw $work/1.map $work/1.raw version=8
raw $work/14.map $work/14.raw version=8
END
"$program" mip merge --elf "$work/mip.elf" -o "$work/elf.mip" "$work/9.raw"
two "$dir/mip/elf" "$work/elf.mip" "$work/9.raw"
python3 tests/mip/make.py capture "$work/9.raw" "$work/mip.capture" span=16 uniform=1
two "$dir/capture/mip" "$work/mip.elf" "$work/mip.capture"
two "$dir/elf/mip" "$dir/raw_read/16-fe" "$work/mip.elf"
for version in 9 1 14; do
	two "$dir/mip/map$version" "$work/$version.map" "$work/$version.raw"
	"$program" mip merge --elf "$work/$version.map" -o "$work/$version.mip" "$work/$version.raw" 2>/dev/null
	two "$dir/mip/mip$version" "$work/$version.mip" "$work/$version.raw"
	[ $version = 9 ] || "$program" mip convert --to mip:8 -o "$work/8.mip" "$work/$version.mip"
	[ $version = 9 ] || two "$dir/mip/old$version" "$work/8.mip" "$work/$version.raw"
done
# An image with samples of return addresses.
make -s drop-in DIR="$work/drop" >"$work/log" 2>&1 &&
	BODY_SOURCES="$work" BODY_WRAP="$program mip cc --mode calls,sample=4" BODY_EXTRA="$work/drop/bareprof.c" \
		BODY_LINK="-Wl,-T,$work/drop/mip.ld -Wl,--gc-sections" \
		BODY_CFLAGS="-I$work/drop -DBAREPROF_MIP -DBAREPROF_MIP_SAMPLES_MODE -DGRAPH_ROUNDS=1 -DGRAPH_STEPS=9 -DGRAPH_SLOTS=32" \
		sh tests/mip/body/build.sh g x86_64 gcc "$work/body" && "$work/body/body" 3>"$work/samples.raw" >>"$work/log" &&
	"$program" mip merge --elf "$work/body/body" -o "$work/samples.mip" "$work/samples.raw" ||
	{ cat "$work/log"; echo "seeds: the image with samples cannot be made" >&2; exit 1; }
two "$dir/mip/samples" "$work/samples.mip" "$work/samples.raw"
# An image with block bytes of `mip cc`, and one with those of clang's counters.
for kind in blocks wraps; do
	wrap="$program mip cc --mode calls,blocks"
	flags=
	[ $kind = blocks ] || wrap='' flags=-fsanitize-coverage=bb,inline-8bit-counters,pc-table
	BODY_SOURCES="$work" BODY_WRAP="$wrap" BODY_EXTRA="$work/drop/bareprof.c tests/mip/body/mip_dump.c" \
		BODY_LINK="-Wl,-T,$work/drop/mip.ld -Wl,--gc-sections" \
		BODY_CFLAGS="-O0 -I$work/drop -DBAREPROF_MIP -DBAREPROF_MIP_CALLS_MODE -DBAREPROF_MIP_BLOCKS_MODE" \
		sh tests/mip/body/build.sh s x86_64 clang-22 "$work/$kind" $flags && "$work/$kind/body" 3>"$work/$kind.raw" >>"$work/log" &&
		"$program" mip merge --elf "$work/$kind/body" -o "$work/$kind.mip" "$work/$kind.raw" ||
		{ cat "$work/log"; echo "seeds: the image with blocks cannot be made" >&2; exit 1; }
	two "$dir/mip/$kind" "$work/$kind.mip" "$work/$kind.raw"
	two "$dir/elf/$kind" "$dir/raw_read/16-fe" "$work/$kind/body"
done
# The texts of two sample profiles.
cat >"$dir/sampleprof/probes" <<'END'
main:1200:3
 1: 3
 2: 100 f:60 g:40
 5: f:500
  1: 250
  4: _ZL3bazv.__uniq.123456:100
   1: 100 77:5
   !CFGChecksum: 77
   !Attributes: 2
  !CFGChecksum: 55
 !CFGChecksum: 1234567890123
# cold
77:0:0
 !CFGChecksum: 281479271677951
 !Flat
END
cat >"$dir/sampleprof/lines" <<'END'
main:1200:3
 1.2: 100 std::f<a b>:60 b:40
 65535: 0 x:0
 3: colon:5:1000
  4.3: 1000
 3.1: f:50
g::h(int, long):100:9
 1: 100
END
# Samples: texts, dumps and streams. samples.c describes the first byte of an input.
python3 tests/host/lib/samples.py <<END || { echo "seeds: the samples cannot be made" >&2; exit 1; }
$work/list form=file base=0x100000 range=0x2000 id=0011 rate=997 rings=2 samples=0x100010*3,0x101000 span=64
$work/stacks form=text base=0x100000 range=0x2000 words=3 samples=0x100010:0x100020*2,0x100030:0x100040:0x100050 generation=4
$work/counters form=text base=0x100000 range=0x200 shift=4 samples=0x100010*3,0x1001f0*9 append
$work/stream1 stream base=0x1000 range=0x200 order=> width=4 words=2 samples=0x1010:0x1020*2
$work/stream2 stream base=0x1000 range=0x200 order=< width=4 shift=6 samples=0x1010*70000
$work/stream3 stream base=0x1000 range=0x200 order=> shift=3 samples=0x1010
$work/stream4 stream base=0x1000 range=0x200 dropped=5 outside=6 samples=0x1010*4
END
cat "$work/list" "$work/stacks" >"$work/both"
for name in list stacks counters both; do
	{ printf '\000' && cat "$work/$name"; } >"$dir/samples/$name"
done
for kind in 1 2 3 4; do
	{ printf "\\00$kind" && cat "$work/stream$kind"; } >"$dir/samples/stream$kind"
done
printf '\000bareprof samples 1\n# remark\nbuild-id 0011\nrate 9\ntotal 8\nsamples\n0x10 3\n0x20 5 0x30 0x0 0x40\n' >"$dir/samples/text"
printf '\000bareprof samples 1\ncpus 2\ndropped 3\noutside 4\nhistogram 6\nsamples\n0x1040 1\n0xffffffffffffffff 2\n' >"$dir/samples/histogram"

# Pseudo probes: images and object files of both forms, and an image that has both.
probes() {
	"clang-$1" -O1 $2 -g1 -fpseudo-probe-for-profiling -ffreestanding -fno-pic -w -mllvm -pre-RA-sched=source \
		-c "tests/probes/sample/$3.c" -o "$work/$4.o" && llvm-objcopy-22 -g "$work/$4.o" ||
		{ echo "seeds: pseudo probes of clang $1 cannot be made" >&2; exit 1; }
}
for llvm in 13 22; do
	probes $llvm "" shared shared$llvm
	probes $llvm -ffunction-sections work work$llvm
	probes $llvm --target=armv7a-none-eabi shared arm$llvm
done
cp "$work/shared13.o" "$work/shared22.o" "$work/arm13.o" "$dir/probes/"
for pair in 13-13 22-22 13-22 22-13; do
	ld.lld-22 -e work -N --unresolved-symbols=ignore-all -o "$dir/probes/$pair" "$work/shared${pair%-*}.o" "$work/work${pair#*-}.o"
done
# Coverage mappings, each with the profile of a run. The ELF files have only the sections of the mapping.
mapping() {
	name=$1
	llvm=$2
	source=tests/coverage/sample/$3
	shift 3
	case $source in *.cc) clang=clang++-$llvm ;; *) clang=clang-$llvm ;; esac
	set -- -w "$@" -fprofile-instr-generate -fcoverage-mapping
	"$clang" "$@" -c "$source" -o "$work/mapping.o" 2>>"$work/log" && "$clang" -fprofile-instr-generate "$work/mapping.o" -o "$work/program" &&
		LLVM_PROFILE_FILE=$work/mapping.raw "$work/program" >/dev/null &&
		"llvm-profdata-$llvm" merge "$work/mapping.raw" -o "$work/mapping.profdata" &&
		llvm-objcopy-22 --only-section=__llvm_covmap --only-section=__llvm_covfun --only-section=__llvm_prf_names "$work/mapping.o" &&
		two "$dir/coverage/$name" "$work/mapping.profdata" "$work/mapping.o" ||
		{ echo "seeds: the mapping $name cannot be made" >&2; exit 1; }
}
for llvm in 13 19 22; do
	for source in flow macros; do mapping $source-$llvm $llvm $source.c; done
done
for llvm in 19 22; do
	mapping classes-$llvm $llvm classes.cc -std=c++17
	mapping decisions-$llvm $llvm decisions.c -fcoverage-mcdc
done
mapping first 22 macros.c -DMORE_PARTS -mllvm -enable-name-compression=false
rm -rf "$work"
