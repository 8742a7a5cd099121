# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - Xen in QEMU, for tests. After tests/lib.sh and tests/ports/linux/lib.sh:
#
#	xen_source            sets XEN_DSC: Debian's source package, with its tarballs beside it
#	xen_unpack DIR        the source as Debian has it
#	xen_config DIR LLVM WORD...  its default configuration, and NAME=value of options
#	xen_make DIR LLVM WORD...    make there, by that clang and lld
#	xen_dom0              sets XEN_DOM0, the kernel, and XEN_PRIVCMD, a module of it
#	xen_stock             sets XEN_STOCK: the hypervisor that Debian has built
#	xen_domu DIR          a domain that is not dom0, for an initramfs in DIR to boot
#	xen_boot XEN INITRAMFS OUT WORD...  boots it with dom0; OUT has console.log and what was in /out
#
# All comes by apt, from where the machine's own lists say, but with lists in a folder of
# the project, as source packages are in few. Nothing is installed.
# shellcheck shell=sh

XEN_CACHE=$ROOT/build/xen
XEN_TIME=${XEN_TIME:-900}
XEN_CPUS=${XEN_CPUS:-2}

# xen_apt COMMAND...: with lists and caches of our own.
xen_apt() {
	command=$1
	shift
	"$command" -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$XEN_CACHE/apt/parts" \
		-o "Dir::State::lists=$XEN_CACHE/apt/lists" -o "Dir::Cache=$XEN_CACHE/apt/cache" "$@"
}

# The machine's lists, for source packages; of others than Debian's it may have none.
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

# The newest version that is served: of security updates the lists may know more than that.
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
	not_ok "apt-get source xen: it cannot be had; do the machine's lists for apt work?"
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
	env -u MAKEFLAGS -u MAKEOVERRIDES make -C "$xen_tree/xen" -j2 clang=y CC="clang-$xen_llvm" CXX="clang++-$xen_llvm" \
		LD="ld.lld-$xen_llvm" "$@" >"$xen_tree.log" 2>&1 && return
	grep -E 'error:|\*\*\*' "$xen_tree.log" | head -n 20
	return 1
}

# An option that is not in the configuration at the end, as it was asked for, is a failure.
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
			echo "the configuration has not: $option"
			return 1
		}
	done
}

# xen_package NAME FILE: FILE of that package of Debian's, in $XEN_CACHE/NAME.
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
	not_ok "apt-get download $1: it cannot be had, or has no $2; apt-get update"
	sed 's/^/    /' "$WORK/apt.log"
	return 1
}

# Not the kernel for clouds, which is none for Xen.
xen_dom0() {
	package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	release=${package#linux-image-}
	xen_package "$package" "boot/vmlinuz-$release" || return
	XEN_DOM0=$XEN_CACHE/$package/boot/vmlinuz-$release
	XEN_PRIVCMD=$XEN_CACHE/$package/lib/modules/$release/kernel/drivers/xen/xen-privcmd.ko
}

# QEMU does not unpack what it boots by multiboot.
xen_stock() {
	package=$(apt-cache search --names-only '^xen-hypervisor-[0-9.]*-amd64$' | sed 's/ .*//' | head -n 1)
	name=${package#xen-hypervisor-}
	xen_package "$package" "boot/xen-$name.gz" || return
	XEN_STOCK=$WORK/stock
	gzip -dc "$XEN_CACHE/$package/boot/xen-$name.gz" >"$XEN_STOCK"
}

# xen_root DIR: as linux_root, but what is in /out leaves by the second serial port, packed;
# the first one is Xen's.
xen_root() {
	linux_root "$1"
	cp "$XEN_PRIVCMD" "$1/test/"
	cat >"$1/init" <<'END_OF_INIT'
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
stty -F /dev/ttyS1 raw && tar -cz -C /out . >/dev/ttyS1 && sleep 1
echo "guest: status $status"
poweroff -f
END_OF_INIT
}

# xen_vmlinux FILE: what is packed in XEN_DOM0, an ELF file. Linux's boot protocol says where;
# the last four bytes are its size.
xen_vmlinux() {
	at=$((($(od -An -tu1 -j497 -N1 "$XEN_DOM0") + 1) * 512 + $(od -An -tu4 -j584 -N4 "$XEN_DOM0")))
	tail -c "+$((at + 1))" "$XEN_DOM0" | head -c $(($(od -An -tu4 -j588 -N4 "$XEN_DOM0") - 4)) | xz -dc >"$1"
}

# xen_domu DIR: in DIR/test/domu, domu.c with Xen's own libraries, a module that it takes, a
# kernel, and the domain's initramfs; what xen_root and the test have put in DIR/test is in that.
# Of the kinds of kernels that libxenguest loads only ELF, as others take more libraries.
xen_domu() {
	libraries=usr/lib/x86_64-linux-gnu
	xen_package libxen-dev "$libraries/libxenguest.a" || return
	domu=$1/test/domu
	rm -rf "$domu" "$WORK/domu"
	linux_root "$WORK/domu"
	cp "$1"/test/* "$WORK/domu/test/" && install -m 755 tests/ports/xen/domu_init "$WORK/domu/init" && mkdir "$domu" &&
		linux_initramfs "$WORK/domu" "$domu/initramfs" && xen_vmlinux "$domu/vmlinux" &&
		cp "$(dirname "$XEN_PRIVCMD")/xen-evtchn.ko" "$domu/" &&
		gcc -Wall -O1 -static -isystem "$XEN_CACHE/libxen-dev/usr/include" -o "$domu/domu" tests/ports/xen/domu.c tests/ports/xen/store.c \
			-L"$XEN_CACHE/libxen-dev/$libraries" -Wl,-u,elf_loader -lxenguest -lxenctrl -lxencall -lxenevtchn \
			-lxengnttab -lxenforeignmemory -lxendevicemodel -lxentoolcore -lxentoollog -lz
}

xen_boot() {
	xen=$1
	initrd=$2
	out=$3
	shift 3
	rm -rf "$out"
	mkdir -p "$out"
	# smap: Xen of that age does not get far with it in TCG.
	timeout "$XEN_TIME" qemu-system-x86_64 -machine pc -accel tcg -cpu max,-smap -smp "$XEN_CPUS" -m 1024 \
		-nodefaults -no-user-config -no-reboot -display none -monitor none \
		-serial "file:$out/console.log" -serial "file:$out/serial" \
		-kernel "$xen" -append "dom0_mem=512M,max:512M console=com1 com1=115200,8n1 loglvl=warning noreboot=0 $*" \
		-initrd "$XEN_DOM0 console=hvc0 panic=-1 quiet,$initrd" >"$out/qemu.log" 2>&1 </dev/null
	xen_status=$?
	if [ $xen_status -ne 0 ] || ! grep -aq '^guest: status 0' "$out/console.log"; then
		echo "the guest did not end well (qemu: $xen_status):"
		cat "$out/qemu.log"
		tail -n 30 "$out/console.log"
		return 1
	fi
	tar -xz -C "$out" -f "$out/serial"
}
