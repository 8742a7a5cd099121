#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# porting_firmware.sh: runs the commands of docs/PORTING-FIRMWARE.md one by one, as a stranger would. The firmware of
# the page starts in flash. With each clang that the page names, the counts of flash and of RAM must be in the profile,
# and without the bias they must not be, because otherwise QEMU's flash would prove nothing.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

NEW=$(newest_clang)
newcomer "$NEW" clang ld.lld llvm-objcopy
examples docs/PORTING-FIRMWARE.md "$WORK/page"
try_examples
check "bareprof check finds nothing" sh -c "grep -q 'Nothing is missing' '$steps'/*.out"

# counts FOLDER: prints the first counter of each function in the profile.
counts() {
	"$BAREPROF" merge --text "$1/firmware.profraw" -o - |
		awk -F '\n' -v RS= '{ sub(/^(:.*\n|#.*\n)*/, ""); split($0, line, "\n"); print line[1], line[7] }' | sort
}
expected=$(printf '%s\n' "checksum 2" "in_flash 1" "in_ram 1")
# counted WHAT FOLDER: checks the counts of the code that runs in flash, and of the code that runs in RAM.
counted() {
	actual=$(counts "$2")
	check "$1: the profile has the counts of flash and of RAM" test "$actual" = "$expected" || echo "$actual"
}
counted "clang $NEW" "$WORK/page/firmware"

# The commands of the page, without those that only write files.
cat "$(grep -l fprofile-instr-generate "$steps"/*.run | head -n 1)" "$(grep -l 'objcopy' "$steps"/*.run)" \
	"$(grep -l qemu-system "$steps"/*.run)" >"$WORK/build"
# other WHAT LLVM BUILD SCRIPT [SOURCE]: runs the commands of the page with another release of clang, after the changes
# that sed makes to the commands, to the linker script and to the source.
other() {
	copy=$WORK/$(echo "$1" | tr -c '[:alnum:]\n' -)
	rm -rf "$copy"
	cp -R "$WORK/page/firmware" "$copy"
	rm -f "$copy"/*.o "$copy"/console.log "$copy"/*.profraw
	plain_tools "$2" clang ld.lld llvm-objcopy
	(cd "$copy" && sed -e "$3" "$WORK/build" >build && sed -i -e "$4" ./firmware.lds.S && sed -i -e "${5-}" firmware.c &&
		timeout 20 sh -e ./build) >"$copy.said" 2>&1
}
for llvm in ${BAREPROF_WIDE:+15 19} 16; do
	command -v "clang-$llvm" >/dev/null || { skip "clang $llvm: not installed"; continue; }
	other "clang $llvm" "$llvm" '' ''
	counted "clang $llvm" "$copy"
done

# GNU ld must also prefer the biases of the script to the runtime's constants.
other "GNU ld" "$NEW" 's/^ld\.lld/aarch64-linux-gnu-ld/' ''
counted "GNU ld" "$copy"

# The scripts of other trees are often not preprocessed. With bareprof.ld, such a script needs one section. GNU
# ld links it with BAREPROF_WIDE=1.
for linker in ld.lld ${BAREPROF_WIDE:+aarch64-linux-gnu-ld}; do
	other "one section, $linker" "$NEW" "s/^ld\\.lld/$linker/; s/-T firmware.ld/-T bareprof.ld &/" '/BAREPROF_BIAS/s/.*/'"$(
		sed -n 's/^\.bareprof_bias : .*/&/p' "$ROOT/docs/PORTING-FIRMWARE.md" | sed 's/0x40800000/0x40200000/')"'/; /#include/d; /BAREPROF_/d'
	counted "one section, $linker" "$copy"
done

# Without the bias, code in flash stores its counts into the flash. The flash takes each store for a command, so these
# counts are lost. If a count has the value of a real command, the firmware stops. This test makes the count 16, which
# is the command 0x10. For this, the loop of 16 rounds counts in a register, and clang stores the count once at its end.
plain='s/^bareprof check.*//; s/^qemu-/timeout 1 &/'
other "no bias and a command" "$NEW" \
	"$plain; s/-fprofile-instr-generate -fcoverage-mapping/-fprofile-generate -mllvm -disable-vp=true -fno-unroll-loops -fno-vectorize/" \
	'/BAREPROF_BIAS/d' 's/"flash", 5/"flash\\0flash\\0123", 16/'
check "without the bias, a count that is a command stops the firmware" \
	sh -c "[ -e '$copy/console.log' ] && ! grep @bp '$copy/console.log'"
other "no bias" "$NEW" "$plain" '/BAREPROF_BIAS/d'
check "without the bias, the counts of flash are lost" test "$(counts "$copy" | tr '\n' ' ')" = "checksum 1 in_flash 0 in_ram 1 "
"$BAREPROF" check --mapped 0x40000000:0x44000000 "$copy/firmware.elf" >"$copy.said"
check "bareprof check names the bias and the option" grep -q 'put BAREPROF_BIAS(ADDRESS, ) .*-runtime-counter-relocation' "$copy.said"
check "bareprof check refuses it" grep -q '^error: __llvm_prf_cnts extends from 0x.*would fault, or hang' "$copy.said"
other "no option" "$NEW" "$plain; s/-mllvm -runtime-counter-relocation//" ''
check "without the option, the counts of flash are lost" test "$(counts "$copy" | tr '\n' ' ')" = "checksum 1 in_flash 0 in_ram 1 "
"$BAREPROF" check --mapped 0x40000000:0x44000000 "$copy/firmware.elf" >"$copy.said"
check "bareprof check warns of it" grep -q '^warning: the image has a bias .* 2 instrumented functions count without it (in_flash, in_ram' "$copy.said"
other "a bias out of RAM" "$NEW" 's/^bareprof check.*//; s/^qemu-.*/exit/' 's/0x40200000/0x50000000/'
"$BAREPROF" check --mapped 0x40000000:0x44000000 "$copy/firmware.elf" >"$copy.said"
check "bareprof check refuses a bias to addresses outside of RAM" \
	grep -q '^error: __llvm_prf_cnts, with its bias, extends from 0x50000000 to ' "$copy.said"
check "a list of sections without the bias: bareprof check --bin names it" sh -c "
	llvm-objcopy-$NEW -O binary -R .bareprof_bias '$WORK/page/firmware/firmware.elf' '$WORK/bin.bin'
	'$BAREPROF' check --bin '$WORK/bin.bin' '$WORK/page/firmware/firmware.elf' | grep '^error: .*lacks .*bareprof_bias'"
