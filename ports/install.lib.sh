# SPDX-License-Identifier: BSD-2-Clause
# install.lib.sh - functions for the install.sh of each port. An install.sh installs bareprof into a source tree. It
# adds a folder to the tree, and lines to some files of the tree. It can also remove bareprof, so that the tree is as it
# was before. First, an install.sh sets these variables:
#
#	home    the folder that is added, relative to the tree
#	apart   the files of this folder that are moved to another location in the tree, as FROM:TO
#	edited  the files of the tree to which lines are added
#	system  the name of the system, such as Xen, for messages
#	target  the target of bareprof's makefile that makes the contents of the folder
#	left    patterns of the files that a build of the tree leaves in the folder
#
# After that, install.sh calls install_start "$@". Then it adds lines to the copies of the tree's files in $stage/b,
# with put() or in other ways. At the end, it calls install_end. If a step fails before install_end has finished, the
# tree stays unchanged.
#
# Lines are added before or after a line that matches a pattern, not at line numbers. If no line of
# the file matches, the script fails and the tree stays unchanged. The file install.patch in
# bareprof's folder contains the lines that were added to the tree's own files. --uninstall reverses
# this patch. Then it compares checksums to find out whether the files are as they were before.
# shellcheck shell=sh disable=SC2154

die() {
	echo "install.sh: $*" >&2
	exit 1
}

# replace: replaces the edited files of the tree by the files in $stage/b. If one of them cannot be
# replaced, restores all files from $stage/a.
replace() {
	for file in $edited; do
		cmp -s "$stage/b/$file" "$tree/$file" || mv -f "$stage/b/$file" "$tree/$file" || {
			for each in $edited; do mv -f "$stage/a/$each" "$tree/$each"; done
			die "$tree: not all files could be replaced; nothing was changed"
		}
	done
}

# changed LIST: prints the names of the files that are missing, or whose checksums differ from those
# in LIST.
changed() {
	(cd "$tree" && sha256sum --quiet -c "$1" 2>/dev/null | sed 's/: [^:]*$//')
}

uninstall() {
	[ -f "$tree/$home/install.patch" ] || die "$tree/$home/install.patch is missing: bareprof is not installed there"
	for file in $(changed "$home/install.ours"); do
		[ ! -e "$tree/$file" ] || die "$tree/$file was changed since it was installed; move it to another folder, so that your changes are not lost"
	done
	patch -s -R -f -p1 -d "$stage/b" --no-backup-if-mismatch -r "$stage/rejects" <"$tree/$home/install.patch" >"$stage/log" 2>&1 ||
		die "$tree/$(sed -n '1s/^--- \([^[:space:]]*\).*/\1/p' "$stage/rejects"): the lines around bareprof's lines have changed; in this file, remove the lines that $home/install.patch added, and remove this file from install.patch"
	replace
	others=$(changed "$home/install.before")
	sed 's/^[^ ]*  //' "$tree/$home/install.ours" >"$stage/ours"
	(cd "$tree" && xargs rm -f <"$stage/ours")
	# Also removes the files that a build of the tree left in the folder.
	# shellcheck disable=SC2086
	(cd "$tree/$home" && rm -f install.ours install.before install.patch $left)
	rmdir "$tree/$home" 2>/dev/null || echo "$tree/$home: was not removed, because it contains other files"
	for file in $others; do
		echo "$tree/$file: bareprof's lines were removed, and later changes by others were kept"
	done
	[ -n "$others" ] || echo "$tree: bareprof was removed, and all files are as they were before"
}

