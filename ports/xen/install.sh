#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# install.sh TREE: installs bareprof into the source of Xen. Adds the folder
# xen/common/coverage/bareprof/, and some lines in files of the tree.
# install.sh --uninstall TREE: removes the folder and these lines, so that the tree is as it was
# before.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=xen/common/coverage/bareprof
apart=
edited="xen/Rules.mk xen/common/coverage/Makefile xen/common/coverage/coverage.c xen/common/coverage/coverage.h
	xen/include/public/sysctl.h xen/common/keyhandler.c xen/arch/x86/Makefile xen/arch/x86/xen.lds.S
	xen/arch/arm/xen.lds.S"
system=Xen
target=drop-in-xen
left="./*.o ./.*.cmd ./.*.d"
lib=$here/install.lib.sh
[ -f "$lib" ] || lib=$here/../install.lib.sh
. "$lib"
install_start "$@"

put after xen/common/coverage/Makefile '^endif' <<'END'
include $(srctree)/common/coverage/bareprof/objects.mk
END
# Xen 4.21 renamed the variable for coverage flags.
flags='COV_FLAGS'
! grep -q 'cov-cflags-' "$tree/xen/Rules.mk" || flags='cov-cflags-$(CONFIG_COVERAGE)'
put after xen/Rules.mk '^ +(COV_FLAGS|cov-cflags-.*) := -fprofile-instr-generate' <<END
    include \$(srctree)/common/coverage/bareprof/flags.mk
    $flags := \$(bareprof-kind-flags)
END
put after xen/Rules.mk '^ +(COV_FLAGS|cov-cflags-.*) := -fprofile-arcs' <<END
    include \$(srctree)/common/coverage/bareprof/flags.mk
    $flags := \$(or \$(bareprof-kind-flags),\$($flags))
END

put after xen/include/public/sysctl.h '^#define XEN_SYSCTL_COVERAGE_reset ' <<'END'
/* bareprof: read a window of the data, or a block of a capture */
#define XEN_SYSCTL_COVERAGE_read_at  3
#define XEN_SYSCTL_COVERAGE_profraw  0 /* form */
#define XEN_SYSCTL_COVERAGE_capture  1
END
put after xen/include/public/sysctl.h '^    XEN_GUEST_HANDLE_64\(char\) buffer; /\* OUT \*/' <<'END'
    /* bareprof: only for read_at */
    uint32_t form; /* IN */
    uint32_t pad; /* IN: 0 */
    uint64_aligned_t offset; /* IN: bytes, or blocks of a capture */
    uint64_aligned_t total; /* OUT: number of all bytes, or of all blocks */
    uint64_aligned_t serial; /* IN/OUT: first 0, then the number returned before */
END
put after xen/common/coverage/coverage.h '^extern const struct cov_sysctl_ops cov_ops' <<'END'

/* bareprof/sysctl.c */
struct xen_sysctl_coverage_op;
int cov_read_at(struct xen_sysctl_coverage_op *op);
END
put before xen/common/coverage/coverage.c '^    default:' <<'END'
#ifdef BAREPROF_READ_AT
    case XEN_SYSCTL_COVERAGE_read_at:
        ret = cov_read_at(op);
        break;
#endif

END

put after xen/arch/x86/Makefile '^note_file_option \?= ' <<'END'
include $(srctree)/common/coverage/bareprof/efi.mk
END

put before xen/common/keyhandler.c '^    if \( system_state < SYS_STATE_smp_boot \)' <<'END'
    /* bareprof: Arm stays in SYS_STATE_boot until its boot ends. */
    if ( !IS_ENABLED(CONFIG_COVERAGE) || !IS_ENABLED(CONFIG_ARM) || system_state < SYS_STATE_boot )
END

for arch in x86 arm; do
	put after xen/arch/$arch/xen.lds.S '^#include <xen/xen\.lds\.h>' <<'END'
#include "../../common/coverage/bareprof/xen.lds.h"
END
	put before xen/arch/$arch/xen.lds.S '^  (DECL_SECTION\(\.bss\)|\.bss :) \{' <<'END'
  BAREPROF_DATA

END
	# On x86, the lines before DWARF2_DEBUG_SECTIONS are used for xen-syms and for xen.efi.
	put before xen/arch/$arch/xen.lds.S '^  DWARF2_DEBUG_SECTIONS' <<'END'
  BAREPROF_DETAILS

END
done

install_end
echo "$tree: bareprof is in $home; $lines lines were added to other files"
echo "next: CONFIG_EXPERT=y, CONFIG_LIVEPATCH=n and CONFIG_COVERAGE=y in xen/.config, and make with clang=y or BAREPROF_KIND=mip"
