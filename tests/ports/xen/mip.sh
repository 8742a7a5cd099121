#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip.sh: tests machine profiles of Xen with ports/xen in QEMU. gcc and clang build Xen, in the modes "coverage" and
# "calls". Dom0 pulls the profile by hypercall, as raw profile and as capture, and presses the debug keys. mip_judge.py
# checks that the map has every function of the instrumented objects. A Xen with clang's source coverage boots in the
# same way: the functions that ran by the machine profile must be functions that ran by source coverage, except for those
# of a timer.
#
# The variable XEN_MIP selects combinations of compiler, mode and linker, for example "gcc/calls/lld".
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh

LLVM=19
XEN_MIP=${XEN_MIP:-gcc/coverage/gnu gcc/calls/lld $LLVM/coverage/lld $LLVM/calls/gnu}
OPTIONS="EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y"

xen_source && xen_dom0 || exit 0
not() { ! "$@"; }
root=$WORK/root
xen_root "$root"
check "the static program builds" make -s static
check "the guest's own caller builds" gcc -Wall -O1 -static -o "$root/test/guest" tests/ports/xen/guest.c
cp build/static/bareprof tests/ports/xen/guest.sh "$root/test/"
cat >"$root/test/run" <<'END_OF_RUN'
exec >/out/said 2>&1
. ./guest.sh
cd /tmp || exit
insmod /test/xen-privcmd.ko
"$b" info --json --from xen >/out/info.json
check "a profile is pulled" "$b" pull --from xen
check "its name is that of the image" cp xen.profraw /out/first
check "a capture is pulled" "$b" pull --from xen --capture -o /out/xen.capture
check "a second profile is pulled" "$b" pull --from xen -o /out/second
check "the key that dumps is pressed" /test/guest b
sleep 1
check "the counters are reset by hypercall" "$b" reset --from xen
check "the key h is pressed" /test/guest h
check "the key h is pressed again" /test/guest h
check "a profile after the reset is pulled" "$b" pull --from xen -o /out/reset
check "the key that resets is pressed" /test/guest B
check "a profile after the key is pulled" "$b" pull --from xen -o /out/key
"$b" info --json --from xen >/out/later.json
echo "the end" >/out/end
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs-counters"
sed -i 's/cp xen.profraw/cp xen.mipraw/' "$root/test/run"
linux_initramfs "$root" "$WORK/initramfs"

source=$WORK/source
check "the source is unpacked" xen_unpack "$source"
check "bareprof is installed" sh ports/xen/install.sh "$source"

# build WORD...: builds Xen in $tree with $compiler and $XEN_LD. The WORDs are arguments of make.
build() {
	rm -rf "$tree"
	cp -a "$source" "$tree"
	# shellcheck disable=SC2086
	xen_config "$tree" "$compiler" $OPTIONS && xen_make "$tree" "$compiler" "$@"
}
# quiet: succeeds if the last build printed no warnings of the linker.
quiet() { not grep -E '(^|/)ld(\.lld)?(-[0-9]+)?: (warning|.*below image base)' "$tree.log"; }
judge() { python3 tests/ports/xen/mip_judge.py "$BAREPROF" "$@" | sed "s|ok - |ok - $this: |"; }
merged() { "$BAREPROF" mip merge --elf "$tree/xen/xen-syms" "$out/$1" -o "$out/$1.mip"; }
property() { sed -n "s/.*\"$2\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" "$out/$1"; }

# The hypervisor with source coverage, to compare with.
compiler=$LLVM
tree=$WORK/counters
out=$WORK/out-counters
XEN_CPUS=1
check "clang $LLVM, source coverage: it builds" build
check "clang $LLVM, source coverage: it boots" xen_boot "$tree/xen/xen" "$WORK/initramfs-counters" "$out"
check "clang $LLVM, source coverage: functions are listed" sh -c \
	"llvm-profdata-$LLVM show --all-functions --counts '$out/first' >'$WORK/counters.txt'"

for each in $XEN_MIP; do
	compiler=${each%%/*}
	mode=${each#*/}
	XEN_LD=${mode#*/}
	mode=${mode%/*}
	this=$each
	tree=$WORK/xen-$(echo "$each" | tr / -)
	out=$WORK/out-$(echo "$each" | tr / -)
	check "$this: it builds" build BAREPROF_KIND=mip "BAREPROF_MIP=--mode $mode" "BAREPROF_PROGRAM=$BAREPROF"
	[ -s "$tree/xen/xen-syms" ] || continue
	check "$this: the linker prints no warning" quiet
	judge map "$tree/xen"
	check "$this: dom0 boots and reaches its end" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
	[ -s "$out/end" ] || continue
	sed "s|ok - guest:|ok - $this, guest:|" "$out/said"
	check "$this: info says what Xen records" test "$(property info.json machine_profile)" = "$mode"
	check "$this: info has the number of functions" test "$(property info.json recording_functions)" -gt 3000
	check "$this: info has the size of the profile" test "$(property info.json mipraw_bytes)" = "$(wc -c <"$out/first")"
	check "$this: info counts resets" test "$(property info.json resets) $(property later.json resets)" = "0 2"
	"$BAREPROF" pull "$out/console.log" -o "$out/console" >/dev/null 2>&1
	for name in first second xen.capture reset key console; do
		check "$this: $name and xen-syms make a machine profile" merged $name
	done
	judge boot "$mode" "$out" "$WORK/counters.txt"
	[ "$XEN_LD" = gnu ] || continue
	check "$this: the map is not in xen.efi" not grep -aq -e __llvm_mipmap -e .mipmap "$tree/xen/xen.efi"
	efi=$out-efi
	check "$this, xen.efi: dom0 boots and reaches its end" xen_boot_efi "$tree/xen/xen.efi" "$WORK/initramfs" "$efi"
	out=$efi
	check "$this, xen.efi: xen-syms makes a machine profile" merged first
	check "$this, xen.efi: efi_get_time() ran, which no other boot runs" sh -c \
		"'$BAREPROF' mip show --function efi_get_time '$out/first.mip' | grep -qx '  Ran: yes'"
	check "$this, xen.efi: the xen-syms of another build is refused" not "$BAREPROF" mip merge \
		--elf "$WORK/counters/xen/xen-syms" "$out/first" -o "$out/wrong.mip"
done
