# SPDX-License-Identifier: BSD-2-Clause
# extract.awk: the examples of a page as steps, one shell script each:
#
#	awk -v out=DIR -f tests/extract.awk PAGE
#
# A comment of its own on the line before a fenced block says what it is:
#
#	<!-- file: NAME -->	the block is the file NAME
#	<!-- run -->		the block is commands
#	<!-- folder: NAME -->	(anywhere) what follows is in a folder of this name
#
# Steps are DIR/001.sh and so on; DIR/list has a line for each: number, folder,
# kind, and the line of the page. A block that is not marked is only for reading.

function finish()
{
	if (kind == "file")
		print "END_OF_FILE" >step
	close(step)
}

BEGIN { folder = "." }

in_block && /^```$/ {
	if (kind != "")
		finish()
	in_block = 0
	kind = ""
	next
}

in_block {
	if (kind != "")
		print >step
	next
}

/^```/ {
	in_block = 1
	if (kind == "")
		next
	step = sprintf("%s/%03d.sh", out, ++steps)
	printf "%03d %s %s %d\n", steps, folder, kind == "file" ? "file:" name : "run", FNR >(out "/list")
	if (kind == "file")
		printf "cat >'%s' <<'END_OF_FILE'\n", name >step
	next
}

/^<!-- folder: [^ ]+ -->$/ { folder = $3 }
/^<!-- file: [^ ]+ -->$/ { kind = "file"; name = $3; next }
/^<!-- run -->$/ { kind = "run"; next }

# A mark that no block follows is a mistake in the page.
kind != "" {
	printf "%s:%d: no block after the mark\n", FILENAME, FNR >"/dev/stderr"
	exit 1
}

END {
	if (in_block) {
		printf "%s: the last block does not end\n", FILENAME >"/dev/stderr"
		exit 1
	}
}
