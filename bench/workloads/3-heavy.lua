-- SPDX-License-Identifier: BSD-2-Clause
-- All of the language, and so much work that counts are large.
local function fib(n)
	return n < 2 and n or fib(n - 1) + fib(n - 2)
end
print("fib", fib(27))

-- Sorting, with its own random number generator, so that all runs count the same.
local state = 1
local function random(n)
	state = (state * 1103515245 + 12345) & 0x7fffffff
	return state % n + 1
end
local numbers = {}
for i = 1, 50000 do
	numbers[i] = random(1000000)
end
table.sort(numbers)
table.sort(numbers, function(a, b) return a > b end)
print("sorted", numbers[1], numbers[#numbers])

local sieve, primes = {}, 0
for i = 2, 200000 do
	if not sieve[i] then
		primes = primes + 1
		for k = i * i, 200000, i do
			sieve[k] = true
		end
	end
end
print("primes", primes)

-- Objects with metatables, closures, coroutines, errors, goto, integers and floats.
local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vector) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__lt = function(a, b) return a:length() < b:length() end
Vector.__le = function(a, b) return a:length() <= b:length() end
Vector.__tostring = function(v) return "(" .. v.x .. "," .. v.y .. ")" end
Vector.__len = function() return 2 end
Vector.__call = function(v, k) return v[k] end
Vector.__concat = function(a, b) return tostring(a) .. tostring(b) end
Vector.__unm = function(v) return setmetatable({ x = -v.x, y = -v.y }, Vector) end
function Vector:length()
	return math.sqrt(self.x ^ 2 + self.y ^ 2)
end
local sum = setmetatable({ x = 0, y = 0 }, Vector)
for i = 1, 30000 do
	sum = sum + setmetatable({ x = i, y = i / 2 }, Vector)
end
print(tostring(sum), #sum, sum("x"), -sum .. sum, sum == -sum, sum < sum, sum <= sum)

local function permutations(list, n)
	if n == 0 then
		coroutine.yield(list)
	end
	for i = 1, n do
		list[i], list[n] = list[n], list[i]
		permutations(list, n - 1)
		list[i], list[n] = list[n], list[i]
	end
end
local count = 0
for list in coroutine.wrap(function() permutations({ 1, 2, 3, 4, 5, 6, 7 }, 7) end) do
	count = count + list[1]
end
print("permutations", count)

for i = 1, 2000 do
	local good, message = pcall(function()
		local close <close> = setmetatable({}, { __close = function() count = count + 1 end })
		if i % 3 == 0 then
			error({ code = i })
		end
		return i // 3 + i % 7 ~ (i << 3 | i >> 1) & 0xff
	end)
	count = count + (good and message or message.code)
end
print("errors", count)

local chunks = {}
for i = 1, 300 do
	chunks[i] = load(("local a, b = ... ; local t = {%d, x = a} ; for k, v in pairs(t) do b = b .. k .. v end " ..
		"while #b > 9 do b = b:sub(2) end repeat a = a - 1 until a < %d ; goto done ::done:: return b"):format(i, i % 5))
	assert(chunks[i](10, "s"))
	assert(load(string.dump(chunks[i], i % 2 == 0))(10, "s"))
end
local weak = setmetatable({}, { __mode = "k" })
for i = 1, 20000 do
	weak[{}] = i
	weak[i] = ("v"):rep(i % 50)
end
collectgarbage("generational")
for i = 1, 20000 do
	weak[i] = { i, tostring(i), i + 0.5 }
end
collectgarbage("incremental")
collectgarbage()
print("done", #weak, math.type(3 // 1), 7 // 2.0, -7 % 3, 5.5 % -2, 1 / 0, math.ult(1, -1), #arg)
print(table.unpack(table.move({ 1, 2, 3 }, 1, 3, 2)))
print(os.time({ year = 2020, month = 1, day = 1, hour = 12 }) > 0, os.getenv("nothing"), io.type(io.stdout))
