-- SPDX-License-Identifier: BSD-2-Clause
-- Strings: patterns, formats, packing, UTF-8, a small parser and its inverse.
local text = ("The quick brown fox jumps over the lazy dog; 0x1f 3.25e2 'quoted' ÄÖÜ\n"):rep(40)

local words = {}
for word in text:gmatch("%a+") do
	words[word] = (words[word] or 0) + 1
end
local list = {}
for word, count in pairs(words) do
	list[#list + 1] = ("%-8s%5d %q"):format(word, count, word)
end
table.sort(list)
print(table.concat(list, "\n"))

print((text:gsub("(%w+) (%w+)", "%2 %1", 3):sub(1, 60)))
print(text:gsub("%b''", string.upper):find("QUOTED", 1, true))
print(text:upper():lower():reverse():byte(1, 4))
print(#text, utf8.len(text), utf8.char(228, 8364, 0x1F600))
for position, code in utf8.codes("aä€😀") do
	print(position, code)
end

local packed = string.pack("<i4>I2zs1d", -5, 65535, "zero", "short", 0.5)
print(#packed, string.unpack("<i4>I2zs1d", packed))
print(string.format("%5.2f %x %o %e %g %c %i %a", 3.14159, 255, 8, 12345.678, 1e100, 65, 42, 1.0))
print(tonumber("0x1p4"), tonumber("zz", 36), tonumber("10", 2), math.tointeger("8"), "10" + 5, 10 .. "")

-- A reader and a writer of nested lists.
local function write(value)
	if type(value) ~= "table" then
		return tostring(value)
	end
	local parts = {}
	for _, part in ipairs(value) do
		parts[#parts + 1] = write(part)
	end
	return "(" .. table.concat(parts, " ") .. ")"
end
local function read(s, at)
	local list = {}
	while true do
		local open, stop = s:match("^%s*()%(()", at)
		if open then
			list[#list + 1], at = read(s, stop)
		else
			local closed = s:match("^%s*%)()", at)
			if closed or not s:find("%S", at) then
				return list, closed or #s + 1
			end
			local word, next = s:match("^%s*([^%s()]+)()", at)
			list[#list + 1] = tonumber(word) or word
			at = next
		end
	end
end
local nested = "(a (b 1 2.5) (c (d (e f) 3)) ())"
for _ = 1, 200 do
	nested = write(read(nested, 1)[1])
end
print(nested)
print(pcall(string.rep, "x", -1), pcall(string.format, "%d", 1.5), select("#", ("x"):byte(1, -1)))
