#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# capture.sh: tests/capture/make.py makes captures of counters as docs/SPEC.md describes them. From each capture,
# bareprof must make the profile that compiler-rt wrote or that make.py expects. bareprof must refuse a capture that
# does not fit its ELF file, and say why. tests/host/programs/faults.c tests damaged captures. Without BAREPROF_WIDE=1,
# each program is tested with one third or half of the variants of captures. This is enough, because the variants change
# from program to program: each variant is tested with several compilers and machines.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
make=$ROOT/tests/capture/make.py
python="python3 -S" # starts without the modules that Debian installs
cp "$ROOT"/tests/host/samples/program.[ch] "$ROOT"/tests/host/samples/other.c .

# left_out: succeeds if the next variant is to be left out. Without BAREPROF_WIDE=1, one of three variants stays.
turn=0
left_out() {
	turn=$((turn + 1))
	[ -z "${BAREPROF_WIDE-}" ] && [ $((turn % 3)) -ne 0 ]
}

# capture ELF NAME KEY=VALUE...: makes NAME.capture, and the expected profile in NAME.expected.
capture() {
	elf=$1
	name=$2
	shift 2
	$python "$make" "$elf" "$name.capture" "expected=$name.expected" "$@"
}

# gives ELF NAME: pull must make NAME.expected from NAME.capture. merge must make the same text from NAME.capture as
# from NAME.expected.
gives() {
	"$BAREPROF" pull "$2.capture" --elf "$1" -o "$2.pulled" && cmp "$2.pulled" "$2.expected" &&
		"$BAREPROF" merge --elf "$1" --text -o "$2.ours" "$2.capture" &&
		"$BAREPROF" merge --text -o "$2.theirs" "$2.expected" && cmp "$2.ours" "$2.theirs"
}

# hosted LLVM KIND FLAGS...: runs a program on this machine. The kernel loads it at another address than its link
# address, and compiler-rt writes its profile. From the program's counters and its ELF file alone, bareprof must make
# the same profile.
hosted() {
	llvm=$1
	elf=hosted.$1.$2
	shift 2
	clang-$llvm "$@" -Wl,--build-id=sha1 program.c other.c -o $elf 2>$elf.log &&
		LLVM_PROFILE_FILE=$elf.expected ./$elf 3 >/dev/null || return
	version=$(od -An -tu1 -j8 -N1 $elf.expected | tr -d ' ')
	turn=$((turn + 1))
	for told in $(if [ -n "${BAREPROF_WIDE-}" ]; then echo 0 $version; elif [ $((turn % 2)) -eq 0 ]; then echo 0; else echo $version; fi); do
		$python "$make" $elf $elf.capture profraw=$elf.expected told=$told span=64 seed=$llvm && gives $elf $elf || return
	done
}
fe="-O1 -fprofile-instr-generate -fcoverage-mapping"
ir="-O1 -fprofile-generate -mllvm -disable-vp=true"
values="-O1 -fprofile-generate"
for llvm in $(some_clang_releases); do
	command -v clang-$llvm >/dev/null || { not_ok "clang $llvm is missing"; continue; }
	check "clang $llvm: source coverage as compiler-rt" hosted $llvm fe $fe
	check "clang $llvm: IR PGO as compiler-rt" hosted $llvm ir $ir
	check "clang $llvm: values as compiler-rt" hosted $llvm values $values
	# Compilers before clang 19 are left out, because compiler-rt 16 does not pad byte counters, and clang 13 to 15
	# have no byte counters.
	[ $llvm -lt 19 ] ||
		check "clang $llvm: byte counters as compiler-rt" hosted $llvm bytes $ir -mllvm -pgo-function-entry-coverage
	[ $llvm -lt 19 ] || check "clang $llvm: MC/DC as compiler-rt" hosted $llvm mcdc $fe -fcoverage-mcdc
done

