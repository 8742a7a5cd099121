# SPDX-License-Identifier: BSD-2-Clause
# arm64_lib.sh - runs Xen for arm64 in QEMU, with Debian's kernel for arm64 as dom0. Scripts source it after lib.sh. It
# replaces some functions and variables of lib.sh, so that xen_boot and xen_boot_efi boot Xen for arm64. It has these
# functions of its own:
#
#	arm64_packages        sets XEN_DOM0, and ARM64_ROOT, a folder with Debian's programs and libraries for arm64
#	arm64_cc WORD...      compiles and links a static program for arm64
#	arm64_root DIR        makes the same files as xen_root, for arm64
#
# apt downloads the packages for arm64 from the package sources of this machine. Its lists and caches are in a folder of
# the project, so this machine does not need the architecture arm64. Nothing is installed.
# shellcheck shell=sh disable=SC2034

XEN_ARCH=arm64
XEN_LD=gnu
ARM64=$XEN_CACHE/arm64
ARM64_ROOT=$ARM64/root

arm64_apt() {
	command=$1
	shift
	(XEN_CACHE=$ARM64 && xen_apt "$command" -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
		-o Dir::State::status=/dev/null "$@")
}

# Package sources other than Debian's may have no packages for arm64.
arm64_lists() {
	mkdir -p "$ARM64/apt/parts" "$ARM64/apt/lists/partial" "$ARM64/apt/cache/archives/partial"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -f "$list" ] || sed -n 's/^deb \[/deb [arch=arm64 /p; t; s/^deb /deb [arch=arm64] /p' "$list" \
			>"$ARM64/apt/parts/$(basename "$list" .list).list"
	done
	for list in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$list" ] || sed '/^Architectures:/d; s/^Types:.*/Types: deb\nArchitectures: arm64/' "$list" \
			>"$ARM64/apt/parts/$(basename "$list")"
	done
	arm64_apt apt-get update || true
}

# The packages are: the kernel, busybox, and the libraries of `make static`.
arm64_download() {
	arm64_lists
	kernel=$(arm64_apt apt-cache depends linux-image-arm64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	rm -rf "$ARM64/new" "$ARM64_ROOT"
	mkdir -p "$ARM64/new/deb"
	(cd "$ARM64/new/deb" && arm64_apt apt-get download "$kernel" busybox-static libc6 libc6-dev linux-libc-dev \
		libdw-dev libelf-dev zlib1g-dev liblzma-dev libbz2-dev libcapstone-dev) || return
	for package in "$ARM64"/new/deb/*.deb; do dpkg -x "$package" "$ARM64/new" || return; done
	rm -rf "$ARM64/new/deb"
	mv "$ARM64/new" "$ARM64_ROOT"
}

arm64_packages() {
	[ -d "$ARM64_ROOT" ] || arm64_download >"$WORK/apt.log" 2>&1 || {
		not_ok "packages for arm64 cannot be downloaded: check that apt-get update works on this machine"
		sed 's/^/    /' "$WORK/apt.log"
		return 1
	}
	XEN_DOM0=$(ls "$ARM64_ROOT"/boot/vmlinuz-*)
}

arm64_cc() { aarch64-linux-gnu-gcc --sysroot="$ARM64_ROOT" -static "$@"; }

# The machine has one serial port, which belongs to Xen. So the files of /out leave the guest on a disk.
arm64_root() {
	drivers=$(echo "$ARM64_ROOT"/lib/modules/*/kernel/drivers)
	linux_root "$1"
	cp "$ARM64_ROOT/bin/busybox" "$1/bin/"
	cp "$drivers/xen/xen-privcmd.ko" "$1/test/"
	cp "$drivers/virtio/virtio_mmio.ko" "$drivers/block/virtio_blk.ko" "$1/bin/"
	xen_init "$1" <<'END_OF_COMMANDS'
insmod /bin/virtio_mmio.ko && insmod /bin/virtio_blk.ko
for disk in /sys/block/vd*; do
	[ "$(cat "$disk/serial")" != out ] || tar -c -C /out -f "/dev/${disk##*/}" . && sync
done
END_OF_COMMANDS
}

XEN_OPTIONS='dom0_mem=512M console=dtuart loglvl=warning noreboot=0'
XEN_FIRMWARE_PACKAGE=qemu-efi-aarch64
XEN_FIRMWARE=usr/share/qemu-efi-aarch64/QEMU_EFI.fd
XEN_EFI=BOOTAA64
XEN_DISK=virtio-blk-device

xen_qemu() {
	out=$1
	shift
	truncate -s 64M "$out/files"
	timeout "$XEN_TIME" qemu-system-aarch64 -machine virt,virtualization=on,gic-version=3,acpi=off -accel tcg \
		-cpu cortex-a57 -smp "$XEN_CPUS" -m 2048 -nodefaults -no-user-config -no-reboot -display none -monitor none \
		-serial "file:$out/console.log" -drive "file=$out/files,format=raw,if=none,id=files" \
		-device virtio-blk-device,drive=files,serial=out "$@" >"$out/qemu.log" 2>&1 </dev/null
	xen_ended $? "$out" && tar -x -C "$out" -f "$out/files" && rm "$out/files"
}

# QEMU puts the kernel and the initramfs into memory, and their addresses and the boot arguments into the device tree.
# QEMU's own device tree is at 0x48000000.
xen_start() {
	xen_qemu "$1" -kernel "$2" -append "$4" \
		-device "guest-loader,addr=0x49000000,kernel=$XEN_DOM0,bootargs=$XEN_DOM0_OPTIONS" \
		-device "guest-loader,addr=0x50000000,initrd=$3"
}
