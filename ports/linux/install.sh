#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# install.sh TREE: installs bareprof into the source of a Linux kernel. Adds kernel/bareprof/,
# scripts/Makefile.bareprof, and some lines in files of the tree.
# install.sh --uninstall TREE: removes these files and lines, so that the tree is as it was before.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=kernel/bareprof
apart=Makefile.bareprof:scripts/Makefile.bareprof
edited="Makefile arch/Kconfig kernel/Makefile scripts/Makefile.lib scripts/Makefile.modfinal
	arch/x86/kernel/vmlinux.lds.S arch/arm64/kernel/vmlinux.lds.S arch/x86/boot/compressed/Makefile
	scripts/mod/modpost.c tools/objtool/elf.c"
system="a Linux kernel"
target=drop-in-linux
left="./*.o ./*.a ./*.mod ./*.mod.c ./.*.cmd ./.*.d modules.order"
lib=$here/install.lib.sh
[ -f "$lib" ] || lib=$here/../install.lib.sh
. "$lib"
install_start "$@"

put after kernel/Makefile '^obj-\$\(CONFIG_GCOV_KERNEL\)' <<'END'
obj-$(CONFIG_BAREPROF) += bareprof/
END
put after arch/Kconfig '^source "kernel/gcov/Kconfig"' <<'END'

source "kernel/bareprof/Kconfig"
END
put after Makefile '^include-\$\(CONFIG_KCOV\)' <<'END'
include-$(CONFIG_BAREPROF)	+= scripts/Makefile.bareprof
END
put after scripts/Makefile.modfinal '^include \$\(srctree\)/scripts/Makefile\.lib' <<'END'

# The files that modpost writes are not instrumented.
GCOV_PROFILE := n
END

# Makes a copy of the tree's own rules for gcov. The copy selects the objects for bareprof. It also
# selects the directories that the configuration names. For machine profiles, words come before the compiler of these
# objects.
rules=scripts/Makefile.lib
sed -n '/^ifeq (\$(CONFIG_GCOV_KERNEL),y)/,/^endif/p' "$tree/$rules" >"$stage/gcov"
for word in 'GCOV_PROFILE_' '(GCOV_PROFILE)' 'CONFIG_GCOV_PROFILE_ALL' 'CFLAGS_GCOV'; do
	[ "$(grep -c -F "$word" "$stage/gcov")" -eq 1 ] ||
		die "$tree/$rules has no block ifeq (\$(CONFIG_GCOV_KERNEL),y) with $word in it; nothing was changed"
done
{
	echo '# These rules are for bareprof. They also select the directories that the configuration names.'
	sed -e 's/CONFIG_GCOV_KERNEL/CONFIG_BAREPROF/; s/^_c_flags +=/bareprof-on =/; s/\$(CFLAGS_GCOV)/y/' \
		-e 's|\$(CONFIG_GCOV_PROFILE_ALL)|$(CONFIG_BAREPROF_PROFILE_ALL)$(if $(filter $(BAREPROF_DIRS),$(obj)/),y)|' \
		-e '/^endif/i _c_flags += $(if $(bareprof-on),$(CFLAGS_BAREPROF))' \
		-e '/^endif/i $(eval override CC = $$(if $$(and $$(filter %.o,$$@),$$(bareprof-on)),$$(BAREPROF_CC) )$(value CC))' "$stage/gcov"
	echo
} >"$stage/block"
grep -q BAREPROF_DIRS "$stage/block" || die "$tree/$rules uses CONFIG_GCOV_PROFILE_ALL in a way that bareprof does not support; use Linux 6.1, with which bareprof is tested; nothing was changed"
# Inserts the copy of the rules after the empty line that follows the tree's rules for gcov.
awk -v block="$stage/block" '{ print }
	/^ifeq \(\$\(CONFIG_GCOV_KERNEL\),y\)/ { inside = 1 }
	inside == 2 && /^$/ { while ((getline text <block) > 0) print text; inside = 0 }
	inside == 1 && /^endif/ { inside = 2 }' "$stage/a/$rules" >"$stage/new"
cat "$stage/new" >"$stage/b/$rules"
grep -q BAREPROF "$stage/b/$rules" || die "$tree/$rules has no empty line after its block for gcov: add one; nothing was changed"

for arch in x86 arm64; do
	put after arch/$arch/kernel/vmlinux.lds.S '^#include <asm-generic/vmlinux\.lds\.h>' <<'END'
#include "../../../kernel/bareprof/vmlinux.lds.h"
END
	put before arch/$arch/kernel/vmlinux.lds.S '^	STABS_DEBUG' <<'END'
	BAREPROF_DETAILS
END
done
put before arch/x86/kernel/vmlinux.lds.S '^	BUG_TABLE' <<'END'
	BAREPROF_DATA

END
put after arch/arm64/kernel/vmlinux.lds.S '^	RW_DATA\(' <<'END'
	BAREPROF_DATA
END
# Without this line, modpost would print a warning for every function.
put before scripts/mod/modpost.c '^	"\.discard\.\*",' <<'END'
	"__llvm_cov*", "__llvm_mipmap",	/* bareprof: read by tools alone */
END
# Before Linux 6.13, objtool moves a symbol in the symbol table, but does not update the section
# group that is named after this symbol. For a symbol that each object defines, such as
# __llvm_profile_raw_version, the linker then finds two definitions.
objtool=tools/objtool/elf.c
moves='^		new_idx = first_non_local;'
if ! grep -q SHT_GROUP "$tree/$objtool" && [ "$(grep -c "$moves" "$tree/$objtool")" -eq 1 ]; then
	put before "$objtool" "$moves" <<'END'
		/* bareprof: a group may be named after that symbol */
		list_for_each_entry(group, &elf->sections, list) {
			if (group->sh.sh_type == SHT_GROUP && group->sh.sh_info == first_non_local) {
				group->sh.sh_info = new_idx;
				group->changed = true;
			}
		}

END
	put before "$objtool" '^	Elf32_Word first_non_local, new_idx;' <<'END'
	struct section *group; /* bareprof */
END
fi
# Removes the mapping to source lines and the pseudo probes from the boot image, because only tools read them from
# vmlinux.
put after arch/x86/boot/compressed/Makefile '^OBJCOPYFLAGS_vmlinux\.bin :=' <<'END'
OBJCOPYFLAGS_vmlinux.bin += $(if $(CONFIG_BAREPROF),-R __llvm_covmap -R __llvm_covfun -R __llvm_mipmap -R .pseudo_probe -R .pseudo_probe_desc)
END

install_end
echo "$tree: bareprof is in $home and ${apart#*:}; $lines lines were added to other files"
echo "next: make LLVM=1 menuconfig, 'General architecture-dependent options', 'LLVM profiles'"
