# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - runs Xen in QEMU, for tests. Scripts source it after tests/lib.sh and tests/ports/linux/lib.sh. It has
# these functions:
#
#	xen_source            sets XEN_DSC to the .dsc file of Debian's source package, beside its tarballs
#	xen_unpack DIR        unpacks the source with Debian's patches to DIR
#	xen_config DIR LLVM WORD...  makes the default configuration in DIR, with options NAME=value
#	xen_make DIR LLVM WORD...    runs make in DIR, with clang and lld of that LLVM; with XEN_LD=gnu with GNU ld.
#	                      With XEN_ARCH=arm64, makes Xen for arm64, with clang and GNU's assembler and linker
#	xen_dom0              sets XEN_DOM0 to the kernel for dom0, and XEN_PRIVCMD to its privcmd module
#	xen_stock             sets XEN_STOCK to the hypervisor that Debian built
#	xen_program OUT SOURCE...    compiles a program that uses Xen's own libraries
#	xen_domu DIR          prepares a domain that is not dom0; an initramfs made of DIR can boot it
#	xen_boot XEN INITRAMFS OUT WORD...  boots Xen and dom0; OUT gets console.log and the files of /out
#	xen_boot_efi XEN INITRAMFS OUT WORD...  the same for xen.efi, with the firmware OVMF
#
# apt downloads packages from the package sources of this machine. The package lists are in a folder of the project,
# because few machines have lists of source packages. Nothing is installed.
# shellcheck shell=sh

XEN_CACHE=$ROOT/build/xen
XEN_TIME=${XEN_TIME:-900}
XEN_CPUS=${XEN_CPUS:-2}
XEN_LD=lld
XEN_ARCH=x86_64

# xen_apt COMMAND...: runs a command of apt with package lists and caches in the folder of the project.
xen_apt() {
	command=$1
	shift
	"$command" -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$XEN_CACHE/apt/parts" \
		-o "Dir::State::lists=$XEN_CACHE/apt/lists" -o "Dir::Cache=$XEN_CACHE/apt/cache" "$@"
}

# Downloads lists of source packages from the package sources of this machine. Package sources other than Debian's may
# have no such lists.
xen_lists() {
	mkdir -p "$XEN_CACHE/apt/parts" "$XEN_CACHE/apt/lists/partial" "$XEN_CACHE/apt/cache/archives/partial"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"$XEN_CACHE/apt/parts/$(basename "$list" .list).list"
	done
	for list in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$XEN_CACHE/apt/parts/$(basename "$list")"
	done
	xen_apt apt-get update || true
}

