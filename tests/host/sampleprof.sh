#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sampleprof.sh: tests the writers and the reader of sample profiles with each release of LLVM. llvm-profdata must read
# from our files what it reads from its own files, and clang must apply the samples. With BAREPROF_WIDE=1, each release
# reads 20 random profiles of each kind instead of one.
. "$(dirname "$0")/../lib.sh"
program=$ROOT/build/tests/bin/sampleprof
newest=$(newest_clang)
seeds=1
[ -n "${BAREPROF_WIDE-}" ] && seeds=20
cd "$WORK" || exit 1

"$program" unit

# All features, in the order of a writer. Random profiles have other names.
cat >probes <<'END'
hand_main:18446744073709551615:7
 1: 3
 2: 100 foo:60 bar:40
 65535: 0
 5: foo:500
  1: 250
  2: 250
  4: _ZL3bazv.__uniq.123456:100
   1: 100 at:7:5
   !CFGChecksum: 77
   !Attributes: 2
  !CFGChecksum: 55
 5: quux:18446744073709551615
  1: 9223372036854775807
  !CFGChecksum: 18446744073709551615
 !CFGChecksum: 1234567890123
hand_calls:90:9
 1: 90
 !CFGChecksum: 55
 !Attributes: 3
hand_cold:0:0
 1: 0
 !CFGChecksum: 281479271677951
END
cat >lines <<'END'
hand_main:1200:3
 0: 3
 1.2: 100 std::f<a b>:60 b:40 c:40
 1.4294967295: 47
 65535: 0 x:0
 3: colon:5:1000
  4.3: 1000
 3: foo:0
 3.1: foo:50
  1: 50
hand::calls(int, long):100:9
 1: 100
END

for kind in probes lines; do
	check "$kind: the text that was read is written without a change" sh -c "'$program' text 22 $kind | diff $kind -"
done

# same_profile N FILE SOURCE: llvm-profdata-N reads from FILE the profile SOURCE, a text of our writer. Before LLVM 14,
# llvm-profdata writes functions with the same total in any order, so our reader and writer sort them.
same_profile() {
	"llvm-profdata-$1" merge --sample --text "$2" -o seen || return
	[ "$1" -gt 13 ] || { mv seen unsorted && "$program" text "$1" unsorted >seen; } || return
	diff seen "$3"
}

# summary N FILE OPTION: prints the summary in FILE, with all cutoffs, and the list of symbols, if OPTION asks for it.
summary() {
	"llvm-profdata-$1" show --sample --detailed-summary ${3:+"$3"} "$2" |
		sed -n '/^Total functions/,$p; /^cold[0-9]*$/p' | LC_ALL=C sort
}

# same_summary N FILE SOURCE: FILE has the same summary as the file that llvm-profdata-N makes from the text SOURCE, and
# the 10 symbols of a random profile, which text does not have.
same_summary() {
	"llvm-profdata-$1" merge --sample --extbinary "$3" -o theirs || return
	summary "$1" "$2" --show-prof-sym-list >ours.summary &&
		{ seq -f cold%g 0 9 && summary "$1" theirs; } | LC_ALL=C sort >theirs.summary &&
		grep -q '99.9999' ours.summary && diff theirs.summary ours.summary
}

# same_guids N FILE SOURCE: FILE has GUIDs in place of names. Nothing can read the GUIDs of inlinees from text, so
# llvm-profdata writes SOURCE with GUIDs too, and the lines are compared without their order.
same_guids() {
	"llvm-profdata-$1" merge --sample --extbinary --use-md5 "$3" -o theirs.guids &&
		"llvm-profdata-$1" merge --sample --text theirs.guids -o theirs.text &&
		"llvm-profdata-$1" merge --sample --text "$2" -o ours.text &&
		! grep -q hand_main ours.text && sort theirs.text >theirs.lines && sort ours.text | diff theirs.lines -
}

cat >code.c <<'END'
__attribute__((noinline)) int loop(int n) { for (int i = 0; i < n; i++) n ^= i * 5; return n; }
static __attribute__((noinline)) int leaf(int n) { if (n > 5) return n - 1; return n * n; }
static int small(int n) { if (n & 1) return loop(n); return leaf(n); }
int test(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += small(i); return sum; }
END
compile="-O2 -g1 -fpseudo-probe-for-profiling"

# code_profile N: prints a profile of code.c with the hashes of clang N.
code_profile() {
	# shellcheck disable=SC2086
	"clang-$1" $compile -S -emit-llvm -o code.ll ../code.c &&
		sed -n 's/^![0-9]* = !{i64 [-0-9]*, i64 \([0-9]*\), !"\(.*\)"}$/\1 \2/p' code.ll |
		awk '{ sum[$2] = $1; if ($2 ~ /leaf/) leaf = $2; if ($2 ~ /small/) small = $2 }
		END {
			print "loop:2400:500\n 1: 500\n 2: 100\n 3: 1400\n !CFGChecksum: " sum["loop"]
			print "test:3010:10\n 1: 10\n 2: 1000\n 3: 900\n 5: " small ":1100\n  1: 600\n  2: 500"
			print "  !CFGChecksum: " sum[small] "\n !CFGChecksum: " sum["test"]
			print leaf ":600:500\n 1: 501\n 2: 99\n !CFGChecksum: " sum[leaf]
		}'
}

