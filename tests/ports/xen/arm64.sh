#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# arm64.sh: tests Xen for arm64 with ports/xen in QEMU. Dom0 is Debian's kernel for arm64. The tests of hypervisor.sh
# run in dom0. Xen boots from the device tree and from UEFI. A panic during the boot must print the counters. A Xen that
# is too large for its page tables must not link. The variable XEN_LLVM selects another clang than clang 19.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh
. tests/ports/xen/judge.sh
. tests/ports/xen/arm64_lib.sh

LLVM=${XEN_LLVM:-19}
FUNCTIONS_MIN=3000
SMALLER=40
OPTIONS="EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y"
SMALL=EXTRA_CFLAGS_XEN_CORE=-Oz

xen_source && arm64_packages || exit 0
root=$WORK/root
arm64_root "$root"
check "the static program builds for arm64" make -s static BUILD=build/arm64 CC="aarch64-linux-gnu-gcc --sysroot=$ARM64_ROOT"
check "the guest's own caller builds" arm64_cc -Wall -O1 -o "$root/test/guest" tests/ports/xen/guest.c
cp build/arm64/static/bareprof ports/xen/each.sh tests/ports/xen/run tests/ports/xen/guest.sh "$root/test/"
linux_initramfs "$root" "$WORK/initramfs"

tree=$WORK/xen-$LLVM
check "the source is unpacked" xen_unpack "$tree"
check "bareprof is installed" sh ports/xen/install.sh "$tree"
# shellcheck disable=SC2086
check "Xen is configured for few CPUs" xen_config "$tree" "$LLVM" $OPTIONS NR_CPUS=8
check "Xen builds" xen_make "$tree" "$LLVM" $SMALL
XEN_CPUS=1
judge "$LLVM"
XEN_CPUS=2

# A boot from UEFI, from the same file.
cat >"$root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
./bareprof info --from xen >/out/info &&
	./bareprof pull --from xen -o /out/efi.profraw &&
	./bareprof pull --capture --from xen -o /out/efi.capture
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs-efi"
cp "$out/first.profraw" "$WORK/first.profraw"
out=$WORK/out-efi
check "UEFI: Xen boots, and dom0 pulls a profile" xen_boot_efi "$tree/xen/xen.efi" "$WORK/initramfs-efi" "$out"
if [ -s "$out/efi.profraw" ]; then
	cp "$WORK/first.profraw" "$out/"
	check "UEFI: it has the same functions" same_functions efi first
	check "UEFI: LLVM makes a report" reported efi
	check "UEFI: $(column "$out/efi.report" 2) of $(column "$out/efi.report" 1) functions did not run" \
		test "$(column "$out/efi.report" 2)" -lt $(($(column "$out/efi.report" 1) * 8 / 10))
	check "UEFI: the capture and xen-syms make a profile" "$BAREPROF" pull "$out/efi.capture" --elf "$tree/xen/xen-syms" -o "$out/capture.profraw"
	check "UEFI: it has the same functions" same_functions capture first
fi

# A file of zeros takes the place of dom0's kernel, so Xen panics before its boot ends.
out=$WORK/panic
truncate -s 1M "$WORK/zeros"
XEN_DOM0=$WORK/zeros XEN_TIME=60 xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out" crash-debug-panic=b >"$WORK/panic.log"
cp "$WORK/first.profraw" "$out/"
check "panic: Xen panics without dom0" grep -aq 'Could not set up DOM0' "$out/console.log"
check "panic: the counters are on the console" "$BAREPROF" pull "$out/console.log" --elf "$tree/xen/xen-syms" -o "$out/panic.profraw"
check "panic: it has the same functions" same_functions panic first
check "panic: panic() ran once" sh -c "'llvm-profdata-$LLVM' show --function=panic '$out/panic.profraw' --counts | grep -q 'Function count: 1'"

# By default Xen is compiled with -O2 and for 128 CPUs. With coverage it is then too large.
# shellcheck disable=SC2086
check "Xen is configured for 128 CPUs" xen_config "$tree" "$LLVM" $OPTIONS NR_CPUS=128
check "too large: it does not build" not xen_make "$tree" "$LLVM"
check "too large: the linker tells what to do" grep -q 'bareprof: this Xen is too large for its page tables: run make with EXTRA_CFLAGS_XEN_CORE=-Oz' "$tree.log"
check "byte counters: it builds" xen_make "$tree" "$LLVM" BAREPROF_KIND=bytes