# image LLVM TARGET FLAGS...: links a bare-metal program with our linker script fragment. $kind holds the compiler
# options for instrumentation, which select source coverage unless a test sets $kind.
kind=$fe
image() {
	llvm=$1
	elf=image.$llvm.$2
	target=$2
	shift 2
	cat >image.c <<'C'
int odd(int x);
extern int data[], bss[];
int data[2] = {1, 2}, bss[2];
__attribute__((noinline)) int odd(int x) { return x & 1 ? x * 3 : x / 2; }
static int both(int a, int b) { return (a && b) || odd(a); }
__attribute__((noinline)) int call(int (*f)(int), int (*g)(int), int x) { return f(x) + g(x + 1); }
void entry(void);
void entry(void) { for (volatile int i = 0; i < 9; i++) call(odd, odd, both(i, i - 3)); }
C
	clang-$llvm --target=$target -O1 -ffreestanding -fno-pic $kind "$@" -c image.c -o $elf.o &&
		ld.lld-$llvm -T "$ROOT/build/linker/bareprof.ld" -T "$ROOT/tests/images/linker/kernel.ld" --defsym BASE=0x10000 \
			--defsym __llvm_profile_raw_version=0 --defsym __llvm_profile_runtime=0 --no-gc-sections --build-id=sha1 \
			--unresolved-symbols=ignore-all $elf.o -o $elf
}
version_of() { case $1 in 13) echo 7 ;; 14 | 15 | 16) echo 8 ;; *) echo 10 ;; esac; }
# bare LLVM TARGET: tests captures of a bare-metal program. In some captures, the load address differs from the link
# address. In some captures, the raw version is missing. The form, coding and order of the blocks vary too.
bare() {
	image "$@" || return
	word=$(version_of $llvm)
	for way in "told=0 order=random" "slide=0x200000 form=text span=24" "slide=0xfff00000 told=0 form=frames order=twice" \
		"coding=stored" "coding=numbers few=99" "uniform=yes span=8 few=9 form=text order=random"; do
		left_out || { capture $elf $elf word=$word $way && gives $elf $elf; } || return
	done
	# The capture has a raw version that clang $llvm does not write, but that has the same record layout.
	case $llvm,$* in 13,*) word=5 ;; *mcdc*) ;; 22,*) word=9 ;; esac
	left_out || { capture $elf $elf word=$word && gives $elf $elf; } || return
	# The records and names are in the ELF file, but are not loaded.
	! left_out || return 0
	lean=$elf.lean
	llvm-objcopy-$llvm --set-section-flags __llvm_prf_data=readonly --set-section-flags __llvm_prf_names=readonly $elf $lean
	capture $lean $lean word=$word slide=0x40000 && gives $lean $lean
}
for llvm in 13 16 22; do
	for target in x86_64-none-elf aarch64-none-elf thumbv7m-none-eabi aarch64_be-none-elf i386-none-elf; do
		case $llvm,$target in
		13,aarch64_be* | 13,i386*) continue ;;
		esac
		check "clang $llvm: $target" bare $llvm $target
	done
done
check "clang 22: x86_64 with MC/DC" bare 22 x86_64-none-elf -fcoverage-mcdc

# sited LLVM TARGET: tests captures with value sites. The sites have many values, a few or none, and the blocks are
# large or small.
sited() {
	image "$@" || return
	word=$((1 << 56 | $(version_of $llvm)))
	for way in "values=3 told=0 order=random" "values=255 slide=0x200000 span=48" "values=9 form=text span=32 dropped=0" \
		"values=0"; do
		left_out || { capture $elf $elf word=$word $way && gives $elf $elf; } || return
	done
	"llvm-profdata-$llvm" show --all-functions --ic-targets $elf.expected | grep -q 'Indirect Call Site Count: 2'
}
kind=$values
for llvm in 13 16 22; do
	for target in x86_64-none-elf thumbv7m-none-eabi aarch64_be-none-elf i386-none-elf; do
		case $llvm,$target in
		13,aarch64_be* | 13,i386*) continue ;;
		esac
		check "clang $llvm: $target with values" sited $llvm $target
	done
done
kind=$fe

