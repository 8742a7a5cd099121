#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# outside.sh: reads a Linux kernel and two of its modules from outside. The kernel has KASLR, counts all its code, and
# runs on two CPUs. The guest saves its profiles from debugfs, and then it is stopped. All ways to read it at this moment
# must give the same profiles: those of the modules, which do not run any more, are the same as those of debugfs, and no
# counter of the kernel is lower. bareprof gets no hint where the kernel is. Then the guest runs on, and panics. Its
# profiles can still be read.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

linux_source "$WORK/linux" || exit
OUT=$WORK/out
here=$ROOT/tests/ports/linux
export KBUILD_BUILD_TIMESTAMP=1 KBUILD_BUILD_USER=bareprof KBUILD_BUILD_HOST=bareprof KBUILD_BUILD_VERSION=1
check "bareprof is installed" sh ports/linux/install.sh "$LINUX_TREE"
config=$(echo "$LINUX_X86" | tr ' \t' '\n\n' | grep -v -E '^(KUNIT|RUNTIME_TESTING)')
# shellcheck disable=SC2086
check "the kernel is configured" linux_config "$WORK/kernel" $config BAREPROF=y BAREPROF_PROFILE_ALL=y KALLSYMS=y KEXEC=y \
	PROC_KCORE=y KALLSYMS_ALL=y FW_CFG_SYSFS=y DEBUG_INFO=y DEBUG_INFO_DWARF5=y ROMFS_FS=m RANDOMIZE_MEMORY=y MAGIC_SYSRQ=y
check "the kernel and two modules are built" linux_make "$WORK/kernel" bzImage modules
VMLINUX=$WORK/kernel/vmlinux
MODULES="$WORK/kernel/fs/minix/minix.ko $WORK/kernel/fs/romfs/romfs.ko"
[ -e "$VMLINUX" ] || exit 0

guest=$WORK/root
linux_root "$guest"
cat >"$guest/test/run" <<'END_OF_RUN'
b=/sys/kernel/debug/bareprof
insmod ./minix.ko && insmod ./romfs.ko && mkdir /mnt && cat minix.image >/dev/ram0 && mount -t minix /dev/ram0 /mnt || exit
cp /init run /mnt/ && cat /mnt/run >/dev/null && sync && umount /mnt || exit
mount -t romfs /dev/ram0 /mnt
# The kernel frees inodes later, which counts in the module.
sleep 3
for n in minix romfs vmlinux; do cp $b/$n/profraw /out/$n.profraw || exit; done
grep ' _text$' /proc/kallsyms >/out/text
./bareprof pull --from proc: --symbols /proc/kallsyms -o /out/proc.profraw 2>/out/proc.said
tar -c -C /out -f /dev/nvme0n1 . && sync
echo "guest: quiet"
read line
echo c >/proc/sysrq-trigger
END_OF_RUN
# The standard input of the script is /dev/null, so the console is opened again.
sed -i 's,^read line$,read line </dev/console,' "$guest/test/run"
# shellcheck disable=SC2086
cp $MODULES "$guest/test/"
check "the static program builds" make -s -C "$ROOT" static
cp "$ROOT/build/static/bareprof" "$guest/test/"
truncate -s 4M "$guest/test/minix.image"
check "a file system for the module is made" /sbin/mkfs.minix "$guest/test/minix.image"
linux_initramfs "$guest" "$WORK/initramfs"
truncate -s 64M "$WORK/disk"
mkdir -p "$OUT" "$WORK/said"
cd "$WORK" || exit 1

qemu-system-x86_64 -machine pc -cpu max -accel tcg -smp 2 -m 256 -nodefaults -no-user-config -display none -monitor none \
	-serial unix:s.console,server=on,wait=off,logfile=console.log -device vmcoreinfo \
	-drive file=disk,format=raw,if=none,id=disk -device nvme,drive=disk,serial=1 \
	-qmp unix:s.qmp,server=on,wait=off -gdb unix:s.gdb,server=on,wait=off \
	-kernel kernel/arch/x86/boot/bzImage -initrd initramfs -append "console=ttyS0 panic=0" >qemu.log 2>&1 &
QEMU=$!
trap 'kill $QEMU 2>/dev/null' EXIT
# console_has TEXT: waits at most three minutes until the console has TEXT.
console_has() {
	for _ in $(seq 180); do
		grep -aq "$1" console.log 2>/dev/null && return
		kill -0 $QEMU || break
		sleep 1
	done
	cat qemu.log
	tail -n 20 console.log
	return 1
}
qmp() { python3 "$here/outside_qmp.py" s.qmp "$@"; }
# core FILE PAGING [FORMAT]: dumps the memory.
core() { qmp dump-guest-memory "{\"paging\": $2, \"protocol\": \"file:$WORK/$1\", \"format\": \"${3:-elf}\"}"; }

