# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - boots Linux kernels in QEMU, for tests: Debian's own kernel ("stock"), or any other. Scripts source it
# after tests/lib.sh. It has these functions:
#
#	linux_stock                        sets LINUX_RELEASE, LINUX_HEADERS, LINUX_KERNEL
#	linux_core SCRIPT                  makes the port and bareprof.ko in $HOME/bareprof-linux
#	linux_root DIR                     makes a root folder with busybox, and an init that runs DIR/test/run
#	linux_initramfs DIR FILE           packs the folder DIR into FILE
#	linux_boot KERNEL INITRAMFS OUT    boots KERNEL; OUT gets console.log and the files of /out
#
# The guest sees the files below DIR. The files that the script DIR/test/run leaves in /out come back on a disk. This
# is an NVMe disk, because the stock kernel has a built-in driver for it. If the guest sees no disk, it sends the same
# bytes through the second serial port. The boot fails if the kernel complains, or if the script does not end with
# status 0 in time.
# shellcheck shell=sh

LINUX_CACHE=$ROOT/build/linux
LINUX_TIME=${LINUX_TIME:-180}
LINUX_CPUS=${LINUX_CPUS:-2}
LINUX_MEMORY=${LINUX_MEMORY:-512}

# linux_stock: downloads the kernel image that belongs to the installed headers, with apt, but does not install it. If
# the download fails, the test fails and prints the reason. Several tests use the same image at the same time. The lock
# lets one of them download the image, and the others wait.
linux_stock() {
	mkdir -p "$LINUX_CACHE"
	exec 8>"$LINUX_CACHE/stock.lock"
	flock 8
	linux_download
	set -- $?
	exec 8>&-
	return "$1"
}

linux_download() {
	LINUX_HEADERS=$(ls -d /usr/src/linux-headers-*-cloud-* 2>/dev/null | sort -V | tail -n 1)
	if [ -z "$LINUX_HEADERS" ]; then
		not_ok "the headers of a kernel are missing (/usr/src/linux-headers-*-cloud-*): run make deps"
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
	# If possible, the kernel has the same package version as the headers. Otherwise, any version of the package is
	# taken, because modules fit all kernels of one release.
	for wanted in "$package=$version" "$package"; do
		(cd "$LINUX_STOCK.new/deb" && apt-get -q download "$wanted") >"$WORK/apt.log" 2>&1 && break
	done
	if dpkg -x "$LINUX_STOCK.new"/deb/*.deb "$LINUX_STOCK.new" 2>>"$WORK/apt.log" &&
		[ -f "$LINUX_STOCK.new/boot/vmlinuz-$LINUX_RELEASE" ]; then
		rm -rf "$LINUX_STOCK.new/deb" "$LINUX_STOCK"
		mv "$LINUX_STOCK.new" "$LINUX_STOCK"
	else
		rm -rf "$LINUX_STOCK.new"
		not_ok "apt-get download $package failed, so there is no kernel for the headers: run apt-get update and make deps"
		sed 's/^/    /' "$WORK/apt.log"
		return 1
	fi
}

# linux_core SCRIPT: runs SCRIPT, the commands of README.md that make the port in $HOME/bareprof-linux and build
# bareprof.ko there. Two tests of `make check` need the module, and the build takes 8 s. If a test ran SCRIPT for exactly
# these files before, this function only makes the port and copies the results of the build.
linux_core() {
	mkdir -p build/tests/ports/linux
	exec 8>build/tests/ports/linux/core.lock
	flock 8
	make -s drop-in-linux DIR="$HOME/bareprof-linux" >/dev/null || return
	core=build/tests/ports/linux/core-$( { cat "$1" "$HOME"/bareprof-linux/* && echo "$LINUX_HEADERS" && gcc --version; } |
		sha256sum | cut -c 1-16)
	if [ -z "${BAREPROF_WIDE-}" ] && [ -e "$core/bareprof.ko" ]; then
		cp "$core"/* "$HOME/bareprof-linux"
	else
		rm -rf "$HOME/bareprof-linux" build/tests/ports/linux/core-*
		sh -e "$1" 8>&- </dev/null && mkdir "$core" && cp "$HOME/bareprof-linux/Module.symvers" "$core" &&
			cp "$HOME/bareprof-linux/bareprof.ko" "$core"
	fi
	set -- $?
	exec 8>&-
	return "$1"
}

# linux_root DIR: makes the files that every guest has. /test/run is the script of the test. It runs in the folder
# /test, with debugfs mounted, and its status becomes the status of the guest.
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
# The kernel may find the disk late, so this loop waits for it up to 2 seconds.
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

# linux_initramfs DIR FILE: packs DIR without compression, because decompression in the guest would take time.
linux_initramfs() {
	(cd "$1" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$2"
}

# linux_complaints LOG: prints messages that no kernel should print, and the lines that follow them.
linux_complaints() {
	grep -aE -A 12 'BUG:|Oops|WARNING:|Call Trace|Kernel panic|general protection|rcu: INFO|INFO: task|possible .* deadlock' "$1"
}

# linux_boot KERNEL INITRAMFS OUT [ARGUMENT...]: boots KERNEL. The ARGUMENTs are added to its command line.
# LINUX_MACHINE is x86_64 or aarch64. LINUX_QEMU can have more options of QEMU, separated by blanks.
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
		-drive "file=$linux_out/disk,format=raw,if=none,id=disk" -device nvme,drive=disk,serial=1 ${LINUX_QEMU:-} \
		-kernel "$linux_kernel" -initrd "$linux_initrd" \
		-append "console=$serial panic=-1 oops=panic $*" >"$linux_out/qemu.log" 2>&1 </dev/null
	linux_status=$?
	for from in disk serial; do
		# If the first block is empty, the guest wrote nothing, so there is nothing to unpack.
		if [ "$(head -c 512 "$linux_out/$from" | tr -d '\0' | wc -c)" -ne 0 ]; then
			tar -x -C "$linux_out" -f "$linux_out/$from" || return 1
		fi
		rm -f "$linux_out/$from"
	done
	if [ $linux_status -ne 0 ] || ! grep -aq '^guest: status 0' "$linux_out/console.log"; then
		echo "the guest failed (status of QEMU: $linux_status):"
		cat "$linux_out/qemu.log"
		tail -n 30 "$linux_out/console.log"
		linux_complaints "$linux_out/console.log"
		return 1
	fi
	! linux_complaints "$linux_out/console.log"
}
