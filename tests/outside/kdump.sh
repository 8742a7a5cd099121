#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kdump.sh - reads kernel dumps. QEMU writes the memory of the demo kernel, flattened. All ways to read the memory at this
# moment must give the same profile, byte for byte. Damaged dumps end in one sentence and with no file, also not in
# TMPDIR. A library that is missing, or that crashes, ends in one sentence, too.
. "$(dirname "$0")/../lib.sh"

make -s image BOARD=x86_64 LLVM=22 KIND=values DROPIN="$DROP_IN" OUT="$WORK" >"$WORK/log" || { fails "the kernel is built" "$WORK/log"; exit 0; }
mkdir -p "$WORK/boards/x86_64" "$WORK/tmp"
sed "s|{elf}|& -S -qmp unix:$WORK/s.qmp,server=on,wait=off -gdb unix:$WORK/s.gdb,server=on,wait=off|" qemu/x86_64/board.conf \
	>"$WORK/boards/x86_64/board.conf"
cat >"$WORK/script" <<END
cd '$WORK'
'$BAREPROF' pull --from qmp:s.qmp --elf kernel.elf -o expected
python3 '$ROOT/tests/outside/dump.py' s.qmp core
python3 '$ROOT/tests/outside/dump.py' s.qmp flat kdump-zlib
END
check "a guest is dumped" sh -c "python3 tests/outside/hold.py '$WORK/kernel.elf' '$WORK/s' 'test\ncov dump\nexit\n' '$WORK/script' |
	BAREPROF_BOARDS='$WORK/boards' '$BAREPROF' run --board x86_64 -o '$WORK/sent' '$WORK/kernel.elf'"
cd "$WORK" || exit 1
check "the guest sends the same" cmp sent expected
rm -f s.qmp s.gdb
TMPDIR=$WORK/tmp
export TMPDIR

# same WHAT FROM: reads a profile as expected.
same() { check "$1" sh -c "rm -f out && '$BAREPROF' pull --from '$2' --elf kernel.elf -o out && cmp out expected"; }
# wrong WHAT PATTERN FROM: pull fails with one line that matches PATTERN, and leaves no file.
wrong() {
	rm -f out
	refuses "$1" "$2" timeout 60 "$BAREPROF" pull --from "$3" --elf kernel.elf -o out
	[ ! -e out ] || not_ok "$1: wrote a file"
}
check "makedumpfile puts the pieces together" sh -c "makedumpfile -R united <flat"
same "core:" core:core
same "a flattened dump" kdump:flat
same "a dump" kdump:united
wrong "an ELF core" "kdump:core: is an ELF file: if it is a core, use core:FILE" kdump:core
wrong "core: with a dump" 'core:united: is a kernel dump and no ELF core: use kdump:FILE' core:united
wrong "core: with a flattened dump" 'is a kernel dump and no ELF core: use kdump:FILE' core:flat
wrong "a text" 'script: is no kernel dump' kdump:script
wrong "a longer text" 'is no kernel dump of makedumpfile, diskdump or QEMU; for a plain copy' "kdump:$ROOT/README.md"
wrong "no file" 'no-such-file: cannot be opened' kdump:no-such-file

lies='is a damaged flattened dump: the piece at offset [0-9]+ claims -?[0-9]+ bytes at offset -?[0-9]+ of the dump; copy'
cut='is cut off: it ends at offset [0-9]+, before the end mark'
for way in negative-offset negative-size no-size far around half-end; do
	python3 "$ROOT/tests/outside/kdump.py" flat $way lies
	wrong "a flattened dump that lies: $way" "$lies" kdump:lies
done
for way in long no-end cut-in-piece cut-in-header; do
	python3 "$ROOT/tests/outside/kdump.py" flat $way lies
	wrong "a flattened dump that is cut off: $way" "$cut" kdump:lies
done
for way in version type; do
	python3 "$ROOT/tests/outside/kdump.py" flat $way lies
	wrong "a flattened dump of another $way" 'bareprof knows only type 1, version 1: convert it with makedumpfile -R' kdump:lies
done
for way in page-size split huge cut-in-bitmaps cut-in-descriptors cut-last descriptor blocks pages filtered no-memory; do
	python3 "$ROOT/tests/outside/kdump.py" united $way damaged.$way