# Downloads the source of Xen, in the newest version that can be downloaded. The lists may name newer versions, such as
# security updates, that cannot be downloaded.
xen_source() {
	XEN_DSC=$(ls "$XEN_CACHE"/source/*.dsc 2>/dev/null | head -n 1)
	[ -z "$XEN_DSC" ] || return 0
	xen_lists >"$WORK/apt.log" 2>&1
	for version in $(xen_apt apt-cache showsrc xen 2>/dev/null | sed -n 's/^Version: //p' | sort -rVu); do
		rm -rf "$XEN_CACHE/source.new"
		mkdir -p "$XEN_CACHE/source.new"
		(cd "$XEN_CACHE/source.new" && xen_apt apt-get source --download-only "xen=$version") >>"$WORK/apt.log" 2>&1 || continue
		rm -rf "$XEN_CACHE/source"
		mv "$XEN_CACHE/source.new" "$XEN_CACHE/source"
		XEN_DSC=$(ls "$XEN_CACHE"/source/*.dsc)
		return 0
	done
	not_ok "apt-get source xen failed: check that apt-get update works on this machine"
	sed 's/^/    /' "$WORK/apt.log"
	return 1
}

xen_unpack() {
	rm -rf "$1"
	dpkg-source --no-check -x "$XEN_DSC" "$1" >"$WORK/unpack.log" 2>&1 && return
	tail -n 5 "$WORK/unpack.log"
	return 1
}

xen_make() {
	xen_tree=$1
	xen_llvm=$2
	shift 2
	[ "$XEN_LD" = gnu ] || set -- LD="ld.lld-$(echo "$xen_llvm" | sed "s/gcc/$(newest_clang)/")" "$@"
	[ "$XEN_ARCH" = x86_64 ] || set -- XEN_TARGET_ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- LD=aarch64-linux-gnu-ld \
		CC="clang-$xen_llvm --target=aarch64-linux-gnu -no-integrated-as" "$@"
	[ "$xen_llvm" = gcc ] || set -- clang=y CC="clang-$xen_llvm" CXX="clang++-$xen_llvm" "$@"
	env -u MAKEFLAGS -u MAKEOVERRIDES make -C "$xen_tree/xen" -j2 "$@" >"$xen_tree.log" 2>&1 && return
	grep -E 'error:|\*\*\*' "$xen_tree.log" | head -n 20
	return 1
}

# It is an error if an option does not have its requested value in the final configuration.
xen_config() {
	tree=$1
	llvm=$2
	shift 2
	xen_make "$tree" "$llvm" defconfig || return
	for option; do
		sed -i "/^CONFIG_${option%%=*}=/d; /^# CONFIG_${option%%=*} is/d" "$tree/xen/.config"
		echo "CONFIG_$option" >>"$tree/xen/.config"
	done
	xen_make "$tree" "$llvm" olddefconfig || return
	for option; do
		case $option in
		*=n) ! grep "^CONFIG_${option%=n}=" "$tree/xen/.config" ;;
		*) grep -q "^CONFIG_$option$" "$tree/xen/.config" ;;
		esac || {
			echo "the configuration lacks: $option"
			return 1
		}
	done
}

# xen_package NAME FILE: unpacks Debian's package NAME in $XEN_CACHE/NAME. The package must contain FILE.
xen_package() {
	[ ! -f "$XEN_CACHE/$1/$2" ] || return 0
	rm -rf "$XEN_CACHE/$1.new" "${XEN_CACHE:?}/$1"
	mkdir -p "$XEN_CACHE/$1.new/deb"
	if (cd "$XEN_CACHE/$1.new/deb" && apt-get -q download "$1") >"$WORK/apt.log" 2>&1 &&
		dpkg -x "$XEN_CACHE/$1.new"/deb/*.deb "$XEN_CACHE/$1.new" && [ -f "$XEN_CACHE/$1.new/$2" ]; then
		rm -rf "$XEN_CACHE/$1.new/deb"
		mv "$XEN_CACHE/$1.new" "$XEN_CACHE/$1"
		return
	fi
	not_ok "apt-get download $1 failed, or the package has no $2: run apt-get update"
	sed 's/^/    /' "$WORK/apt.log"
	return 1
}

# linux-image-amd64 names Debian's usual kernel. Debian's other kernel, linux-image-cloud-amd64, does not run on Xen.
xen_dom0() {
	package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	release=${package#linux-image-}
	xen_package "$package" "boot/vmlinuz-$release" || return
	XEN_DOM0=$XEN_CACHE/$package/boot/vmlinuz-$release
	XEN_PRIVCMD=$XEN_CACHE/$package/lib/modules/$release/kernel/drivers/xen/xen-privcmd.ko
}

# The hypervisor is decompressed here, because QEMU's multiboot loader does not decompress it.
xen_stock() {
	package=$(apt-cache search --names-only '^xen-hypervisor-[0-9.]*-amd64$' | sed 's/ .*//' | head -n 1)
	name=${package#xen-hypervisor-}
	xen_package "$package" "boot/xen-$name.gz" || return
	XEN_STOCK=$WORK/stock
	gzip -dc "$XEN_CACHE/$package/boot/xen-$name.gz" >"$XEN_STOCK"
}

# xen_root DIR: makes the same files as linux_root, with another init. The files of /out leave the guest as a packed
# archive through the second serial port, because the first port belongs to Xen. OVMF writes its messages to both
# ports, so a line marks the start of the archive.
xen_root() {
	linux_root "$1"
	cp "$XEN_PRIVCMD" "$1/test/"
	xen_init "$1" <<'END_OF_COMMANDS'
stty -F /dev/ttyS1 raw && { echo && echo 'guest: files' && tar -cz -C /out .; } >/dev/ttyS1 && sleep 1
END_OF_COMMANDS
}

# xen_init DIR: replaces the init in DIR by the init of dom0. Standard input has the commands with which the files of
# /out leave the guest, because these commands depend on the machine.
xen_init() {
	{
		cat <<'END_OF_START'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
exec </dev/null >/dev/console 2>&1
cd /test
sh ./run
status=$?
END_OF_START
		cat
		cat <<'END_OF_END'
echo "guest: status $status"
poweroff -f
END_OF_END
	} >"$1/init"
}

# xen_vmlinux FILE: unpacks the ELF file that is compressed in XEN_DOM0, and writes it to FILE. By Linux's boot
# protocol, the header of XEN_DOM0 has the start and the length of the compressed data. The last four bytes of this data
# are the uncompressed size, so xz does not get them.
xen_vmlinux() {
	at=$((($(od -An -tu1 -j497 -N1 "$XEN_DOM0") + 1) * 512 + $(od -An -tu4 -j584 -N4 "$XEN_DOM0")))
	tail -c "+$((at + 1))" "$XEN_DOM0" | head -c $(($(od -An -tu4 -j588 -N4 "$XEN_DOM0") - 4)) | xz -dc >"$1"
}

# xen_program OUT SOURCE...: compiles and links a program with Xen's own libraries.
xen_program() {
	program=$1
	libraries=usr/lib/x86_64-linux-gnu
	shift
	xen_package libxen-dev "$libraries/libxenguest.a" || return
	gcc -Wall -O1 -static -isystem "$XEN_CACHE/libxen-dev/usr/include" -o "$program" "$@" \
		-L"$XEN_CACHE/libxen-dev/$libraries" -Wl,-u,elf_loader -lxenguest -lxenctrl -lxencall -lxenevtchn \
		-lxengnttab -lxenforeignmemory -lxendevicemodel -lxentoolcore -lxentoollog -lz
}

# xen_domu DIR: fills DIR/test/domu with the program domu.c (linked with Xen's own libraries), a module that it needs,
# a kernel, and the initramfs of the domain. This initramfs contains the files in DIR/test. domu.c can load only ELF
# kernels, because other formats need more libraries.
xen_domu() {
	domu=$1/test/domu
	rm -rf "$domu" "$WORK/domu"
	linux_root "$WORK/domu"
	cp "$1"/test/* "$WORK/domu/test/" && install -m 755 tests/ports/xen/domu_init "$WORK/domu/init" && mkdir "$domu" &&
		linux_initramfs "$WORK/domu" "$domu/initramfs" && xen_vmlinux "$domu/vmlinux" &&
		cp "$(dirname "$XEN_PRIVCMD")/xen-evtchn.ko" "$domu/" &&
		xen_program "$domu/domu" tests/ports/xen/domu.c tests/ports/xen/store.c
}

# The CPU has no SMAP, because this version of Xen does not boot in QEMU's TCG if the CPU has SMAP.
XEN_OPTIONS='dom0_mem=512M,max:512M console=com1 com1=115200,8n1 loglvl=warning noreboot=0'
XEN_DOM0_OPTIONS='console=hvc0 panic=-1 quiet'

# The package of the firmware, its file in the package, the program that it starts, and the disk from which it starts.
XEN_FIRMWARE_PACKAGE=ovmf
XEN_FIRMWARE=usr/share/ovmf/OVMF.fd
XEN_EFI=BOOTX64
XEN_DISK=virtio-blk-pci

# xen_qemu OUT WORD...: runs QEMU. The WORDs are the options that name the hypervisor. XEN_SERIAL can be another serial
# port for QEMU. It must write the console to OUT/console.log, too. XEN_QEMU can have more options of QEMU.
xen_qemu() {
	out=$1
	shift
	# shellcheck disable=SC2086
	timeout "$XEN_TIME" qemu-system-x86_64 -machine pc -accel tcg -cpu max,-smap -smp "$XEN_CPUS" -m 1024 \
		-nodefaults -no-user-config -no-reboot -display none -monitor none \
		-serial "${XEN_SERIAL:-file:$out/console.log}" -serial "file:$out/serial" ${XEN_QEMU-} "$@" >"$out/qemu.log" 2>&1 </dev/null
	xen_ended $? "$out" && LC_ALL=C sed '1,/^guest: files$/d' "$out/serial" | tar -xz -C "$out"
}

# xen_ended STATUS OUT: succeeds if the STATUS of QEMU is 0 and dom0 printed that its script succeeded. Otherwise prints
# the messages of QEMU and of the guest.
xen_ended() {
	[ "$1" -ne 0 ] || ! grep -aq '^guest: status 0' "$2/console.log" || return 0
	echo "the guest failed (status of QEMU: $1):"
	cat "$2/qemu.log"
	tail -n 30 "$2/console.log"
	return 1
}

# xen_start OUT XEN INITRAMFS OPTIONS: boots without firmware. QEMU loads Xen, dom0 and its initramfs.
xen_start() {
	xen_qemu "$1" -kernel "$2" -append "$4" -initrd "$XEN_DOM0 $XEN_DOM0_OPTIONS,$3"
}

xen_boot() {
	xen=$1
	initrd=$2
	out=$3
	shift 3
	rm -rf "$out"
	mkdir -p "$out"
	xen_start "$out" "$xen" "$initrd" "$XEN_OPTIONS $*"
}

# The firmware starts the program $XEN_EFI.EFI, and Xen reads the file of the same name that ends in .cfg.
xen_boot_efi() {
	xen=$1
	initrd=$2
	out=$3
	shift 3
	disk=$out/disk/EFI/BOOT
	rm -rf "$out"
	mkdir -p "$disk"
	xen_package "$XEN_FIRMWARE_PACKAGE" "$XEN_FIRMWARE" || return
	cp "$xen" "$disk/$XEN_EFI.EFI"
	cp "$XEN_DOM0" "$disk/vmlinuz"
	cp "$initrd" "$disk/initrd"
	printf '%s\n' '[xen]' "options=$XEN_OPTIONS $*" "kernel=vmlinuz $XEN_DOM0_OPTIONS" ramdisk=initrd \
		>"$disk/$XEN_EFI.cfg"
	xen_qemu "$out" -bios "$XEN_CACHE/$XEN_FIRMWARE_PACKAGE/$XEN_FIRMWARE" \
		-drive "if=none,id=disk,format=raw,readonly=on,file=fat:$out/disk" -device "$XEN_DISK,drive=disk"
}
