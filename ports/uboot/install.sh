#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# install.sh TREE: installs bareprof into the source of U-Boot. Adds the folder lib/bareprof/, and some lines in files
# of the tree.
# install.sh --uninstall TREE: removes the folder and these lines, so that the tree is as it was before.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=lib/bareprof
apart=
edited="Makefile scripts/Makefile.lib lib/Makefile lib/Kconfig include/efi_loader.h arch/arm/cpu/armv8/u-boot.lds
	arch/arm/lib/crt0_64.S"
system=U-Boot
target=drop-in-uboot
left="./*.o ./.*.cmd ./.*.d ./*.su"
lib=$here/install.lib.sh
[ -f "$lib" ] || lib=$here/../install.lib.sh
. "$lib"
install_start "$@"

put after Makefile '^LDFLAGS_u-boot \+= --build-id=none' <<'END'
include $(srctree)/lib/bareprof/link.mk
END
put after scripts/Makefile.lib '^_c_flags +=' <<'END'
ifeq ($(CONFIG_BAREPROF)$(CONFIG_SPL_BUILD),y)
include $(srctree)/lib/bareprof/flags.mk
endif
END
put after lib/Makefile '^obj-.\(CONFIG_OPTEE_LIB\) '  <<'END'
obj-$(CONFIG_BAREPROF) += bareprof/
END
put after lib/Kconfig '^menu "Library routines"' <<'END'

source "lib/bareprof/Kconfig"
END
# These functions also run when an operating system has mapped them at another address.
put after include/efi_loader.h '^#define __efi_runtime __section' <<'END'
#ifdef CONFIG_BAREPROF
#undef __efi_runtime
#define __efi_runtime __section(".text.efi_runtime") __attribute__((no_profile_instrument_function))
#endif
END

put after arch/arm/cpu/armv8/u-boot.lds '^#include <asm/psci\.h>' <<'END'
#include "../../../../lib/bareprof/u-boot.lds.h"
END
put before arch/arm/cpu/armv8/u-boot.lds '^	\.image_copy_end :' <<'END'
	BAREPROF_COPIED
	. = ALIGN(8);
END
put before arch/arm/cpu/armv8/u-boot.lds '^	/DISCARD/ : \{ \*\(\.dynsym\) \}' <<'END'
	BAREPROF_COVERAGE
END
# The first call is the first one with a stack, the second one the first one in RAM.
put before arch/arm/lib/crt0_64.S '^	mov	x0, sp' <<'END'
#if defined(CONFIG_BAREPROF) && !defined(CONFIG_SPL_BUILD)
	bl	bareprof_before_copy
#endif
END
put after arch/arm/lib/crt0_64.S '^relocation_return:' <<'END'
#ifdef CONFIG_BAREPROF
	bl	bareprof_after_copy
#endif
END

install_end
echo "$tree: bareprof is in $home; $lines lines were added to other files"
echo "next: CONFIG_BAREPROF=y in .config, and make with CC=clang"