check "the guest boots, and its modules have run" console_has 'guest: quiet'
check "the guest is stopped" qmp stop
tar -x -C "$OUT" -f disk
# moved: the address of the first byte of the kernel is not that in vmlinux.
moved() { [ "$(cut -d ' ' -f 1 "$OUT/text")" != "$("llvm-nm-$LINUX_LLVM" "$VMLINUX" | sed -n 's/ T _text$//p')" ]; }
check "KASLR has moved the kernel" moved

# like A B: two raw profiles differ at most in addresses.
like() { python3 "$ROOT/tests/host/lib/raw_same.py" "$1" "$2"; }
# outside NAME FROM: reads the kernel and its modules to the folder from-NAME, and compares them.
outside() {
	rm -rf "from-$1"
	set -- "from-$1" "$2"
	# shellcheck disable=SC2086
	timeout 120 "$BAREPROF" pull --from "$2" --elf "$VMLINUX" $(printf -- '--elf %s ' $MODULES) --leave stopped --all "$1" ||
		return
	like "$OUT/minix.profraw" "$1/minix.profraw" && like "$OUT/romfs.profraw" "$1/romfs.profraw" || return
	python3 "$here/outside_grown.py" "$OUT/vmlinux.profraw" "$1/vmlinux.profraw" || return
	case $1 in from-gdb | from-panic*) ;; *) like from-gdb/vmlinux.profraw "$1/vmlinux.profraw" ;; esac
}
check "gdb: modules are as in debugfs, and no counter of the kernel is lower" outside gdb gdb:unix:s.gdb
check "proc: the guest reads itself with /proc/kcore and /proc/kallsyms" sh -c "cat '$OUT/proc.said' &&
	python3 '$here/outside_grown.py' '$OUT/vmlinux.profraw' '$OUT/proc.profraw' &&
	python3 '$here/outside_grown.py' '$OUT/proc.profraw' from-gdb/vmlinux.profraw"
check "qmp: the same" outside qmp qmp:s.qmp
core core true
check "core: the same, from a dump with paging" outside core core:core
core plain false
check "core: the same, from a dump without paging" outside plain core:plain
core kdump false kdump-zlib
check "kdump: the same, from a dump of QEMU" outside kdump kdump:kdump
qmp pmemsave "{\"val\": 0, \"size\": $((256 << 20)), \"filename\": \"$WORK/ram\"}"
check "ram: the same, from a copy of physical memory" outside ram ram:ram@0
chmod u+w plain
python3 "$here/outside_core.py" plain
for options in "-l -d 31" "-c -d 31" "-p -d 31" "-z -d 31" "-d 31" "-c -d 1" "-c"; do
	# shellcheck disable=SC2086
	check "makedumpfile $options" makedumpfile -f $options plain made
	check "kdump: the same, from makedumpfile $options" outside made kdump:made
done
check "makedumpfile -F" sh -c "makedumpfile -F -l -d 31 plain >made"
check "kdump: the same, from makedumpfile -F" outside made kdump:made
check "makedumpfile -E" makedumpfile -f -E -d 31 plain made
check "core: the same, from makedumpfile -E" outside made core:made

qmp cont
# A byte for the console; then the guest panics.
python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("s.console"); s.sendall(b"\n"); s.recv(1)'
check "the guest panics" console_has 'end Kernel panic'
check "it is stopped" qmp stop
check "gdb: modules are still the same after a panic" outside panic-gdb gdb:unix:s.gdb
check "qmp: modules are still the same after a panic" outside panic-qmp qmp:s.qmp
rm -f core plain made
core kdump false kdump-zlib
check "kdump: modules are still the same after a panic" outside panic-kdump kdump:kdump
check "the kernel is the same in all three" sh -c "cmp from-panic-gdb/vmlinux.profraw from-panic-qmp/vmlinux.profraw && cmp from-panic-gdb/vmlinux.profraw from-panic-kdump/vmlinux.profraw"
# reset: resets all counters, and reads them again.
reset() {
	# shellcheck disable=SC2086
	set -- --elf "$VMLINUX" $(printf -- '--elf %s ' $MODULES) --leave stopped
	"$BAREPROF" pull --from gdb:unix:s.gdb "$@" --all from-last --reset && cmp from-last/minix.profraw from-panic-gdb/minix.profraw &&
		"$BAREPROF" pull --from gdb:unix:s.gdb "$@" --all from-reset || return
	for n in vmlinux minix romfs; do
		"llvm-profdata-$LINUX_LLVM" show from-reset/$n.profraw | grep -q 'Maximum internal block count: 0$' || return
	done
}
check "all counters are reset" reset
check "panic() ran once" sh -c "llvm-profdata-$LINUX_LLVM show --function=panic --counts from-panic-gdb/vmlinux.profraw | grep -q 'Function count: 1$'"
rm -f kdump ram
