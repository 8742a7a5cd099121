# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - Linux kernels in QEMU, for tests: the stock one of Debian, or any other. After
# tests/lib.sh:
#
#	linux_stock                        sets LINUX_RELEASE, LINUX_HEADERS, LINUX_KERNEL
#	linux_root DIR                     busybox and an init that runs DIR/test/run
#	linux_initramfs DIR FILE           packs it
#	linux_boot KERNEL INITRAMFS OUT    boots; OUT has console.log and what was in /out
#
# What goes into the guest lies below DIR, what the script leaves in /out comes back on a
# disk (NVMe, which the stock kernel has built in) or, if the guest sees none, by the second
# serial port, raw. A kernel that complains, and a script that does not end with status 0
# in time, have failed.
# shellcheck shell=sh

LINUX_CACHE=$ROOT/build/linux
LINUX_TIME=${LINUX_TIME:-180}
LINUX_CPUS=${LINUX_CPUS:-2}
LINUX_MEMORY=${LINUX_MEMORY:-512}

# linux_stock: the image of the headers that are installed, by apt's own lists; nothing is
# installed. Where it cannot be had the test has failed, and says why.
linux_stock() {
	LINUX_HEADERS=$(ls -d /usr/src/linux-headers-*-cloud-* 2>/dev/null | sort -V | tail -n 1)
	if [ -z "$LINUX_HEADERS" ]; then
		not_ok "the headers of a kernel: there is no /usr/src/linux-headers-*-cloud-*; make deps"
		return 1
	fi
	LINUX_RELEASE=${LINUX_HEADERS#/usr/src/linux-headers-}
	LINUX_STOCK=$LINUX_CACHE/$LINUX_RELEASE
	LINUX_KERNEL=$LINUX_STOCK/boot/vmlinuz-$LINUX_RELEASE
	[ -f "$LINUX_KERNEL" ] && return
	package=linux-image-$LINUX_RELEASE
	version=$(dpkg-query -W -f '${Version}' "linux-headers-$LINUX_RELEASE")
	rm -rf "$LINUX_STOCK.new"
	mkdir -p "$LINUX_STOCK.new/deb"
	# The same release of another build would do, its modules fit; the same build comes first.
	for wanted in "$package=$version" "$package"; do
		(cd "$LINUX_STOCK.new/deb" && apt-get -q download "$wanted") >"$WORK/apt.log" 2>&1 && break
	done
	if dpkg -x "$LINUX_STOCK.new"/deb/*.deb "$LINUX_STOCK.new" 2>>"$WORK/apt.log" &&
		[ -f "$LINUX_STOCK.new/boot/vmlinuz-$LINUX_RELEASE" ]; then
		rm -rf "$LINUX_STOCK.new/deb" "$LINUX_STOCK"
		mv "$LINUX_STOCK.new" "$LINUX_STOCK"
	else
		rm -rf "$LINUX_STOCK.new"
		not_ok "apt-get download $package: the kernel of the headers cannot be had; apt-get update, make deps"
		sed 's/^/    /' "$WORK/apt.log"
		return 1
	fi
}

# linux_root DIR: what every guest has. /test/run is the test's own script; it runs in
# /test, with debugfs mounted, and its status is the guest's.
linux_root() {
	mkdir -p "$1/bin" "$1/dev" "$1/proc" "$1/sys" "$1/tmp" "$1/out" "$1/test"
	cp "$(command -v busybox)" "$1/bin/busybox"
	cat >"$1/init" <<'END_OF_INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev || mdev -s
mount -t debugfs debugfs /sys/kernel/debug
exec </dev/null >/dev/console 2>&1
cd /test
sh ./run
status=$?
# The disk may come up late.
for i in 1 2 3 4 5 6 7 8 9 10; do
	test -b /dev/nvme0n1 && break
	test -d /sys/bus/pci/drivers/nvme || break
	sleep 0.2
done
if test -b /dev/nvme0n1; then
	tar -c -C /out -f /dev/nvme0n1 . && sync
else
	stty -F /dev/ttyS1 raw && tar -c -C /out . >/dev/ttyS1
fi && echo "guest: status $status"
reboot -f
END_OF_INIT
	chmod 755 "$1/init"
}

# linux_initramfs DIR FILE: not compressed, which the guest would have to undo.
linux_initramfs() {
	(cd "$1" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$2"
}

# linux_complaints LOG: what no kernel may say, with what follows.
linux_complaints() {
	grep -aE -A 12 'BUG:|Oops|WARNING:|Call Trace|Kernel panic|general protection|rcu: INFO|INFO: task|possible .* deadlock' "$1"
}

# linux_boot KERNEL INITRAMFS OUT [ARGUMENT...]: more arguments are words for the kernel's
# command line. LINUX_MACHINE: x86_64 or aarch64.
linux_boot() {
	linux_kernel=$1
	linux_initrd=$2
	linux_out=$3
	shift 3
	rm -rf "$linux_out"
	mkdir -p "$linux_out"
	truncate -s "${LINUX_DISK:-256M}" "$linux_out/disk"
	: >"$linux_out/serial"
	case ${LINUX_MACHINE:-x86_64} in
	x86_64)
		qemu="qemu-system-x86_64 -machine pc -cpu max"
		serial=ttyS0
		;;
	aarch64)
		qemu="qemu-system-aarch64 -machine virt -cpu max"
		serial=ttyAMA0
		;;
	esac
	# shellcheck disable=SC2086
	timeout "$LINUX_TIME" $qemu -accel tcg -smp "$LINUX_CPUS" -m "$LINUX_MEMORY" -nodefaults -no-user-config -no-reboot \
		-display none -monitor none -serial "file:$linux_out/console.log" \
		$([ "${LINUX_MACHINE:-x86_64}" = x86_64 ] && echo -serial "file:$linux_out/serial") \
		-drive "file=$linux_out/disk,format=raw,if=none,id=disk" -device nvme,drive=disk,serial=1 \
		-kernel "$linux_kernel" -initrd "$linux_initrd" \
		-append "console=$serial panic=-1 oops=panic $*" >"$linux_out/qemu.log" 2>&1 </dev/null
	linux_status=$?
	for from in disk serial; do
		# A disk that was not written to has nothing to unpack.
		if [ "$(head -c 512 "$linux_out/$from" | tr -d '\0' | wc -c)" -ne 0 ]; then
			tar -x -C "$linux_out" -f "$linux_out/$from" || return 1
		fi
		rm -f "$linux_out/$from"
	done
	if [ $linux_status -ne 0 ] || ! grep -aq '^guest: status 0' "$linux_out/console.log"; then
		echo "the guest did not end well (qemu: $linux_status):"
		cat "$linux_out/qemu.log"
		tail -n 30 "$linux_out/console.log"
		linux_complaints "$linux_out/console.log"
		return 1
	fi
	! linux_complaints "$linux_out/console.log"
}
