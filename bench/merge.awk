# SPDX-License-Identifier: BSD-2-Clause
# merge.awk -v MODULE=N -v FUNCTIONS=N: prints a C file with FUNCTIONS functions, and with run_N(),
# which calls half of these functions. Each function contains branches, a loop, an indirect call and
# a copy. With -fprofile-generate, the profile also records values: the targets of the call and the
# sizes of the copy.
BEGIN {
	print "#include <string.h>"
	print "extern char buffer[2][64];"
	print "extern int (*const target[4])(int);"
	for (i = 0; i < FUNCTIONS; i++) {
		printf "int module_%d_subsystem_function_%d(int x)\n{\n\tint s = 0;\n", MODULE, i
		print "\tif (x > 3)\n\t\ts += x;"
		print "\tfor (int i = 0; i < (x & 3); i++)\n\t\ts ^= i;"
		print "\tif (x & 1 && s)\n\t\ts += target[s & 3](x);"
		print "\tmemcpy(buffer[0], buffer[1], s & 31);\n\treturn s;\n}"
	}
	printf "void run_%d(int x)\n{\n\tint s = 0;\n", MODULE
	for (i = 0; i < FUNCTIONS; i += 2)
		printf "\ts += module_%d_subsystem_function_%d(x + %d);\n", MODULE, i, i
	print "\t*(volatile int *)&s = s;\n}"
}
