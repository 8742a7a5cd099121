# SPDX-License-Identifier: BSD-2-Clause
# lib.sh: functions that try the examples of a document. docs.awk describes the marks of examples.
# shellcheck shell=sh

# newcomer [LLVM TOOL...]: sets up what the pages assume: the project is in the home folder, bareprof is on PATH, and
# the TOOLs of the release LLVM are called without a release number. plain_tools LLVM TOOL...: makes such names.
newcomer() {
	HOME=$WORK/home
	PATH=$WORK/bin:$PATH
	export HOME PATH
	mkdir -p "$HOME" "$WORK/bin"
	ln -s "$ROOT" "$HOME/bareprof"
	ln -s "$BAREPROF" "$WORK/bin/bareprof"
	[ $# -eq 0 ] || plain_tools "$@"
}
plain_tools() {
	release=$1
	shift
	for tool; do
		printf '#!/bin/sh\nexec %s-%s "$@"\n' "$tool" "$release" >"$WORK/bin/$tool"
		chmod +x "$WORK/bin/$tool"
	done
}

# examples DOCUMENT FOLDER: extracts the examples. They will be tried in FOLDER, which may contain the files of an
# earlier document. Each example must have a known mark.
examples() {
	document=$(basename "$1")
	folder=$2
	steps=$2.${document%.md}
	rm -rf "$steps"
	mkdir -p "$folder" "$steps"
	: >"$steps/list"
	check "$document: its examples can be extracted" awk -v steps="$steps" -f tests/docs/docs.awk "$1"
	while read -r _ kind line _ rest; do
		case $kind in
		run | prints | file | show) continue ;;
		unmarked) not_ok "$document:$line: an example without a mark is never tried" ;;
		*) not_ok "$document:$line: $kind $rest" ;;
		esac
	done <"$steps/list"
}

# save_examples: saves the examples that are files, for a test that needs them before try_examples.
save_examples() {
	while read -r number kind _ place name; do
		[ "$kind" != file ] || save "$number" "$place/$name"
	done <"$steps/list"
}
save() {
	mkdir -p "$folder/$(dirname "$2")"
	cp "$steps/$1.file" "$folder/$2"
}

# prints_like PATTERN-FILE FILE: succeeds if the text in FILE matches the pattern. In the pattern, ... stands for any
# text.
prints_like() {
	pattern=$(sed 's/[][*?\\]/\\&/g; s/\.\.\./*/g' "$1")
	# shellcheck disable=SC2254 # without quotes, so that the shell treats it as a pattern
	case $(cat "$2") in
	$pattern) return 0 ;;
	esac
	echo "expected:"
	cat "$1"
	echo "actual:"
	cat "$2"
	return 1
}

# try_examples: saves and runs the examples in the order of the document, and compares their output.
try_examples() {
	while read -r number kind line place rest; do
		mkdir -p "$folder/$place"
		case $kind in
		file) save "$number" "$place/$rest" ;;
		run)
			said=$steps/$number.out
			check "$document:$line: works: $(head -n 1 "$steps/$number.run" | tr -d '\\')" \
				in_folder "$folder/$place" "$steps/$number.run"
			;;
		prints) check "$document:$line: and prints that" prints_like "$steps/$number.prints" "$said" ;;
		esac
	done <"$steps/list"
}

# in_folder FOLDER SCRIPT: runs SCRIPT in FOLDER, with the same PATH as a reader who has installed bareprof.
in_folder() {
	(cd "$1" && PATH="$(dirname "$BAREPROF"):$PATH" timeout "${EXAMPLE_TIME:-60}" sh -e "$2" </dev/null >"$said" 2>&1)
	set -- $?
	[ "$1" -eq 0 ] || cat "$said"
	return "$1"
}

# shown_by SCRIPT: checks that SCRIPT contains the lines of each example whose mark is "show: SCRIPT runs it".
shown_by() {
	while read -r number kind line _ rest; do
		[ "$kind $rest" = "show $1 runs it" ] || continue
		while read -r command; do
			check "$document:$line: '$command' is in $1" grep -qF -- "$command" "$1"
		done <"$steps/$number.show"
	done <"$steps/list"
}
