# SPDX-License-Identifier: BSD-2-Clause
# install.lib.sh - what the install.sh of ports have in common: bareprof goes into a source
# tree, a folder of its own and some lines in files of the tree, and comes out again, which
# leaves all as it was. They set
#
#	home    the folder, below the tree
#	apart   files of it that have another place: FROM:TO
#	edited  the files of the tree that get lines; of the others, those that there are
#	system  whose source it is
#	target  of make, for a folder of the drop-in
#	left    patterns of what building leaves in the folder
#
# and call install_start "$@", then put() for lines, or whatever edits $stage/b, and
# install_end. What goes wrong before the end changes nothing.
#
# Places are found by what is there, not by line numbers or versions. A tree where one is
# missing is refused, and then nothing was changed. What was added to the tree's own files
# is in install.patch of the folder, which --uninstall reverses; checksums then say whether
# that gave back what had been there.
# shellcheck shell=sh disable=SC2154

die() {
	echo "install.sh: $*" >&2
	exit 1
}

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

uninstall() {
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
	# And what building left beside them.
	# shellcheck disable=SC2086
	(cd "$tree/$home" && rm -f install.ours install.before install.patch $left)
	rmdir "$tree/$home" 2>/dev/null || echo "$tree/$home: kept, as there are more files in it"
	for file in $others; do
		echo "$tree/$file: changed since by others, which stays; the lines of bareprof are out"
	done
	[ -n "$others" ] || echo "$tree: bareprof is out, and all files are what they were"
}

# install_start [--uninstall] TREE: returns if something is to be put in.
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
		[ -f "$tree/$file" ] || die "$tree/$file is missing: this is no source of $system that bareprof knows"
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

	if [ "$job" = uninstall ]; then
		uninstall
		exit
	fi
	[ ! -e "$tree/$home" ] || die "$tree/$home is there already: bareprof is installed; to renew it, install.sh --uninstall $tree first"
	for file in $apart; do
		[ ! -e "$tree/${file#*:}" ] || die "$tree/${file#*:} is there already, though $home is not; move it away"
	done
	for file in $edited; do
		! grep -q -i bareprof "$tree/$file" || die "$tree/$file speaks of bareprof, though $home is not there; take those lines out"
	done
}

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

# install_end: from a folder that make has made of the port, or from where that is made.
install_end() {
	if [ -f "$here/bareprof.c" ]; then
		cp -R "$here" "$stage/home"
	else
		env -u MAKEFLAGS -u MAKEOVERRIDES make -s -C "$here/../.." "$target" DIR="$stage/home" >"$stage/log" 2>&1 || {
			cat "$stage/log" >&2
			die "make $target does not work in $(cd "$here/../.." && pwd); nothing was changed"
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