# install_start [--uninstall] TREE: with --uninstall, uninstalls and exits. Otherwise prepares the
# installation and returns.
install_start() {
	job=install
	if [ "${1-}" = --uninstall ]; then
		job=uninstall
		shift
	fi
	case $#${1-} in
	1[!-]*) ;;
	*)
		echo "usage: install.sh [--uninstall] TREE, the source of $system" >&2
		exit 2
		;;
	esac
	tree=$(cd "$1" 2>/dev/null && pwd) || die "$1: there is no such directory"
	for file in $edited; do
		[ -f "$tree/$file" ] || die "$tree/$file is missing: this is not a source tree of $system that bareprof supports"
		[ -w "$tree/$file" ] && [ -w "$(dirname "$tree/$file")" ] || die "$tree/$file or its folder is not writable; change the permissions"
	done

	# Everything is prepared in this folder, which is on the same disk as the tree. So the last
	# step only renames files.
	stage=$(mktemp -d "$tree/.bareprof-XXXXXX")
	trap 'rm -rf "$stage"' EXIT
	trap 'exit 1' HUP INT TERM
	for file in $edited; do
		mkdir -p "$stage/a/$(dirname "$file")" "$stage/b/$(dirname "$file")"
		cp -p "$tree/$file" "$stage/a/$file"
		cp -p "$tree/$file" "$stage/b/$file"
	done

	if [ "$job" = uninstall ]; then
		uninstall
		exit
	fi
	[ ! -e "$tree/$home" ] || die "$tree/$home exists already, so bareprof is installed; to install it again, run install.sh --uninstall $tree first"
	for file in $apart; do
		[ ! -e "$tree/${file#*:}" ] || die "$tree/${file#*:} exists already, although $home does not exist; move this file to another folder"
	done
	for file in $edited; do
		! grep -q -i bareprof "$tree/$file" || die "$tree/$file contains lines about bareprof, although $home does not exist; remove these lines"
	done
}

# put after|before FILE PATTERN: adds the lines of standard input after or before the only line of FILE that matches
# PATTERN.
put() {
	cat >"$stage/lines"
	line=$(grep -n -E -- "$3" "$stage/b/$2" | sed 's/:.*//')
	case $line in
	'' | *[!0-9]*) die "$tree/$2 has no line, or more than one, that matches '$3', so bareprof's lines cannot be added there; nothing was changed" ;;
	esac
	[ "$1" = after ] || line=$((line - 1))
	{
		head -n "$line" "$stage/b/$2"
		cat "$stage/lines"
		tail -n +$((line + 1)) "$stage/b/$2"
	} >"$stage/new"
	cat "$stage/new" >"$stage/b/$2"
}

# install_end: installs bareprof. `make $target` makes the files to install, and copies them and install.sh to one
# folder. The install.sh in such a folder takes the files from there. The install.sh in the project first runs
# `make $target`.
install_end() {
	if [ -f "$here/bareprof.c" ]; then
		cp -R "$here" "$stage/home"
	else
		env -u MAKEFLAGS -u MAKEOVERRIDES make -s -C "$here/../.." "$target" DIR="$stage/home" >"$stage/log" 2>&1 || {
			cat "$stage/log" >&2
			die "make $target failed in $(cd "$here/../.." && pwd); nothing was changed"
		}
	fi
	rm -f "$stage/home/install.sh" "$stage/home/install.lib.sh" "$stage/home"/*.o "$stage/home"/.*.cmd
	: >"$stage/list"
	for file in $apart; do
		mv "$stage/home/${file%:*}" "$stage/${file%:*}"
		echo "$(sha256sum <"$stage/${file%:*}" | sed 's/ .*//')  ${file#*:}" >>"$stage/list"
	done
	(cd "$stage" && diff -ru a b | sed 's/^\(---\|+++\) \([^[:space:]]*\).*/\1 \2/' >home/install.patch)
	# shellcheck disable=SC2086
	(cd "$stage/a" && sha256sum $edited) >"$stage/before"
	(cd "$stage/home" && sha256sum -- * | grep -v ' install\.' | sed "s|  |  $home/|") >>"$stage/list"
	mv "$stage/before" "$stage/home/install.before"
	mv "$stage/list" "$stage/home/install.ours"

	replace
	mv "$stage/home" "$tree/$home"
	for file in $apart; do
		mv "$stage/${file%:*}" "$tree/${file#*:}"
	done
	lines=$(grep '^+' "$tree/$home/install.patch" | grep -c -v '^+++')
}
