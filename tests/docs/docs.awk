# SPDX-License-Identifier: BSD-2-Clause
# docs.awk: extracts the examples of a document, for lib.sh:
#
#	awk -v steps=STEPS -f tests/docs/docs.awk DOCUMENT
#
# An example is a fenced block in Markdown, or the text between .Bd -literal and .Ed in a manual page. The line before
# it is a mark, `<!-- MARK -->` or `.\" MARK`, which selects one of these actions:
#
#	file: NAME       save it as NAME
#	run              run it
#	run with A = B   replace each A by B and run it
#	prints           the previous step must print this text; ... stands for any text
#	show: WHY        do nothing with it
#
# A mark `folder: NAME` sets the folder for all examples after the mark. Each example becomes the file STEPS/NNN.KIND
# and a line "NNN KIND LINE FOLDER REST" in STEPS/list. NNN is the number of the example, KIND is the first word of its
# mark (or `unknown`), LINE is its line in the document, and REST is the remaining text of the mark. A block without a
# mark gets the kind `unmarked` if its fence names a language, or if the block is in a manual page.

function finish() {
	if (path != "")
		close(path)
	inside = 0
	mark = ""
}

function begin(must,   kind, rest, number) {
	kind = mark
	rest = ""
	if (match(mark, /^(file|show): ./)) {
		rest = substr(mark, RLENGTH)
		sub(/:.*/, "", kind)
	} else if (match(mark, /^run with . *./)) {
		rest = substr(mark, 10)
		split(rest, instead, " = ")
		kind = "run"
	} else if (mark == "" && must) {
		kind = "unmarked"
	} else if (mark != "" && mark !~ /^(run|prints)$/) {
		rest = mark
		kind = "unknown"
	}
	inside = 1
	replace = mark ~ /^run with /
	path = ""
	if (kind == "")
		return
	number = sprintf("%03d", ++count)
	print number, kind, NR, folder, rest >(steps "/list")
	path = steps "/" number "." kind
	printf "" >path
}

function line(text,   at) {
	if (path == "")
		return
	while (replace && (at = index(text, instead[1]))) {
		printf "%s%s", substr(text, 1, at - 1), instead[2] >path
		text = substr(text, at + length(instead[1]))
	}
	print text >path
}

BEGIN { folder = "." }

# These rules find examples in Markdown.
/^```/ && inside { finish(); next }
/^```/ { begin($0 != "```"); next }
/^<!-- folder: [^ ]+ -->$/ && !inside { folder = $3; next }
/^<!-- .* -->$/ && !inside { mark = substr($0, 6, length($0) - 9); next }

# These rules find examples in a manual page.
manual && /^\.Ed/ && inside { finish(); next }
/^\.Sh EXAMPLES/ { manual = 1 }
manual && /^\.Bd -literal/ { begin(1); next }
manual && /^\.\\" / && !inside { mark = substr($0, 5); next }
manual && inside {
	gsub(/\\e/, "\\\\")
	gsub(/\\-/, "-")
	gsub(/\\&/, "")
	gsub(/\\\(aq/, "'")
	gsub(/\\\(ha/, "^")
}

inside { line($0); next }
/^[ \t]+```/ { print "000 indented", NR, folder >(steps "/list") }
/./ { mark = "" }
END { if (inside) print "000 unended", NR, folder >(steps "/list") }