done
for way in cut-last descriptor; do
	wrong "a damaged dump: $way" 'is cut off: its pages end at offset [0-9]+, and the file has [0-9]+ bytes; copy' kdump:damaged.$way
done
wrong "a dump that is cut off in its bitmaps" 'is cut off: its bitmaps end at offset' kdump:damaged.cut-in-bitmaps
wrong "a dump that is cut off in its descriptors" 'is cut off: its descriptors of pages end at offset' kdump:damaged.cut-in-descriptors
wrong "a dump with blocks of 5 bytes" 'is a damaged kernel dump: its header has no size of a block' kdump:damaged.blocks
python3 "$ROOT/tests/outside/tiny_kdump.py" tiny flat
wrong "a dump of another machine" 'nor elsewhere in the 12 KiB of memory that bareprof searched' kdump:tiny
python3 "$ROOT/tests/outside/tiny_kdump.py" paper paper
check "64 GiB on paper take neither time nor room" sh -c "timeout 10 '$BAREPROF' pull --elf kernel.elf -o out \
	--from kdump:paper 2>&1 | grep -q 'nor elsewhere in the 12 KiB of memory that bareprof searched'"
same "a dump with a note about pages of another size" kdump:damaged.page-size
wrong "one of several files" 'that makedumpfile --split wrote: join them with makedumpfile --reassemble' kdump:damaged.split
wrong "bitmaps for a petabyte" 'its header claims bitmaps of 34359738368 bytes, for more than 16 TiB of memory; copy' kdump:damaged.huge
wrong "damaged pages" 'does not have the memory at the ' kdump:damaged.pages
wrong "a dump without the pages" 'does not have the memory at the ' kdump:damaged.filtered
python3 "$ROOT/tests/outside/kdump.py" united page damaged.page "$(python3 -c "print(hex(0x$("llvm-readelf-22" -SW kernel.elf |
	sed -n 's/.* __llvm_prf_cnts *PROGBITS *\([0-9a-f]*\).*/\1/p') - 0xffffffff80000000))")"
wrong "a dump without the counters" \
	'does not have the memory at the physical address 0x[0-9a-f]+: it was left out when the dump was made; make a dump .* makedumpfile -d 1' \
	kdump:damaged.page
wrong "a dump of no memory" 'does not have the memory at the ' kdump:damaged.no-memory

full='flat: is a flattened dump, which needs a temporary file of about the same size, and that cannot be written in .*: File too large; set TMPDIR'
refuses "a full disk" "$full" sh -c "trap '' XFSZ; ulimit -f 100; '$BAREPROF' pull --from kdump:flat --elf kernel.elf -o out"
TMPDIR=$WORK/none
wrong "no folder for temporary files" 'cannot be written in .*none: No such file or directory; set TMPDIR' kdump:flat
TMPDIR=$WORK/tmp
check "no temporary file is left" test -z "$(ls -A tmp)"

# The library is loaded when it is needed, so other libraries can take its place.
check "the types are those of the library" cc -std=c11 -D_GNU_SOURCE -Wall -Werror -iquote "$ROOT/host-tools/outside" \
	-iquote "$ROOT/host-tools/lib/base" -fsyntax-only "$ROOT/tests/outside/kdump_header.c"
mkdir fake
: >fake/libkdumpfile.so.10
export LD_LIBRARY_PATH="$WORK/fake"
wrong "a library that cannot be loaded" 'needs libkdumpfile.so.10, which cannot be loaded .*: install libkdumpfile .Debian: libkdumpfile10' kdump:flat
echo 'void kdump_new(void) { }' | cc -x c -shared -o fake/libkdumpfile.so.10 -
wrong "another library" 'lacks a function .*: install libkdumpfile 0.5' kdump:flat
printf '%s\n' 'int kdump_read, kdump_set_attr, kdump_get_typed_attr, kdump_bmp_get_bits, kdump_get_err, kdump_free;' \
	'void *kdump_new(void) { __builtin_trap(); } int kdump_open_fdset(void) { return 0; }' | cc -x c -shared -o fake/libkdumpfile.so.10 -
wrong "a library that crashes" 'is a damaged kernel dump, or one that libkdumpfile does not understand: libkdumpfile crashed; copy' kdump:flat