# correlated NAME FLAGS...: tests a program whose records are in sections that are not loaded, or in debug
# information. The profile that compiler-rt writes for such a program also lacks the records.
correlated() {
	elf=correlated.$1
	shift
	clang-22 "$@" -Wl,--build-id=sha1 program.c other.c -o $elf && LLVM_PROFILE_FILE=$elf.raw ./$elf 3 >/dev/null &&
		$python "$make" $elf $elf.capture profraw=$elf.raw &&
		"$BAREPROF" merge --elf $elf --text -o $elf.ours $elf.capture &&
		"$BAREPROF" merge --elf $elf --text -o $elf.theirs $elf.raw && cmp $elf.ours $elf.theirs && grep -q '^main$' $elf.ours
}
check "binary correlation" correlated binary $fe -mllvm -profile-correlate=binary
check "debug information" correlated debug $ir -g -mllvm -profile-correlate=debug-info

elf=hosted.22.fe
old=hosted.16.fe
expected=$elf.expected
named() { $python "$make" $elf $1.capture profraw=$expected span=16 seed=5 "${2:-nonce=7}" "${3:-nonce=7}"; }
named whole
# wrong WHAT PATTERN KEY=VALUE ELF: merge must refuse the capture with a message that matches PATTERN, and must write
# nothing.
wrong() {
	named wrong "$3"
	rm -f none
	refuses "$1" "$2" "$BAREPROF" merge -o none --elf "${4:-$elf}" wrong.capture
	check "$1: nothing is written" test ! -e none
}
sha=[0-9a-f]{40}
named huge drop=2,-2,-1 claim=0x10000000000
refuses "counters of a terabyte, with --partial" 'has 1099511627776 bytes of counters, but the section __llvm_prf_cnts of the ELF' \
	sh -c "ulimit -v 300000; '$BAREPROF' merge --partial -o none --elf $elf huge.capture"
refuses "without an ELF file" 'has counters only; .* give that file with --elf, or its folder with --elf-dir' \
	"$BAREPROF" merge -o none whole.capture
wrong "of another build" "comes from another build than the ELF file $old \(build id $sha\): its own build id is $sha;" nonce=7 $old
cp $elf stripped
llvm-objcopy-22 -R __llvm_prf_data -R __llvm_prf_names stripped
wrong "an ELF file without records" 'the ELF file stripped has no records either .*; give the ELF file of the program that was run, as it was before strip' nonce=7 stripped
printf '\012\003xyz' >unpacked.names
printf '\004\000main' >one.names
for names in unpacked one; do
	llvm-objcopy-22 --update-section __llvm_prf_names=$names.names $elf $names
done
wrong "an ELF file with damaged names" 'the ELF file unpacked has a damaged names section; run .bareprof check. on that file' nonce=7 unpacked
named whole
check "pull warns of an ELF file that lacks names" sh -c "'$BAREPROF' pull --elf one -o one.pulled whole.capture 2>&1 |
	grep -q 'bareprof cannot read this profile, because [0-9]* of [0-9]* functions in the ELF file one have no name'"
wrong "an ELF file that lacks names" '[0-9]+ of [0-9]+ functions in the ELF file one have no name; run .bareprof check. on that file' nonce=7 one
wrong "other sizes" 'has [0-9]+ bytes of counters, but the section __llvm_prf_cnts of the ELF file .* has [0-9]+' resize=64
wrong "another version" 'has raw version 8, but the records in the ELF file .* have version 10' told=8
wrong "counters of a terabyte" 'block [0-9]+ of the dump [0-9a-f]+ is an END whose number does not agree with BEGIN' claim=0x10000000000
$python "$make" $elf stale.capture few=100 bits=64
refuses "counters in RAM that was not cleared" 'has a count of [0-9]+ in function .* set the counters to their start value when the program starts' \
	"$BAREPROF" pull -o none --elf $elf stale.capture
wrong "an image that was not stamped" "the build id of the image that was run is all zeros, because .* run 'bareprof stamp'" id=zero
printf '\004\000\000\000\024\000\000\000\003\000\000\000GNU\000%020d' 0 | tr 0 '\000' >zero.note
llvm-objcopy-22 --update-section .note.gnu.build-id=zero.note $elf unstamped
wrong "an ELF file that was not stamped" "the build id of unstamped is all zeros, because .* run 'bareprof stamp'" nonce=7 unstamped
wrong "an address where the image cannot be" 'had its counters at 0x[0-9a-f]+, but in the ELF file .* they are at 0x[0-9a-f]+; no loader moves them by this distance, because it is no multiple of their alignment, [0-9]+; give the ELF file' slide=3
wrong "a newer capture format" 'has a capture format that this bareprof does not know; use a newer bareprof' format=2
for kind in opcode opcode-c0 opcode-c1 opcode-c9 cut cut-middle more fewer none zeros zeros-wrap uleb large \
	uniform-none uniform-cut uniform-more uniform-zero uniform-128; do
	wrong "malformed: $kind" 'block 1 of the dump [0-9a-f]+ has data that cannot be decoded, although its checksum is right' wrong=$kind
