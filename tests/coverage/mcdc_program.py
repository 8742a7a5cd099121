# SPDX-License-Identifier: BSD-2-Clause
"""mcdc_program.py SEED c|c++: prints a program with many decisions of 2 to 12 conditions. Conditions are in macros, in
macros in macros and in lambdas, are constant, negated or contain other decisions. In C++, functions are templates that
are instantiated once or several times. The program runs each function with random values, some of them never."""
import random
import sys

MACROS = """#define ID(x) (x)
#define BOTH(x, y) ((x) && (y))
#define EITHER(x, y) ((x) || ID(y))
#define RANGE(a, b, c) ((a) <= (b) && (b) <= (c))
#define THREE(x, y, z) BOTH(x, EITHER(y, z))
#define ONE 1
#define ZERO 0
static int odd(int x) { return x & 1; }
static int pair(int x, int y) { return x + 2 * y; }
"""
FUNCTIONS = 30
VALUES = 12
STATEMENTS = [
    "if ({}) r += 1; else r += 2;",
    "r += ({}) ? 3 : 4;",
    "r += ({}) + ({});",
    "r += pair({}, {});",
    "for (int i = 0; i < 3 && ({}); i++) r++;",
    "while (r < 5 && ({})) r++;",
    "switch ({}) {{ case 0: r++; break; default: if ({}) r += 2; }}",
    "if ({}) {{ if ({}) r += ({}); }}",
    "do {{ r++; }} while (r < 4 && ({}));",
]
# Runs a function with some vectors of values: 0, 1 or, rarely, 2.
CALL = """	for (int k = 0; k < {}; k++) {{
		{} v[{}];
		for (int i = 0; i < {}; i++) {{
			s = s * 1103515245u + 12345u;
			v[i] = s >> 28 == 3 ? 2 : (s >> 16) % 3 == 0;
		}}
		sink += (unsigned int){}(v);
	}}"""


class Program:
    def __init__(self, seed, is_cxx):
        self.random = random.Random(seed)
        self.is_cxx = is_cxx

    def condition(self, nested):
        value = f"v[{self.random.randrange(VALUES)}]"
        shapes = [value] * 6 + [
            f"{value} > {self.random.randrange(3)}",
            f"!{value}",
            f"ID({value})",
            f"odd({value})",
            f"({value} ? v[1] : v[2])",
            f"RANGE(0, {value}, 1)",
            self.random.choice(["0", "1", "ONE", "ZERO", "sizeof(int) == 4"]),
        ]
        if nested:
            shapes.append(f"({value} ? {self.decision(2, False)} : v[2])")
        if self.is_cxx:
            shapes.append(self.random.choice(["(N > 2)", "sizeof(T) == 4", "[&] { return v[3]; }()"]))
        return self.random.choice(shapes)

    def decision(self, size, nested=True):
        """Returns a decision with about @size conditions."""
        if size <= 1:
            return self.condition(nested)
        left = self.random.randrange(1, size)
        parts = [self.decision(left, nested), self.decision(size - left, nested)]
        shape = self.random.randrange(14)
        if shape == 0:
            return f"!({self.decision(size, nested)})"
        if shape == 1:
            return "BOTH({}, {})".format(*parts)
        if shape == 2:
            return "EITHER({}, {})".format(*parts)
        if shape == 3:
            return "THREE({}, {}, {})".format(self.condition(nested), *parts)
        parts = [part if self.random.random() < 0.1 else f"({part})" for part in parts]
        space = self.random.choice([" ", " ", " ", "\n\t\t"])
        return f"{parts[0]} {self.random.choice(['&&', '||'])}{space}{parts[1]}"

    def statement(self):
        sizes = [self.random.choice([2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 10, 12]) for _ in range(3)]
        return self.random.choice(STATEMENTS).format(*[self.decision(size) for size in sizes])

    def function(self, number):
        """Returns the text of a function, and the names and types with which it is called."""
        body = "".join(f"\t{self.statement()}\n" for _ in range(self.random.randrange(1, 4)))
        body = f"{{\n\tint r = 0;\n{body}\treturn r;\n}}\n"
        kind = self.random.choice(["", "static "])
        name = f"f{number}"
        if not self.is_cxx:
            return f"{kind}int {name}(const int *v)\n{body}", [(name, "int")]
        types = self.random.sample(["int", "short", "long", "char"], self.random.randrange(1, 4))
        calls = [(f"{name}<{type_}, {self.random.randrange(1, 5)}>", type_) for type_ in types]
        return f"template <typename T, int N> {kind}int {name}(const T *v)\n{body}", calls

    def text(self):
        parts = [MACROS]
        calls = []
        for number in range(FUNCTIONS):
            function, its_calls = self.function(number)
            parts.append(function)
            calls += its_calls
        parts.append("unsigned int sink;\nint main(void)\n{\n\tunsigned int s = 7;")
        for name, type_ in calls:
            parts.append(CALL.format(self.random.choice([0, 1, 2, 4, 9, 60]), type_, VALUES, VALUES, name))
        parts.append("\treturn 0;\n}")
        return "\n".join(parts)


print(Program(int(sys.argv[1]), sys.argv[2] == "c++").text())
