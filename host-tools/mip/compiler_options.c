/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compiler_options.c - the table of the options. It contains each option whose argument is a separate word, because
 * such a word is not an input. The manuals of gcc 12 and clang 22 list these options.
 */
#include "compiler_options.h"
#include "bytes.h"

#define COMPILE        STEP_COMPILE
#define ASSEMBLE       (STEP_COMPILE | STEP_ASSEMBLE)
#define DEBUG          (STEP_COMPILE | STEP_LINK | STEP_DEBUG)
#define LINK           STEP_LINK
#define ALL            STEP_ALL
#define ROW(name)      "-" name, FORM_EXACT
#define LONG(name)     "--" name, FORM_EXACT
#define PREFIX(name)   "-" name, FORM_PREFIX
#define SEPARATE(name) "-" name, FORM_SEPARATE
#define EITHER(name)   "-" name, FORM_EITHER

/* An option that begins with the name of another option comes before that option. */
static const struct compiler_option options[] = {
	/* Nothing is compiled to machine code. */
	{ROW("E"), ALL, EFFECT_NO_OBJECT},
	{LONG("preprocess"), ALL, EFFECT_NO_OBJECT},
	{ROW("S"), ALL, EFFECT_NO_OBJECT},
	{LONG("assemble"), ALL, EFFECT_NO_OBJECT},
	{ROW("M"), ALL, EFFECT_NO_OBJECT},
	{LONG("dependencies"), ALL, EFFECT_NO_OBJECT},
	{ROW("MM"), ALL, EFFECT_NO_OBJECT},
	{LONG("user-dependencies"), ALL, EFFECT_NO_OBJECT},
	{ROW("fsyntax-only"), ALL, EFFECT_NO_OBJECT},
	{ROW("###"), ALL, EFFECT_NO_OBJECT},
	{LONG("version"), ALL, EFFECT_NO_OBJECT},
	{ROW("dumpversion"), ALL, EFFECT_NO_OBJECT},
	{ROW("dumpfullversion"), ALL, EFFECT_NO_OBJECT},
	{ROW("dumpmachine"), ALL, EFFECT_NO_OBJECT},
	{ROW("dumpspecs"), ALL, EFFECT_NO_OBJECT},
	{LONG("print-missing-file-dependencies"), COMPILE, EFFECT_NONE},
	{PREFIX("print-"), ALL, EFFECT_NO_OBJECT},
	{PREFIX("-print-"), ALL, EFFECT_NO_OBJECT},
	{PREFIX("-help"), ALL, EFFECT_NO_OBJECT},
	{ROW("help"), ALL, EFFECT_NO_OBJECT},
	{LONG("target-help"), ALL, EFFECT_NO_OBJECT},
	{LONG("analyze"), ALL, EFFECT_NO_OBJECT},
	{ROW("emit-llvm"), ALL, EFFECT_NO_OBJECT},
	{ROW("emit-ast"), ALL, EFFECT_NO_OBJECT},
	{LONG("precompile"), ALL, EFFECT_NO_OBJECT},
	{ROW("module-file-info"), ALL, EFFECT_NO_OBJECT},
	{ROW("verify-pch"), ALL, EFFECT_NO_OBJECT},
	{ROW("rewrite-objc"), ALL, EFFECT_NO_OBJECT},
	{ROW("extract-api"), ALL, EFFECT_NO_OBJECT},

	/* Inputs, outputs and dependency files. */
	{ROW("c"), 0, EFFECT_COMPILE},
	{LONG("compile"), 0, EFFECT_COMPILE},
	{EITHER("o"), LINK, EFFECT_OUTPUT},
	{PREFIX("-output="), LINK, EFFECT_OUTPUT},
	{SEPARATE("-output"), LINK, EFFECT_OUTPUT},
	{EITHER("x"), COMPILE, EFFECT_LANGUAGE},
	{PREFIX("-language="), COMPILE, EFFECT_LANGUAGE},
	{SEPARATE("-language"), COMPILE, EFFECT_LANGUAGE},
	{ROW("MD"), COMPILE, EFFECT_DEPENDENCIES},
	{LONG("write-dependencies"), COMPILE, EFFECT_DEPENDENCIES},
	{ROW("MMD"), COMPILE, EFFECT_DEPENDENCIES},
	{LONG("write-user-dependencies"), COMPILE, EFFECT_DEPENDENCIES},
	{EITHER("MF"), COMPILE, EFFECT_DEPENDENCY_FILE},
	{EITHER("MT"), COMPILE, EFFECT_DEPENDENCY_TARGET},
	{EITHER("MQ"), COMPILE, EFFECT_DEPENDENCY_TARGET},
	{EITHER("MJ"), COMPILE, EFFECT_REFUSED},
	{ROW("MG"), COMPILE, EFFECT_NONE},
	{ROW("MP"), COMPILE, EFFECT_NONE},
	{ROW("MV"), COMPILE, EFFECT_NONE},
	{PREFIX("Wp,"), COMPILE, EFFECT_PREPROCESSOR},
	{SEPARATE("Xpreprocessor"), COMPILE, EFFECT_NONE},
	{ROW("save-temps"), COMPILE, EFFECT_SAVE_TEMPS},
	{PREFIX("save-temps="), COMPILE, EFFECT_SAVE_TEMPS},
	{LONG("save-temps"), COMPILE, EFFECT_SAVE_TEMPS},
	{PREFIX("-save-temps="), COMPILE, EFFECT_SAVE_TEMPS},
	{ROW("pipe"), COMPILE, EFFECT_PIPE},
	{LONG("pipe"), COMPILE, EFFECT_PIPE},
	{SEPARATE("dumpbase"), COMPILE, EFFECT_NONE},
	{SEPARATE("dumpbase-ext"), COMPILE, EFFECT_NONE},
	{SEPARATE("dumpdir"), COMPILE, EFFECT_NONE},
	{SEPARATE("wrapper"), COMPILE, EFFECT_REFUSED},
	{SEPARATE("aux-info"), COMPILE, EFFECT_NONE},
	{SEPARATE("serialize-diagnostics"), COMPILE, EFFECT_NONE},
	{SEPARATE("-serialize-diagnostics"), COMPILE, EFFECT_NONE},

	/* Options with which the compiler writes more than assembly. */
	{PREFIX("flto-"), COMPILE, EFFECT_NONE},
	{ROW("flto"), COMPILE, EFFECT_LTO},
	{PREFIX("flto="), COMPILE, EFFECT_LTO},
	{ROW("fno-lto"), ALL, EFFECT_NO_LTO},
	{PREFIX("fthinlto-index="), COMPILE, EFFECT_REFUSED},
	{ROW("fembed-bitcode=off"), COMPILE, EFFECT_NO_BITCODE},
	{PREFIX("fembed-bitcode"), COMPILE, EFFECT_BITCODE},
	{ROW("fno-embed-bitcode"), COMPILE, EFFECT_NO_BITCODE},
	{PREFIX("gsplit-dwarf"), DEBUG, EFFECT_SPLIT_DWARF},
	{ROW("gno-split-dwarf"), DEBUG, EFFECT_NO_SPLIT_DWARF},

	/* Options that one step does not need, or that would have a wrong effect in it. */
	{PREFIX("gz"), ALL, EFFECT_NONE},
	{SEPARATE("gcc-toolchain"), ALL, EFFECT_NONE},
	{PREFIX("gcc-"), ALL, EFFECT_NONE},
	{PREFIX("g"), DEBUG, EFFECT_NONE},
	{PREFIX("Wa,"), ASSEMBLE, EFFECT_ASSEMBLER},
	{SEPARATE("Xassembler"), ASSEMBLE, EFFECT_ASSEMBLER},
	{SEPARATE("-for-assembler"), ASSEMBLE, EFFECT_ASSEMBLER},
	{SEPARATE("Xclangas"), ASSEMBLE, EFFECT_NONE},
	{SEPARATE("Xclang"), COMPILE, EFFECT_CLANG},
	{PREFIX("Wl,"), LINK, EFFECT_LINKER_INPUT},
	{SEPARATE("Xlinker"), LINK, EFFECT_LINKER_INPUT},
	{SEPARATE("-for-linker"), LINK, EFFECT_LINKER_INPUT},
	{EITHER("l"), LINK, EFFECT_LINKER_INPUT},
	{PREFIX("W"), COMPILE | LINK, EFFECT_NONE},
	{ROW("v"), COMPILE | LINK, EFFECT_NONE},
	{LONG("verbose"), COMPILE | LINK, EFFECT_NONE},
	{ROW("ftime-report"), COMPILE, EFFECT_NONE},
	{PREFIX("ftime-trace"), COMPILE, EFFECT_NONE},
	{PREFIX("fsave-optimization-record"), COMPILE, EFFECT_NONE},
	{PREFIX("fstack-usage"), COMPILE, EFFECT_NONE},
	{LONG("coverage"), COMPILE | LINK, EFFECT_GCOV},
	{ROW("coverage"), COMPILE | LINK, EFFECT_GCOV},
	{ROW("fprofile-arcs"), COMPILE | LINK, EFFECT_GCOV},
	{ROW("ftest-coverage"), COMPILE | LINK, EFFECT_GCOV},
	{ROW("fverbose-asm"), 0, EFFECT_VERBOSE_ASM},
	{ROW("fno-verbose-asm"), 0, EFFECT_VERBOSE_ASM},
	{ROW("fintegrated-as"), ALL, EFFECT_INTEGRATED_AS},
	{ROW("integrated-as"), ALL, EFFECT_INTEGRATED_AS},
	{ROW("fno-integrated-as"), ALL, EFFECT_NO_INTEGRATED_AS},
	{ROW("no-integrated-as"), ALL, EFFECT_NO_INTEGRATED_AS},
	{ROW("fpic"), ALL, EFFECT_PIC},
	{ROW("fPIC"), ALL, EFFECT_PIC},
	{ROW("fpie"), ALL, EFFECT_PIC},
	{ROW("fPIE"), ALL, EFFECT_PIC},
	{ROW("fno-pic"), ALL, EFFECT_NO_PIC},
	{ROW("fno-PIC"), ALL, EFFECT_NO_PIC},
	{ROW("fno-pie"), ALL, EFFECT_NO_PIC},
	{ROW("fno-PIE"), ALL, EFFECT_NO_PIC},

	/* Options whose argument may be another word. */
	{EITHER("D"), COMPILE, EFFECT_NONE},
	{SEPARATE("-define-macro"), COMPILE, EFFECT_NONE},
	{EITHER("U"), COMPILE, EFFECT_NONE},
	{SEPARATE("-undefine-macro"), COMPILE, EFFECT_NONE},
	{EITHER("I"), ASSEMBLE, EFFECT_NONE},
	{SEPARATE("-include-directory"), ASSEMBLE, EFFECT_NONE},
	{EITHER("iquote"), COMPILE, EFFECT_NONE},
	{EITHER("isystem"), COMPILE, EFFECT_NONE},
	{EITHER("idirafter"), COMPILE, EFFECT_NONE},
	{EITHER("iprefix"), COMPILE, EFFECT_NONE},
	{EITHER("iwithprefixbefore"), COMPILE, EFFECT_NONE},
	{EITHER("iwithprefix"), COMPILE, EFFECT_NONE},
	{EITHER("iwithsysroot"), COMPILE, EFFECT_NONE},
	{EITHER("isysroot"), ALL, EFFECT_NONE},
	{EITHER("iframework"), COMPILE, EFFECT_NONE},
	{EITHER("ivfsoverlay"), COMPILE, EFFECT_NONE},
	{EITHER("imultilib"), COMPILE, EFFECT_NONE},
	{EITHER("imacros"), COMPILE, EFFECT_NONE},
	{SEPARATE("-imacros"), COMPILE, EFFECT_NONE},
	{EITHER("include-pch"), COMPILE, EFFECT_NONE},
	{EITHER("include"), COMPILE, EFFECT_NONE},
	{SEPARATE("-include"), COMPILE, EFFECT_NONE},
	{EITHER("cxx-isystem"), COMPILE, EFFECT_NONE},
	{EITHER("c-isystem"), COMPILE, EFFECT_NONE},
	{EITHER("stdlib++-isystem"), COMPILE, EFFECT_NONE},
	{SEPARATE("Xanalyzer"), COMPILE, EFFECT_NONE},
	{SEPARATE("-param"), ALL, EFFECT_NONE},
	{SEPARATE("mllvm"), ALL, EFFECT_NONE},
	{SEPARATE("target"), ALL, EFFECT_TARGET},
	{PREFIX("-target="), ALL, EFFECT_TARGET},
	{ROW("m16"), ALL, EFFECT_OTHER_WIDTH},
	{ROW("m32"), ALL, EFFECT_OTHER_WIDTH},
	{ROW("mx32"), ALL, EFFECT_OTHER_WIDTH},
	{ROW("mbig-endian"), ALL, EFFECT_BIG_ENDIAN},
	{ROW("EB"), ALL, EFFECT_BIG_ENDIAN},
	{ROW("mlittle-endian"), ALL, EFFECT_LITTLE_ENDIAN},
	{ROW("EL"), ALL, EFFECT_LITTLE_ENDIAN},
	{SEPARATE("arch"), ALL, EFFECT_NONE},
	{SEPARATE("-sysroot"), ALL, EFFECT_NONE},
	{SEPARATE("-prefix"), ALL, EFFECT_NONE},
	{SEPARATE("-config"), ALL, EFFECT_NONE},
	{SEPARATE("resource-dir"), ALL, EFFECT_NONE},
	{SEPARATE("working-directory"), ALL, EFFECT_NONE},
	{SEPARATE("specs"), ALL, EFFECT_NONE},
	{SEPARATE("-specs"), ALL, EFFECT_NONE},
	{EITHER("B"), ALL, EFFECT_NONE},
	{EITHER("F"), ALL, EFFECT_NONE},
	{EITHER("L"), LINK, EFFECT_NONE},
	{SEPARATE("-library-directory"), LINK, EFFECT_NONE},
	{EITHER("T"), LINK, EFFECT_NONE},
	{SEPARATE("u"), LINK, EFFECT_NONE},
	{SEPARATE("e"), LINK, EFFECT_NONE},
	{SEPARATE("-entry"), LINK, EFFECT_NONE},
	{SEPARATE("z"), LINK, EFFECT_NONE},
	{SEPARATE("rpath"), LINK, EFFECT_NONE},
	{SEPARATE("framework"), LINK, EFFECT_LINKER_INPUT},
};

static const struct compiler_option unknown = {"", FORM_EXACT, STEP_ALL, EFFECT_NONE};

static bool matches(const struct compiler_option *option, const char *word)
{
	if (option->form == FORM_PREFIX || option->form == FORM_EITHER)
		return starts_with(word, option->name);
	return !strcmp(word, option->name);
}

const struct compiler_option *compiler_option(const char *word, const char **argument, bool *takes_next)
{
	const struct compiler_option *option = &unknown;
	size_t i;

	*argument = NULL;
	*takes_next = false;
	for (i = 0; i < sizeof(options) / sizeof(*options) && option == &unknown; i++)
		if (matches(&options[i], word))
			option = &options[i];
	if (option->form == FORM_SEPARATE || option->form == FORM_EITHER)
		*takes_next = !strcmp(word, option->name);
	if (option->form != FORM_EXACT && !*takes_next)
		*argument = word + strlen(option->name);
	return option;
}