done
wrong "a newer coding" 'block 1 of the dump [0-9a-f]+ has a coding that this bareprof does not know; use a newer bareprof' wrong=coding-6
wrong "a uniform block beyond the end" 'block [0-9]+ of the dump [0-9a-f]+ (arrived twice, as blocks of different types|comes after the last block)' wrong=uniform-far
$python "$make" image.22.aarch64-none-elf other.capture word=10 id=$("$BAREPROF" show $expected | sed -n 's/^build id: *//p')
refuses "another byte order or pointer width" 'is a 32-bit little-endian profile, but the ELF file .* is 64-bit' \
	sh -c "$python '$make' image.22.thumbv7m-none-eabi t.capture word=10 id=$("$BAREPROF" show $expected |
		sed -n 's/^build id: *//p') && '$BAREPROF' merge -o none --elf $elf t.capture"
clang-22 $fe -Wl,--build-id=none program.c other.c -o noid
$python "$make" noid noid.capture expected=noid.expected
"$BAREPROF" pull noid.capture --elf noid -o noid.pulled 2>said
check "without build ids: accepted" cmp noid.pulled noid.expected
check "without build ids: a warning" grep -q 'warning: it has no build id, so bareprof cannot check that the profile belongs to' said
refuses "without a build id, in a folder" 'has no build id, so its ELF file cannot be found in a folder' \
	"$BAREPROF" merge -o none --elf-dir . noid.capture

