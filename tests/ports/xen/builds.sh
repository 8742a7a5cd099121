#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# builds.sh: builds a current Xen with ports/xen in the ways that users build Xen: with two releases of clang, with
# coverage and with MC/DC, with GNU ld and with lld. GNU ld also links xen.efi, which boots with the firmware OVMF. Each
# hypervisor boots dom0, and dom0 pulls its profile. The profile must have the build id of xen-syms, so that no other
# xen-syms can make a report of it.
#
# The variable XEN_BUILDS selects combinations, for example "19/mcdc 22/coverage".
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh
. tests/ports/xen/current.sh

FUNCTIONS_MIN=6400
XEN_BUILDS=${XEN_BUILDS:-19/coverage 19/mcdc 22/coverage 22/mcdc}

xen_source && xen_dom0 || exit 0
not() { ! "$@"; }
check "the static program builds" make -s static
xen_root "$WORK/root"
cp build/static/bareprof "$WORK/root/test/"
cat >"$WORK/root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
./bareprof info --from xen >/out/info &&
	./bareprof pull --from xen -o /out/xen.profraw xen &&
	./bareprof pull --capture --from xen -o /out/xen.capture xen
END_OF_RUN
linux_initramfs "$WORK/root" "$WORK/initramfs"

# The source of current Xen with the port, made once.
source=$WORK/source
check "the source is unpacked" xen_unpack "$source"
check "it gets the parts of a current Xen" xen_current "$source"
check "bareprof is installed" sh ports/xen/install.sh "$source"

# quiet: succeeds if the last build printed no warnings of the linker.
quiet() { not grep -E "ld(\.lld)?(-[0-9]+)?: ($tree/xen/)?(warning|.*below image base)" "$tree.log"; }
id_of() { "llvm-readelf-$llvm" -n "$1" | sed -n 's/.*Build ID: //p'; }
report() {
	"llvm-profdata-$llvm" merge "$out/xen.profraw" -o "$out/xen.profdata" &&
		"llvm-cov-$llvm" report "$kept/xen-syms" -instr-profile="$out/xen.profdata" -show-mcdc-summary >"$out/report"
}
# total N: prints column N of the line TOTAL.
total() { awk -v n="$1" '/^TOTAL/ { print $n }' "$out/report"; }

# judge WHAT BOOT FILE: boots FILE with the function BOOT, and checks the profile.
judge() {
	what="clang $llvm, $kind, $1"
	out=$kept/out-$3
	check "$what: dom0 boots and pulls the profile" "$2" "$kept/$3" "$WORK/initramfs" "$out"
	[ -s "$out/xen.profraw" ] || return
	check "$what: the profile has the build id of xen-syms, $(id_of "$kept/xen-syms")" grep -q "^build id: *$(id_of "$kept/xen-syms")$" "$out/info"
	check "$what: LLVM makes a report" report
	check "$what: llvm-cov reports $(total 5) functions, of which $(total 6) did not run" test "$(total 5)" -ge $FUNCTIONS_MIN -a "$(total 6)" -lt $(($(total 5) * 8 / 10))
	[ "$kind" != mcdc ] || check "$what: of $(total 14) conditions, $(total 15) are not covered" test "$(total 15)" -lt "$(total 14)"
	check "$what: bareprof report has as many" sh -c \
		"'$BAREPROF' report '$kept/xen-syms' '$out/xen.profraw' | awk '/^TOTAL/ { print \$5, \$6 }' | grep -qx '$(total 5) $(total 6)'"
	check "$what: the capture and xen-syms make a profile" "$BAREPROF" pull "$out/xen.capture" --elf "$kept/xen-syms" -o "$out/again.profraw"
	check "$what: it has the same size" test "$(stat -c %s "$out/again.profraw")" = "$(stat -c %s "$out/xen.profraw")"
	[ ! -f "$other" ] || refuses "$what: another xen-syms is refused" \
		"build id is $(id_of "$kept/xen-syms")" "$BAREPROF" report "$other" "$out/xen.profraw"
}

# build LINKER: builds Xen, and keeps the results.
build() {
	kept=$WORK/$llvm-$kind-$1
	XEN_LD=$1
	mkdir -p "$kept"
	# shellcheck disable=SC2086
	xen_config "$tree" "$llvm" EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y $condition && xen_make "$tree" "$llvm" &&
		cp "$tree/xen/xen" "$tree/xen/xen-syms" "$kept" && { [ "$1" != gnu ] || cp "$tree/xen/xen.efi" "$kept"; }
}

other=
for each in $XEN_BUILDS; do
	llvm=${each%/*}
	kind=${each#*/}
	condition=
	[ "$kind" = coverage ] || condition=CONDITION_COVERAGE=y
	tree=$WORK/xen-$llvm-$kind
	cp -a "$source" "$tree"
	check "clang $llvm, $kind: GNU ld links xen and xen.efi" build gnu
	check "clang $llvm, $kind: GNU ld prints no warning" quiet
	judge "GNU ld" xen_boot xen
	judge "xen.efi" xen_boot_efi xen.efi
	other=$kept/xen-syms
	check "clang $llvm, $kind: lld links xen" build lld
	check "clang $llvm, $kind: lld prints no warning" quiet
	judge lld xen_boot xen
	other=$kept/xen-syms
	rm -rf "$tree"
done
