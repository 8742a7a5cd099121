#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# source.sh PACKAGE DIR: downloads the source of a Debian package, from the package sources of this machine, and
# unpacks it as DIR. All files of apt are kept beside DIR. Therefore apt's configuration and state on this machine do
# not change, and root is not needed.
package=$1
dir=$2
if [ -z "$dir" ]; then
	echo "usage: source.sh PACKAGE DIR" >&2
	exit 2
fi
[ ! -d "$dir" ] || exit 0
mkdir -p "$(dirname "$dir")" || exit
apt=$(cd "$(dirname "$dir")" && pwd)/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/parts" || exit

# Source packages come from the same servers as binary packages. So each entry for source packages is a copy of an entry
# for binary packages, with the type deb-src in place of deb.
for from in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
	[ ! -e "$from" ] || sed 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$from" >"$apt/parts/$(basename "$from")"
done

get() {
	apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" -o Dir::State::Lists="$apt/lists" \
		-o Dir::State::Status=/dev/null -o Dir::Cache="$apt" -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@"
}

# Updates the package lists at most once a day. It is not an error if the package list of one source cannot be
# downloaded. If the wanted package is only in that list, the download of the package fails later.
if [ -z "$(find "$apt/updated" -mtime -1 2>/dev/null)" ]; then
	get update >"$apt/log" 2>&1 && touch "$apt/updated"
fi
rm -rf "$dir.part"
mkdir "$dir.part" || exit
if ! (cd "$dir.part" && get --download-only source "$package") >>"$apt/log" 2>&1 ||
	! dpkg-source --no-check -x "$dir.part"/*.dsc "$dir.part/source" >>"$apt/log" 2>&1; then
	echo "the source package $package could not be downloaded or unpacked; see $apt/log" >&2
	exit 1
fi
mv "$dir.part/source" "$dir" && rm -r "$dir.part"
