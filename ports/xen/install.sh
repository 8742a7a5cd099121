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
	xen/arch/arm/xen.lds.S xen/Kconfig.debug xen/common/Makefile xen/common/sysctl.c xen/include/xen/coverage.h
	xen/arch/x86/apic.c"
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
/* bareprof: samples of the program counter */
#define XEN_SYSCTL_COVERAGE_samples_read  4 /* a block of a capture, as with read_at */
#define XEN_SYSCTL_COVERAGE_samples_reset 5
#define XEN_SYSCTL_COVERAGE_samples_rate  6 /* size: samples in a second, 0: stop */
#define XEN_SYSCTL_COVERAGE_samples_info  7 /* size: the rate; total: interrupts */
END
put after xen/include/public/sysctl.h '^    XEN_GUEST_HANDLE_64\(char\) buffer; /\* OUT \*/' <<'END'
    /* bareprof: only for read_at and samples */
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

put before xen/Kconfig.debug '^config COVERAGE' <<'END'
config BAREPROF_SAMPLES
	bool "Samples of the program counter (bareprof)"
	depends on X86
	help
	  Xen can interrupt itself with a timer, and store which code was
	  interrupted. So dom0 can find out in which functions Xen spends
	  its time. The code of Xen need not be instrumented. Without the
	  option bareprof-samples=HZ on Xen's command line, Xen takes no
	  samples until dom0 asks for them.

	  If unsure, say N here.

END
put after xen/common/Makefile '^obj-\$\(CONFIG_COVERAGE\) \+= coverage/' <<'END'
obj-$(CONFIG_BAREPROF_SAMPLES) += coverage/bareprof/
END
put after xen/include/xen/coverage.h '^#define _XEN_COV_H' <<'END'

/* bareprof/sample_sysctl.c */
struct xen_sysctl_coverage_op;
int bareprof_samples_op(struct xen_sysctl_coverage_op *op);
END
put after xen/common/sysctl.c '^    case XEN_SYSCTL_coverage_op:' <<'END'
        if ( IS_ENABLED(CONFIG_BAREPROF_SAMPLES) &&
             op->u.coverage_op.cmd >= XEN_SYSCTL_COVERAGE_samples_read )
        {
            ret = bareprof_samples_op(&op->u.coverage_op);
            copyback = 1;
            break;
        }
END
# Later trees have other parameters and attributes of the function.
put before xen/arch/x86/apic.c '^(static )?void (cf_check )?apic_timer_interrupt\(' <<'END'
/* bareprof/sample.c */
void bareprof_timer_interrupt(void);

END
put after xen/arch/x86/apic.c '^    perfc_incr\(apic_timer\);' <<'END'
    if ( IS_ENABLED(CONFIG_BAREPROF_SAMPLES) )
        bareprof_timer_interrupt();
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
