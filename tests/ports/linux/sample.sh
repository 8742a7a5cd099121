#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sample.sh: tests samples of Debian's own kernel, which bareprof.ko takes, and runs the commands in the chapter about
# samples in ports/linux/README.md literally. perf samples the same load, in turns, and the shares of the
# functions of the kernel must overlap. All interrupts must be counted while a CPU goes offline and comes back. The
# kernel is at a random address. Its vmlinux is not available, so the test makes an ELF file from /proc/kallsyms.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/linux/lib.sh

unset BAREPROF_KIND MAKEFLAGS MAKEOVERRIDES
MINIMUM=50000
LINUX_TIME=900
LINUX_MEMORY=2048
functions=tests/ports/linux/sample_functions.py
linux_stock || exit
newcomer
OUT=$WORK/out
examples ports/linux/README.md "$WORK/page"
chapter=$WORK/chapter
while read -r number kind _ place rest; do
	[ "$place $kind $rest" != "sample show tests/ports/linux/sample.sh runs it" ] || cp "$steps/$number.show" "$chapter"
done <"$steps/list"

check "the core is copied" make -s drop-in-linux DIR="$HOME/bareprof-linux"
check "the core builds" make -s -C "$HOME/bareprof-linux" KDIR="$LINUX_HEADERS"
guest=$WORK/root
linux_root "$guest"
mkdir -p "$guest/root/bareprof-linux"
cp "$HOME/bareprof-linux/bareprof.ko" "$guest/root/bareprof-linux/"
strip -g "$guest/root/bareprof-linux/bareprof.ko"
cp tests/ports/linux/sample_load.sh "$guest/test/load"
perf=/usr/bin/perf
{ echo $perf; ldd $perf | grep -o '/[^ ]*'; } | while read -r file; do
	mkdir -p "$guest/${file%/*}"
	cp -L "$file" "$guest/$file"
done
{
	echo 'export HOME=/root && set -e'
	# The chapter's commands begin with insmod, which must refuse wrong addresses.
	echo 'insmod ~/bareprof-linux/bareprof.ko _stext=0x1000 && exit 1'
	# These bounds do not contain the kernel.
	echo 'insmod ~/bareprof-linux/bareprof.ko _stext=0x1000 _etext=0x2000 __start_notes=0x1000 __stop_notes=0x1100 && exit 1'
	cat "$chapter"
	echo 'cp kernel.capture /out/'
	cat tests/ports/linux/sample_guest.sh
	# The same module can be loaded again. Without addresses, there are no files for samples.
	echo 'rmmod bareprof && insmod ~/bareprof-linux/bareprof.ko'
	echo 'test ! -e $s && rmmod bareprof'
} >"$guest/test/run"
linux_initramfs "$guest" "$WORK/initramfs"
check "the kernel is sampled" linux_boot "$LINUX_KERNEL" "$WORK/initramfs" "$OUT"

page=$WORK/page/sample
mkdir -p "$page"
check "an ELF file is made" python3 $functions elf "$OUT/kallsyms" "$OUT/notes" "$page/vmlinux"
cp "$OUT/kernel.capture" "$page/"
while read -r number kind line place rest; do
	[ "$place.$kind" = sample.run ] || continue
	said=$steps/$number.out
	check "$document:$line: works: $(head -n 1 "$steps/$number.run")" in_folder "$page" "$steps/$number.run"
done <"$steps/list"
check "the page's samples are in known functions" grep -q '^0xffffffff8' "$page/kernel.samples"

merged() { "$BAREPROF" sample merge --elf "$page/vmlinux" -o "$WORK/$1" "$2"; }
check "the samples of the load are merged" merged load.samples "$OUT/all.load"
for file in "$OUT"/perf.*; do $perf script -F ip -i "$file"; done >"$WORK/perf.ip" 2>"$WORK/perf.log"
check "the shares of functions overlap with those of perf" \
	python3 $functions overlap "$OUT/kallsyms" "$WORK/load.samples" "$WORK/perf.ip" $MINIMUM
sed 's/^/    /' "$WORK/check.log"

# says INFO KEY: prints the value of KEY in the file INFO.
says() { sed -n "s/^$2: //p" "$OUT/$1"; }
check "the timer was used: $(says info source), $(says info interrupts) interrupts" test "$(says info state) $(says info source)" = "off timer"
# QEMU has no performance counters for x86_64, so "auto" is the timer.
check "auto: $(says on state), $(says on source), $(says on cpus) CPUs" test "$(says on state) $(says on source) $(says on cpus)" = "on timer 2"
check "all captures are merged" "$BAREPROF" sample merge --elf "$page/vmlinux" -o "$WORK/all.samples" "$OUT/kernel.capture" "$OUT"/all.*
counted=$(awk '/^(dropped|outside) / || /^0x/ { sum += $2 } END { print sum }' "$WORK/all.samples")
check "each interrupt is counted: $counted" test "${counted:-none}" = "$(says off interrupts)"
check "wrong writes are refused" test ! -s "$OUT/accepted"
check "the kernel says that addresses are wrong" grep -aq 'bareprof: _stext, _etext, .* are not those of this kernel' "$OUT/console.log"
