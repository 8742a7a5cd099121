#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# trees.sh - compares the reports of bareprof with those of llvm-cov, for a whole Linux and a whole Xen, of clang 19 and
# 22. Both run in QEMU, and all their code counts. COVERAGE_RELEASES and COVERAGE_TREES select some of them.
# COVERAGE_KEEP=1 does not build and run a tree again of which there is a profile, so that a comparison can be repeated.
. "$(dirname "$0")/../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh
. tests/ports/xen/lib.sh
. tests/coverage/lib.sh

RELEASES=${COVERAGE_RELEASES:-19 22}
TREES=${COVERAGE_TREES:-linux xen}
ALLOW_TORN=--allow-torn
# The trees are outside of $WORK, whose contents are removed at the start.
KEPT=$ROOT/build/coverage
export KBUILD_BUILD_TIMESTAMP=1 KBUILD_BUILD_USER=bareprof KBUILD_BUILD_HOST=bareprof KBUILD_BUILD_VERSION=1
check "the static program builds" make -s static

# linux_tree DIR RELEASE: builds a kernel with a module, boots it, and makes DIR/1.profraw and DIR/module.profraw.
linux_tree() {
	LINUX_LLVM=$2
	linux_source "$1/linux" && sh ports/linux/install.sh "$LINUX_TREE" || return
	config=$(echo "$LINUX_X86" | tr ' \t' '\n\n' | grep -v -E '^(KUNIT|RUNTIME_TESTING)')
	# shellcheck disable=SC2086
	linux_config "$1/kernel" $config BAREPROF=y BAREPROF_PROFILE_ALL=y && linux_make "$1/kernel" bzImage modules || return
	cp "$1/kernel/vmlinux" "$1/program" && cp "$1/kernel/fs/minix/minix.ko" "$1/module" || return
	rm -rf "$1/root"
	linux_root "$1/root"
	cat >"$1/root/test/run" <<'END_OF_RUN'
insmod ./minix.ko && mkdir /mnt && cat minix.image >/dev/ram0 && mount -t minix /dev/ram0 /mnt || exit
cp /init run /mnt/ && cat /mnt/run >/dev/null && sync && umount /mnt || exit
for n in minix vmlinux; do cp /sys/kernel/debug/bareprof/$n/profraw /out/$n.profraw || exit; done
END_OF_RUN
	cp "$1/module" "$1/root/test/minix.ko" && truncate -s 4M "$1/root/test/minix.image" && /sbin/mkfs.minix "$1/root/test/minix.image" || return
	linux_initramfs "$1/root" "$1/initramfs"
	# Several CPUs that count at the same time can make impossible counts, which llvm-cov shows and bareprof does not.
	LINUX_CPUS=1
	linux_boot "$1/kernel/arch/x86/boot/bzImage" "$1/initramfs" "$1/out" && install -m 644 "$1/out/minix.profraw" "$1/module.profraw" &&
		install -m 644 "$1/out/vmlinux.profraw" "$1/1.profraw" && rm -rf "$1/linux" "$1/kernel" "$1/root" "$1/initramfs"
}

# xen_tree DIR RELEASE: builds a hypervisor, boots it, and makes DIR/1.profraw.
xen_tree() {
	xen_unpack "$1/xen" && sh ports/xen/install.sh "$1/xen" && xen_config "$1/xen" "$2" EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y &&
		xen_make "$1/xen" "$2" && cp "$1/xen/xen/xen-syms" "$1/program" || return
	rm -rf "$1/root"
	xen_root "$1/root"
	cp build/static/bareprof "$1/root/test/"
	echo 'insmod ./xen-privcmd.ko && ./bareprof pull --from xen -o /out/profraw' >"$1/root/test/run"
	linux_initramfs "$1/root" "$1/initramfs"
	XEN_CPUS=1
	xen_boot "$1/xen/xen/xen" "$1/initramfs" "$1/out" && install -m 644 "$1/out/profraw" "$1/1.profraw" && rm -rf "$1/xen" "$1/root" "$1/initramfs"
}

# The functions of the libraries change common names, so the names here are their own.
for compared in $RELEASES; do
	for what_tree in $TREES; do
		kept=$KEPT/$what_tree-$compared
		of="$what_tree, clang $compared"
		[ -n "${COVERAGE_KEEP-}" ] && [ -e "$kept/1.profraw" ] || {
			rm -rf "$kept"
			mkdir -p "$kept"
			case $what_tree in
			linux) check "$of: builds and runs" linux_tree "$kept" "$compared" ;;
			xen) xen_source && xen_dom0 && check "$of: builds and runs" xen_tree "$kept" "$compared" ;;
			esac
		}
		[ -e "$kept/1.profraw" ] || continue
		equal "$of" "$compared" "$kept" "$kept/program" "$kept/1.profraw"
		[ ! -e "$kept/module" ] ||
			equal "a module of $of" "$compared" "$WORK/module-$compared" "$kept/module" "$kept/module.profraw"
	done
done
