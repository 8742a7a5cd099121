#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# install.sh TREE: put bareprof into the source of a Linux kernel: kernel/bareprof/ and
# scripts/Makefile.bareprof, and some lines in files of the tree.
# install.sh --uninstall TREE: take it out again, which leaves all as it was.
#
# Places are found by what is there, not by line numbers or versions. A tree where one is
# missing is refused, and then nothing was changed. What was added to the tree's own files
# is in kernel/bareprof/install.patch, which --uninstall reverses; checksums then say
# whether that gave back what had been there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=kernel/bareprof
rules=scripts/Makefile.bareprof

# The files of the tree that get lines; of the others, those that there are.
edited="Makefile arch/Kconfig kernel/Makefile scripts/Makefile.lib scripts/Makefile.modfinal
	arch/x86/kernel/vmlinux.lds.S arch/arm64/kernel/vmlinux.lds.S arch/x86/boot/compressed/Makefile
	scripts/mod/modpost.c"

die() {
	echo "install.sh: $*" >&2
	exit 1
}

job=install
if [ "${1-}" = --uninstall ]; then
	job=uninstall
	shift
fi
case $#${1-} in
1[!-]*) ;;
*)
	echo "usage: install.sh [--uninstall] TREE, the source of a Linux kernel" >&2
	exit 2
	;;
esac
tree=$(cd "$1" 2>/dev/null && pwd) || die "$1: there is no such directory"

for file in $edited; do
	[ -f "$tree/$file" ] || die "$tree/$file is missing: this is no source of a Linux kernel that bareprof knows"
	[ -w "$tree/$file" ] && [ -w "$(dirname "$tree/$file")" ] || die "$tree/$file may not be written"
done

# All is made ready here, on the disk of the tree, so that the last step only renames.
stage=$(mktemp -d "$tree/.bareprof-XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
for file in $edited; do
	mkdir -p "$stage/a/$(dirname "$file")" "$stage/b/$(dirname "$file")"
	cp -p "$tree/$file" "$stage/a/$file"
	cp -p "$tree/$file" "$stage/b/$file"
done

# replace: the files of the tree by those in b; if that fails, by those in a.
replace() {
	for file in $edited; do
		cmp -s "$stage/b/$file" "$tree/$file" || mv -f "$stage/b/$file" "$tree/$file" || {
			for each in $edited; do mv -f "$stage/a/$each" "$tree/$each"; done
			die "$tree: not all files could be replaced; nothing was changed"
		}
	done
}

# changed LIST: the files whose checksums are others than in LIST, or that are not there.
changed() {
	(cd "$tree" && sha256sum --quiet -c "$1" 2>/dev/null | sed 's/: [^:]*$//')
}

if [ "$job" = uninstall ]; then
	[ -f "$tree/$home/install.patch" ] || die "$tree/$home/install.patch is missing: bareprof is not installed there"
	for file in $(changed "$home/install.ours"); do
		[ ! -e "$tree/$file" ] || die "$tree/$file was changed since it was installed; move it away, then nothing is lost"
	done
	patch -s -R -f -p1 -d "$stage/b" --no-backup-if-mismatch -r "$stage/rejects" <"$tree/$home/install.patch" >"$stage/log" 2>&1 ||
		die "$tree/$(sed -n '1s/^--- \([^[:space:]]*\).*/\1/p' "$stage/rejects"): the lines around bareprof's have changed; take out by hand what $home/install.patch added there, and take it out of install.patch"
	replace
	others=$(changed "$home/install.before")
	sed 's/^[^ ]*  //' "$tree/$home/install.ours" >"$stage/ours"
	(cd "$tree" && xargs rm -f <"$stage/ours")
	# And what building the kernel left beside them.
	(cd "$tree/$home" && rm -f install.ours install.before install.patch ./*.o ./*.a ./*.mod ./*.mod.c ./.*.cmd ./.*.d modules.order)
	rmdir "$tree/$home" 2>/dev/null || echo "$tree/$home: kept, as there are more files in it"
	for file in $others; do
		echo "$tree/$file: changed since by others, which stays; the lines of bareprof are out"
	done
	[ -n "$others" ] || echo "$tree: bareprof is out, and all files are what they were"
	exit
fi

[ ! -e "$tree/$home" ] || die "$tree/$home is there already: bareprof is installed; to renew it, install.sh --uninstall $tree first"
[ ! -e "$tree/$rules" ] || die "$tree/$rules is there already, though $home is not; move it away"
for file in $edited; do
	! grep -q -i bareprof "$tree/$file" || die "$tree/$file speaks of bareprof, though $home is not there; take those lines out"
done

# put after|before FILE PATTERN: the lines of standard input beside the one line like it.
put() {
	cat >"$stage/lines"
	line=$(grep -n -E -- "$3" "$stage/b/$2" | sed 's/:.*//')
	case $line in
	'' | *[!0-9]*) die "$tree/$2 has no line, or more than one, like '$3', which is where bareprof belongs; nothing was changed" ;;
	esac
	[ "$1" = after ] || line=$((line - 1))
	{
		head -n "$line" "$stage/b/$2"
		cat "$stage/lines"
		tail -n +$((line + 1)) "$stage/b/$2"
	} >"$stage/new"
	cat "$stage/new" >"$stage/b/$2"
}

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

