/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compiler_options.h - the options of gcc and clang that matter to `bareprof mip cc`.
 */
#ifndef BAREPROF_HOST_COMPILER_OPTIONS_H
#define BAREPROF_HOST_COMPILER_OPTIONS_H

#include <stdbool.h>

/* The steps of a compilation to which an option belongs. */
enum compiler_step {
	STEP_COMPILE = 1, /* from the source to assembly */
	STEP_ASSEMBLE = 2, /* from assembly to the object */
	STEP_LINK = 4,
	STEP_DEBUG = 8, /* the step STEP_ASSEMBLE, if the assembly contains the line table of the compiler */
	STEP_ALL = STEP_COMPILE | STEP_ASSEMBLE | STEP_LINK,
};

/* The meaning of an option for `bareprof mip cc`. */
enum compiler_effect {
	EFFECT_NONE,
	EFFECT_NO_OBJECT, /* the compiler makes no machine code, or only prints something */
	EFFECT_COMPILE, /* -c */
	EFFECT_OUTPUT, /* -o */
	EFFECT_LANGUAGE, /* -x */
	EFFECT_DEPENDENCIES, /* writes a dependency file beside the object */
	EFFECT_DEPENDENCY_FILE, /* names the dependency file */
	EFFECT_DEPENDENCY_TARGET, /* names the target in the dependency file */
	EFFECT_PREPROCESSOR, /* -Wp, */
	EFFECT_ASSEMBLER, /* -Wa, or -Xassembler */
	EFFECT_CLANG, /* -Xclang */
	EFFECT_LINKER_INPUT, /* like an object, which only the linker reads */
	EFFECT_LTO,
	EFFECT_NO_LTO,
	EFFECT_SPLIT_DWARF,
	EFFECT_NO_SPLIT_DWARF,
	EFFECT_BITCODE,
	EFFECT_NO_BITCODE,
	EFFECT_REFUSED, /* cannot be combined with `bareprof mip cc` */
	EFFECT_PIC,
	EFFECT_NO_PIC,
	EFFECT_PIPE,
	EFFECT_SAVE_TEMPS,
	EFFECT_GCOV,
	EFFECT_VERBOSE_ASM,
	EFFECT_TARGET,
	EFFECT_BIG_ENDIAN,
	EFFECT_LITTLE_ENDIAN,
	EFFECT_OTHER_WIDTH, /* not the usual width of the processor, for example -m32 */
	EFFECT_INTEGRATED_AS,
	EFFECT_NO_INTEGRATED_AS,
};

/* How an option and its argument are written. */
enum compiler_form {
	FORM_EXACT, /* no argument */
	FORM_PREFIX, /* the argument follows in the same word */
	FORM_SEPARATE, /* the next word is the argument */
	FORM_EITHER, /* the argument follows in the same word, or is the next word */
};

struct compiler_option {
	const char *name;
	enum compiler_form form;
	unsigned int steps; /* steps of enum compiler_step */
	enum compiler_effect effect;
};

/*
 * compiler_option - returns the option that @word is or begins with, which is never NULL: an unknown option has no
 * argument in another word and belongs to all steps. *@argument is set to the argument in the same word, or to NULL.
 * *@takes_next is set to whether the next word is the option's argument.
 */
const struct compiler_option *compiler_option(const char *word, const char **argument, bool *takes_next);

#endif
