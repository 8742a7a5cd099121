/* SPDX-License-Identifier: BSD-2-Clause */
/* option_hints.c - the options of llvm-profdata and llvm-cov, with advice for each option. */
#include "option_hints.h"

#include <string.h>

/* tests/host/options.sh reads this table and checks that the options of bareprof in the advice exist. */
static const struct {
	const char *command;
	const char *name;
	const char *advice;
} llvm_options[] = {
	{"show", "all-functions", "use '--all'"},
	{"show", "topn", "use '--top N'"},
	{"show", "detailed-summary", "use '--summary'"},
	{"show", "detailed-summary-cutoffs", "use '--summary'"},
	{"show", "ic-targets", "use '--values'"},
	{"show", "memop-sizes", "use '--values'"},
	{"show", "show-vtables", "use '--values'"},
	{"show", "temporal-profile-traces", "use '--traces'"},
	{"show", "binary-ids", "leave it out: build ids are always shown"},
	{"show", "text", "use 'bareprof merge --text -o - FILE'"},
	{"show", "output", "use '>FILE': show writes to standard output"},
	{"compare", "cs", "leave it out: the functions of both kinds are compared"},
	{"compare", "o", "use '>FILE': compare writes to standard output"},
	{"compare", "output", "use '>FILE': compare writes to standard output"},
	{"compare", "similarity-cutoff", "leave it out: it is for sample profiles, which compare does not read"},
	{"merge", "num-threads", "use '--jobs N'"},
	{"merge", "binary-file", "use '--elf ELF'"},
	{"merge", "debug-info", "use '--elf ELF'"},
	{"report", "instr-profile", "name the profile after the program: 'bareprof report ELF PROFILE'"},
	{"report", "object", "name each program before its profile: 'bareprof report ELF PROFILE ELF PROFILE'"},
	{"report", "format", "use '--html DIR', '--lcov FILE' or '--json FILE'"},
	{"report", "o", "use '--html DIR', '--lcov FILE' or '--json FILE'"},
	{"report", "output", "use '--html DIR', '--lcov FILE' or '--json FILE'"},
	{"report", "output-dir", "use '--html DIR'"},
	{"report", "path-equivalence", "use '--path-map A=B'"},
	{"report", "show-mcdc-summary", "use '--show-mcdc'"},
	{"report", "ignore-filename-regex", "use '--ignore-filename REGEX'"},
	{"report", "name", "use '--show NAME'"},
	{"report", "name-allowlist", "use '--show NAME', once for each function"},
	{"report", "name-regex", "use '--show NAME' or '--functions'"},
	{"report", "show-functions", "use '--functions'"},
	{"report", "show-instantiations", "leave it out: --show lists the instantiations"},
	{"report", "show-branches", "leave it out: --show has the branches"},
	{"report", "use-color", "leave it out: a terminal gets colours, unless NO_COLOR is set"},
	{"report", "Xdemangler", "leave it out: names are demangled"},
	{NULL, "instr", "leave it out: bareprof detects the kind of profile"},
	{NULL, "sample", "leave it out: 'bareprof sample' is for samples, and llvm-profdata merges sample profiles"},
};

const char *option_hint(const char *command, const char *word)
{
	const char *name = word + strspn(word, "-");
	size_t n = strcspn(name, "=");
	size_t i;

	for (i = 0; i < sizeof(llvm_options) / sizeof(*llvm_options); i++)
		if ((!llvm_options[i].command || !strcmp(llvm_options[i].command, command)) &&
			strlen(llvm_options[i].name) == n && !memcmp(llvm_options[i].name, name, n))
			return llvm_options[i].advice;
	return NULL;
}
