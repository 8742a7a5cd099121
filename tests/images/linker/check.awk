# SPDX-License-Identifier: BSD-2-Clause
# check.awk - checks an image in the output of `readelf -WSsl`. Each bound must be defined, aligned, and at the start
# or end of its section. Coverage mappings must not be loaded. With noload=1, counters must take no space in the file.
# With id=1, there must be a build id. It prints each mistake, and the sizes of the sections, with which two links can
# be compared.

# Returns the low 32 bits of a hexadecimal number, because awk's numbers cannot hold 64 bits.
function number(hex,   i, n)
{
	hex = tolower(hex)
	sub(/^0x/, "", hex)
	for (i = length(hex) > 8 ? length(hex) - 7 : 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}

function wrong(what)
{
	print "wrong: " what
	failed = 1
}

function bounds(start, stop, name,   size, where)
{
	if (!(start in symbol) || !(stop in symbol)) {
		wrong("no " start " or " stop)
		return -1
	}
	size = number(symbol[stop]) - number(symbol[start])
	where = number(symbol[start])
	if (where < low || where + size > high)
		wrong(start " is outside the image: " symbol[start])
	if (size < 0)
		wrong(stop " before " start)
	return size
}

function content(name, maybe_ram,   size)
{
	size = bounds("__start_" name, "__stop_" name)
	if (size < 0)
		return
	print "size " name " " size
	if (number(symbol["__start_" name]) % 8)
		wrong("__start_" name " is not aligned")
	if (name in address) {
		if (size && address[name] != symbol["__start_" name])
			wrong("__start_" name " is not at the start of the section")
		if (number(extent[name]) != size)
			wrong("__stop_" name " is not at the end of the section")
		if (flags[name] !~ /A/)
			wrong(name " is not loaded")
		if (noload && maybe_ram && type[name] != "NOBITS")
			wrong(name " takes space in the file")
		if (noload && number(address[name]) >= 536870912 != maybe_ram)
			wrong(name " is in the wrong memory")
	} else if (size) {
		wrong("there is no section " name)
	}
}

function coverage(name)
{
	if (!(name in address))
		return
	print "size " name " " number(extent[name])
	if (flags[name] ~ /A/ || number(address[name]) != 0)
		wrong(name " is loaded")
}

$1 == "[" { sub(/\[ /, "[") }
$1 ~ /^\[[0-9]+\]$/ && NF > 6 {
	type[$2] = $3
	address[$2] = $4
	offset[$2] = $5
	extent[$2] = $6
	flags[$2] = $8
	if ($8 ~ /A/) {
		if (low == "" || number($4) < low)
			low = number($4)
		if (number($4) + number($6) > high)
			high = number($4) + number($6)
	}
}
$1 ~ /^[0-9]+:$/ { symbol[$8] = $2 }
$1 == "LOAD" && noload && number($3) >= 536870912 { in_ram += number($5) }
$1 == "LOAD" && noload && number($4) >= 536870912 && number($5) { wrong("a load address in RAM makes a binary file of 512 MB") }

END {
	content("__llvm_prf_cnts", 1)
	content("__llvm_prf_bits", 1)
	content("__llvm_prf_vals", 1)
	content("__llvm_prf_vnds", 1)
	content("__llvm_prf_data", 0)
	content("__llvm_prf_names", 0)
	content("__llvm_prf_vtab", 0)
	content("__llvm_prf_vns", 0)
	coverage("__llvm_covmap")
	coverage("__llvm_covfun")
	size = bounds("__start_bareprof_build_id", "__stop_bareprof_build_id")
	note = ".note.gnu.build-id"
	if (size != (id ? 20 : 0))
		wrong("build id of " size " bytes")
	if (id && number(symbol["__start_bareprof_build_id"]) != number(address[note]) + 16)
		wrong("the build id does not start after the header of its note")
	if (id && number(extent[note]) != 36)
		wrong("the note has a size of " extent[note])
	if (noload) {
		valid = number(symbol["__bareprof_valid"])
		if (!("__bareprof_valid" in symbol) || valid % 8 || valid < 536870912)
			wrong("there is no aligned validity word in RAM")
		if (valid >= number(symbol["__start___llvm_prf_cnts"]) && valid < number(symbol["__stop___llvm_prf_cnts"]))
			wrong("the validity word is among the counters")
		if (in_ram != number(extent[".data"]))
			wrong("RAM takes " in_ram " bytes of the file")
		start = number(symbol["__start___llvm_prf_cnts"])
		# lld gives a heap of the type COPY the address 0, with and without bareprof.
		if (number(symbol["_end"]) && start < 536870912 + 49152 && valid + 8 > number(symbol["_end"]))
			wrong("the heap begins at " symbol["_end"] ", before the end of the counters")
	}
	if ("first_dropped" in symbol)
		print "first_dropped is there"
	exit failed
}