# bareprof does not count what modpost writes
GCOV_PROFILE := n
END

# Which objects: as the tree says it for gcov, in its own words, and directories by name.
lib=scripts/Makefile.lib
sed -n '/^ifeq (\$(CONFIG_GCOV_KERNEL),y)/,/^endif/p' "$tree/$lib" >"$stage/gcov"
for word in 'GCOV_PROFILE_' '(GCOV_PROFILE)' 'CONFIG_GCOV_PROFILE_ALL' 'CFLAGS_GCOV'; do
	[ "$(grep -c -F "$word" "$stage/gcov")" -eq 1 ] ||
		die "$tree/$lib has no block ifeq (\$(CONFIG_GCOV_KERNEL),y) with $word in it; nothing was changed"
done
{
	echo '# The same for bareprof, and for directories that are named in the configuration'
	sed -e 's/CONFIG_GCOV_KERNEL/CONFIG_BAREPROF/; s/CFLAGS_GCOV/CFLAGS_BAREPROF/' \
		-e 's|\$(CONFIG_GCOV_PROFILE_ALL)|$(CONFIG_BAREPROF_PROFILE_ALL)$(if $(filter $(BAREPROF_DIRS),$(obj)/),y)|' "$stage/gcov"
	echo
} >"$stage/block"
grep -q BAREPROF_DIRS "$stage/block" || die "$tree/$lib uses CONFIG_GCOV_PROFILE_ALL in a way that is not known; nothing was changed"
# Behind the end of that block and the empty line that follows.
awk -v block="$stage/block" '{ print }
	/^ifeq \(\$\(CONFIG_GCOV_KERNEL\),y\)/ { inside = 1 }
	inside == 2 && /^$/ { while ((getline text <block) > 0) print text; inside = 0 }
	inside == 1 && /^endif/ { inside = 2 }' "$stage/a/$lib" >"$stage/new"
cat "$stage/new" >"$stage/b/$lib"
grep -q BAREPROF "$stage/b/$lib" || die "$tree/$lib has no empty line behind its block for gcov; nothing was changed"

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
# modpost would have a warning for every function.
put before scripts/mod/modpost.c '^	"\.discard\.\*",' <<'END'
	"__llvm_cov*",		/* bareprof: read by tools alone */
END
# The mapping to source lines is for tools, and would only make the boot image larger.
put after arch/x86/boot/compressed/Makefile '^OBJCOPYFLAGS_vmlinux\.bin :=' <<'END'
OBJCOPYFLAGS_vmlinux.bin += $(if $(CONFIG_BAREPROF),-R __llvm_covmap -R __llvm_covfun)
END

# From a folder that make drop-in-linux has made, or from where that is made.
if [ -f "$here/bareprof.c" ]; then
	cp -R "$here" "$stage/home"
else
	env -u MAKEFLAGS -u MAKEOVERRIDES make -s -C "$here/../.." drop-in-linux DIR="$stage/home" >"$stage/log" 2>&1 || {
		cat "$stage/log" >&2
		die "make drop-in-linux does not work in $(cd "$here/../.." && pwd); nothing was changed"
	}
fi
mv "$stage/home/Makefile.bareprof" "$stage/rules"
rm -f "$stage/home/install.sh" "$stage/home"/*.o "$stage/home"/.*.cmd
(cd "$stage" && diff -ru a b | sed 's/^\(---\|+++\) \([^[:space:]]*\).*/\1 \2/' >home/install.patch)
# shellcheck disable=SC2086
(cd "$stage/a" && sha256sum $edited) >"$stage/before"
{
	(cd "$stage/home" && sha256sum -- * | grep -v ' install\.' | sed "s|  |  $home/|")
	echo "$(sha256sum <"$stage/rules" | sed 's/ .*//')  $rules"
} >"$stage/list"
mv "$stage/before" "$stage/home/install.before"
mv "$stage/list" "$stage/home/install.ours"

replace
mv "$stage/home" "$tree/$home"
mv "$stage/rules" "$tree/$rules"
lines=$(grep '^+' "$tree/$home/install.patch" | grep -c -v '^+++')
echo "$tree: bareprof is in $home and $rules; $lines lines were added to other files"
echo "next: make LLVM=1 menuconfig, 'General architecture-dependent options', 'LLVM profiles'"
