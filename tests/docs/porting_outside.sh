#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# porting_outside.sh: runs the commands of docs/PORTING-OUTSIDE.md one by one, as a stranger would. The firmware of the
# page must contain nothing of bareprof, and its profile must have the exact counts.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

NEW=$(newest_clang)
newcomer "$NEW" clang ld.lld
examples docs/PORTING-OUTSIDE.md "$WORK/page"
try_examples
firmware=$WORK/page/outside

# The linker fragment defines symbols at the bounds of sections. They have no size and no type.
table() { "llvm-readelf-$NEW" -sW "$firmware/firmware.elf" | awk -v type="$1" '$4 == type { print $8 }' | sort | tr '\n' ' '; }
functions=$(table FUNC)
variables=$(table OBJECT | sed 's/__covrec_[0-9A-F]*u* //g')
check "the only functions are those of the firmware" test "$functions" = "count_primes reset " || echo "    $functions"
check "the only variables are those of the firmware and of clang" \
	test "$variables" = ".L__profc_count_primes .L__profc_primes.c_is_prime vectors " || echo "    $variables"

# is_prime() is called for 100 numbers. Its loop ran 235 times, and 73 numbers had a divisor.
counts=$("$BAREPROF" show --counts "$firmware/firmware.profraw" | sed -n 's/^  \([0-9 ]*\)$/\1/p' | tr '\n' ',')
check "the counts are exact" test "$counts" = "1 100,100 235 73," || echo "    $counts"

# The page reads memory through gdb's protocol and with `bareprof run`. All other ways must give the same file.
cat >"$WORK/dump" <<END
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S s.qmp ] || sleep 0.1; done
sleep 1
"$BAREPROF" pull --from qmp:s.qmp --leave stopped --elf firmware.elf -o qmp.profraw
python3 "$ROOT/tests/outside/dump.py" s.qmp core
python3 "$ROOT/tests/outside/dump.py" s.qmp kdump kdump-zlib
END
cd "$firmware" || exit 1
qemu-system-arm -machine mps2-an385 -display none -monitor none -serial null -kernel firmware.elf \
	-qmp unix:s.qmp,server=on,wait=off >qemu.log 2>&1 &
qemu=$!
check "QEMU's monitor reads the firmware, and dumps its memory" sh -e "$WORK/dump"
kill $qemu
check "QEMU's monitor: the same profile" cmp qmp.profraw firmware.profraw
# same WAY: reads the dump of memory that has this name.
same() {
	"$BAREPROF" pull --from "$1:$1" --elf firmware.elf -o "$1.profraw" && cmp "$1.profraw" firmware.profraw
}
check "core: the same profile" same core
check "kdump: the same profile" same kdump
cd "$ROOT" || exit 1

# Other releases of clang: the commands of the page, with the symbols that the page names for old ones.
other() {
	copy=$WORK/clang-$1
	rm -rf "$copy"
	cp -R "$firmware" "$copy"
	plain_tools "$1" clang ld.lld
	symbols=
	[ "$1" -gt 16 ] || symbols=$(sed -n 's/^`\(--defsym.*\)`\. In other.*/\1/p' docs/PORTING-OUTSIDE.md)
	cat "$(grep -l 'defsym' "$steps"/*.run)" "$(grep -l 'qemu-system' "$steps"/*.run | head -n 1)" | sed "s/--defsym/$symbols &/" >"$copy/all"
	(cd "$copy" && rm -f ./*.o ./*.elf ./*.profraw stub.sock && sh -e ./all) || return
	"$BAREPROF" show --counts "$copy/firmware.profraw" | sed -n 's/^  \([0-9 ]*\)$/\1/p' | tr '\n' ',' | grep -qx '1 100,100 235 73,'
}
for llvm in ${BAREPROF_WIDE:+14 15 19} 13 16; do
	check "clang $llvm: the counts are exact" other "$llvm"
done