# The next captures are read with --elf-dir: bareprof must find the ELF file by its build id.
id=$("$BAREPROF" show $expected | sed -n 's/^build id: *//p')
mkdir -p tree/deep/er links/.build-id/"${id%"${id#??}"}" store/"${id%"${id#??}"}" empty
cp $elf tree/deep/er/kernel
cp $old tree/deep/older
cp $elf links/.build-id/"${id%"${id#??}"}/${id#??}.debug"
cp $elf store/"${id%"${id#??}"}/${id#??}.debug"
for dir in tree links store; do
	"$BAREPROF" pull --elf-dir $dir whole.capture -o found.$dir 2>/dev/null
	check "--elf-dir: $dir" cmp found.$dir $expected
done
refuses "--elf-dir without the right ELF file" "comes from another build than the 0 ELF files in empty: its own build id is $id" \
	"$BAREPROF" merge --elf-dir empty -o none whole.capture
refuses "--elf-dir that is not a folder" 'is not a folder; use --elf to give an ELF file' "$BAREPROF" merge --elf-dir $elf -o none whole.capture
"$BAREPROF" merge --text --elf $old --elf hosted.22.ir --elf $elf -o several.text whole.capture
check "several --elf, of which one fits" cmp several.text $elf.theirs

# Each command that reads captures must give the same result for the capture as for the expected profile.
check "show" sh -c "'$BAREPROF' show --all -c --elf $elf whole.capture >one && '$BAREPROF' show --all -c $expected | cmp one -"
check "convert" sh -c "'$BAREPROF' convert --to raw:9 --elf $elf whole.capture -o one &&
	'$BAREPROF' convert --to raw:9 $expected -o two && cmp one two"
check "report" sh -c "'$BAREPROF' report $elf whole.capture >one && '$BAREPROF' report $elf $expected >two && cmp one two &&
	grep -q TOTAL one"
"$BAREPROF" pull whole.capture -o kept 2>said
check "pull without the ELF file keeps the capture" cmp kept whole.capture
check "pull without the ELF file says what to do" grep -q "saved as a capture: 'bareprof merge', 'show' and" said
"$BAREPROF" pull whole.capture 2>/dev/null || cp whole.capture console.log
cp whole.capture console.log
"$BAREPROF" pull console.log 2>/dev/null
check "pull without the ELF file: the name of the capture" cmp console.capture whole.capture
"$BAREPROF" pull --all all whole.capture 2>/dev/null
check "pull --all" sh -c "cmp all/*.capture whole.capture"
"$BAREPROF" pull --list whole.capture >list
check "pull --list" grep -q '64-bit, [0-9]* bytes of counters, build id [0-9a-f]*  complete$' list
"$BAREPROF" merge --elf $elf --text -o times whole.capture whole.capture -f - <<END
5,whole.capture
END
"$BAREPROF" merge --text --weight 7 -o seven $expected
check "merge, many times" cmp times seven

# Tests incomplete captures. merge must leave out the functions that did not arrive completely, and must name them.
named part drop=2
refuses "an incomplete capture" 'block 2 of [0-9]+ is missing; .*; with --partial, the functions that arrived completely are used' \
	"$BAREPROF" merge -o none --elf $elf part.capture
"$BAREPROF" merge --partial --left-out left --text -o part.text --elf $elf part.capture 2>said
check "--partial: a warning" grep -Eq 'warning: is partial because block 2 of [0-9]+ is missing: [1-9] of [0-9]+ functions are left out: [a-z]' said
"$BAREPROF" show --all -c $expected >whole.list
"$BAREPROF" show --all -c part.text >part.list
python3 - "$elf" <<'PY' >verdict
import sys

def functions(path):
    """Name to counters, of a .proftext."""
    out = {}
    lines = [l for l in open(path).read().split("\n") if not l.startswith(("#", ":"))]
    text = "\n".join(lines).strip("\n").split("\n\n")
    for entry in text:
        name, _, count, *rest = entry.split("\n")
        out[name] = rest[: int(count)]
    return out

whole, part = functions(sys.argv[1] + ".theirs"), functions("part.text")
left = open("left").read().split("\n")[:-1]
print("same" if left and part and all(whole[n] == c for n, c in part.items())
      and sorted(list(part) + left) == sorted(whole) else "not the same")
PY
check "--partial: the other functions have all counts, and each missing one is named" grep -qx same verdict
check "--partial: convert and pull warn as well" sh -c "
	'$BAREPROF' convert --partial --to text --elf $elf -o one part.capture 2>&1 | grep -q 'warning: is partial' &&
	'$BAREPROF' convert --partial --to raw:10 --elf $elf -o two part.capture 2>&1 | grep -q 'warning: is partial' &&
	'$BAREPROF' pull --partial --left-out three --elf $elf -o two part.capture 2>&1 | grep -q 'warning: is partial' &&
	cmp one part.text && cmp three left"
named part drop=0
refuses "--partial without BEGIN" 'block 0 \(BEGIN\) of [0-9]+ is missing' "$BAREPROF" merge --partial -o none --elf $elf part.capture
named part span=100000 drop=1
refuses "--partial without a complete function" 'so not even a partial profile is possible' \
	"$BAREPROF" merge --partial -o none --elf $elf part.capture
named part drop=-1
"$BAREPROF" merge --partial --text -o part.text --elf $elf part.capture 2>/dev/null
check "--partial without END: all functions" cmp part.text $elf.theirs
named boot1 drop=2 nonce=1
named boot2 drop=3 nonce=2
cat boot1.capture boot2.capture >boots
refuses "blocks of two boots" '1 other incomplete dump cannot fill the gaps, because only blocks of the same image and boot, without a reset between them, belong together' \
	"$BAREPROF" merge -o none --elf $elf boots

# programs/faults.c damages the captures of two runs of one image, each with counters, bitmaps and its own nonce. Both
# runs use the same load address, so that the damage is the same each time this test runs.
for n in 3 5; do
	LLVM_PROFILE_FILE=run$n.raw ./hosted.22.mcdc $n >/dev/null &&
		capture hosted.22.mcdc run$n profraw=run$n.raw slide=0x200000 span=16 nonce=$n generation=$n ||
		not_ok "no capture to damage"
done
"$ROOT/build/tests/bin/faults" hosted.22.mcdc run3.capture run3.expected run5.capture run5.expected ||
	not_ok "faults ended with an error"