# applied N FILE: clang N applies the samples of FILE: the counts of all three functions, and from 19 on, whose probes
# have other numbers, also those of the inlinee.
applied() {
	# shellcheck disable=SC2086
	"clang-$1" $compile -fprofile-sample-use="$2" -Rpass-analysis=sample-profile -S -o code.s ../code.c 2>said || return
	counts="500 1400 10 1000 501 99"
	[ "$1" -lt 19 ] || counts="$counts 600"
	for count in $counts; do
		grep -q "Applied $count samples from profile (ProbeId=" said || { echo "$count was not applied"; cat said; return 1; }
	done
}

# release N: runs the tests of LLVM N in a folder of its own.
release() {
	mkdir -p "$WORK" && cd "$WORK" || return
	for kind in probes lines; do
		for seed in $(seq "$1" 100 $((100 * seeds))); do
			check "LLVM $1, $kind, seed $seed: the reader loses nothing" "$program" files "$1" our "../$kind" "$kind:$seed"
			check "LLVM $1, $kind, seed $seed: text" same_profile "$1" our.text our.text
			check "LLVM $1, $kind, seed $seed: ext-binary" same_profile "$1" our.binary our.text
			[ "$seed" = "$1" ] || continue
			if [ $kind = lines ]; then
				check "LLVM $1: summary and list of symbols of ext-binary" same_summary "$1" our.binary our.text
			elif [ "$1" -eq 13 ] || [ "$1" -eq "$newest" ]; then
				check "LLVM $1: GUIDs" same_guids "$1" our.guids our.text
			fi
		done
	done
	code_profile "$1" >code
	"$program" files "$1" code code
	for form in text binary guids; do
		check "clang $1 applies samples, $form" applied "$1" "code.$form"
	done
}
releases=$(clang_releases)
for llvm in $releases; do (WORK=$WORK/$llvm && release "$llvm") >"log.$llvm" 2>&1 & done
wait
for llvm in $releases; do cat "log.$llvm"; done

# flags: the newest llvm-profdata shows the flags of all sections of a probe profile with attributes.
flags() {
	"$program" files "$newest" flags probes &&
		"llvm-profdata-$newest" show --sample --show-sec-info-only flags.binary |
		sed -n 's/^\([A-Z][A-Za-z]*\) - .*Flags: /\1 /p' | diff - flags.expected
}
cat >flags.expected <<'END'
ProfileSummarySection {preInlined}
NameTableSection {uniq}
FuncOffsetTableSection {}
LBRProfileSection {}
FunctionMetadata {probe,attr}
END
check "flags of sections" flags

# cold_symbol: the newest clang takes cold3() for cold, because it is in the list of symbols and has no samples. It
# would not do so if cold3 was also in the table of names.
cold_symbol() {
	printf 'test:100:10\n 0: 100\n' >test.text
	printf 'int %s(int n) { return n * 3; }\n' test cold3 fresh >cold.c
	"$program" files "$newest" cold test.text lines:1 &&
		"clang-$newest" -O2 -gline-tables-only -fprofile-sample-use=cold.binary -S -emit-llvm -o cold.ll cold.c &&
		sed -n -e 's/^define.* @\([a-z0-9]*\)(.*!prof \(![0-9]*\) {$/\1 \2/p' \
			-e 's/^\(![0-9]*\) = .*function_entry_count", i64 \(.*\)}$/\1 \2/p' cold.ll |
		awk '/^!/ { count[$1] = $2; next } { entry[$1] = $2 }
		END { exit !(count[entry["test"]] == 100 && count[entry["cold3"]] == "0" && count[entry["fresh"]] == -1) }'
}
check "clang takes a function in the list of symbols for cold if it has no samples" cold_symbol

# ranges N: llvm-profgen makes a profile from the counts of three ranges and a call: test() ran as a whole, and the
# start of loop() ran more often than the rest. Our reader and writers keep this profile. -g1 would not be enough:
# llvm-profgen-19 finds functions by their debug information, and -g1 leaves out functions without inlinees.
ranges() {
	# shellcheck disable=SC2086
	"clang-$1" $compile -g -nostdlib -static -Wl,-e,test -o ranges.elf code.c &&
		"llvm-objdump-$1" -d --no-show-raw-insn --disassemble-symbols=test,loop ranges.elf >ranges.s &&
		awk '/^[0-9a-f]+ </ { name = $2; first[name] = $1; count[name] = 0 }
		/^ *[0-9a-f]+:/ && $2 !~ /^nop/ {
			sub(":", "", $1)
			last[name] = $1
			if (++count[name] == 3)
				third[name] = $1
			if (name == "<test>:" && /call.*<loop>/)
				call = $1
		}
		END {
			print first["<test>:"], last["<test>:"], 70
			print first["<loop>:"], third["<loop>:"], 5000
			print first["<loop>:"], last["<loop>:"], 300
			print call, ">", first["<loop>:"], 41
		}' ranges.s >ranges.in && "$program" ranges <ranges.in >ranges || return
	for form in text extbinary; do
		"llvm-profgen-$1" --binary=ranges.elf --unsymbolized-profile=ranges --use-offset=0 --format=$form \
			--output="ranges.$form" || return
	done
	grep -q '^loop:12100:5300$' ranges.text && grep -q '^ 1: 5300$' ranges.text && grep -q ' 3: 70 loop:41$' ranges.text &&
		"$program" files "$1" ours ranges.text && same_profile "$1" ranges.text ours.text &&
		same_profile "$1" ours.binary ours.text && same_profile "$1" ranges.extbinary ours.text
}
check "llvm-profgen makes a profile from counts of ranges, and we read and write it" ranges 19
refuses "a range that ends before it starts" "^the range 0x20 to 0x1f ends" sh -c "echo 20 1f 7 | '$program' ranges"
