# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - functions for tests that build and boot U-Boot. Scripts source it after tests/lib.sh.
# shellcheck shell=sh

UBOOT=$ROOT/build/uboot

# uboot_source DIR: copies Debian's source of U-Boot to DIR.
uboot_source() {
	sh tests/source.sh u-boot "$UBOOT/source" >"$WORK/source.log" 2>&1 || {
		skip "the source of U-Boot: $(cat "$WORK/source.log")"
		return 1
	}
	rm -rf "$1" && cp -a "$UBOOT/source" "$1"
}

# uboot_make DIR LLVM WORD...: runs make in DIR.
uboot_make() {
	dir=$1 llvm=$2
	shift 2
	env -u MAKEFLAGS -u MAKEOVERRIDES make -C "$dir" -j2 CROSS_COMPILE=aarch64-linux-gnu- \
		CC="clang-$llvm --target=aarch64-linux-gnu" "$@" >"$dir.log" 2>&1 && return
	grep -E 'error:|\*\*\*' "$dir.log" | head -n 20
	return 1
}

# uboot_config DIR LLVM WORD...: makes the configuration; the words are for scripts/config.
uboot_config() {
	dir=$1 llvm=$2
	shift 2
	sed -i 's/ -ffixed-r9//' "$dir/arch/arm/config.mk"
	sed -i 's/ --debug-prefix-map/ -fdebug-prefix-map/' "$dir/Makefile"
	uboot_make "$dir" "$llvm" qemu_arm64_defconfig &&
		(cd "$dir" && scripts/config -d ARM64_CRC32 -d EXAMPLES -e BAREPROF "$@") &&
		uboot_make "$dir" "$llvm" olddefconfig
}
