// SPDX-License-Identifier: BSD-2-Clause
/*
 * entry.c - finds out where the entry sequence of each function belongs, and which functions are left out.
 *
 * The sequence belongs after the instructions that must come first, such as endbr64. It belongs before the first label
 * to which the function itself may jump, because each jump would count as a call.
 */
#include "assembly.h"

#include <fnmatch.h>
#include <stdlib.h>

/*
 * Sections whose code may run before the raw section is mapped or writable, or where a kernel allows no
 * instrumentation. .kprobes.text is not in the list, because the sequence only stores to memory, which a probe's
 * handler may do.
 */
const char *const rewrite_default_sections[] = {
	".noinstr.text*",
	".head.text*",
	".entry.text*",
	".idmap.text*",
	".hyp.idmap.text*",
	".hyp.text*",
	".cpuidle.text*",
	NULL,
};

const char *const rewrite_discarded_sections[] = {".exit.text*", ".discard*", NULL};

/*
 * Functions that compilers make and call with values in the registers that the sequence changes, and parts of other
 * functions.
 */
const char *const rewrite_default_names[] = {
	"OUTLINED_FUNCTION_*",
	"__llvm_retpoline_*",
	"__llvm_lvi_thunk_*",
	"__llvm_slsblr_thunk_*",
	"__x86_indirect_thunk*",
	"__x86_return_thunk*",
	"__call_indirect_*",
	NULL,
};

/* The local labels that instructions or tables name, sorted. */
struct names {
	struct bytes *list;
	size_t count;
	size_t room;
};

static int compare(const void *a, const void *b)
{
	const struct bytes *x = a, *y = b;
	size_t size = x->size < y->size ? x->size : y->size;
	int order = size ? memcmp(x->data, y->data, size) : 0;

	return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Sections that contain labels of code, although no code jumps to a label because of them. */
static bool is_about_code(struct bytes section)
{
	static const char *const names[] = {".debug_", ".eh_frame", ".gcc_except_table", ".stab",
		"__patchable_function_entries", "__mcount_loc", ".llvm", "xray_", ".stack_sizes", ".ARM.ex", ".sframe",
		".orc_", ".zdebug_"};
	size_t i;

	if (section.size && section.data[0] == '"') {
		section.data++;
		section.size--;
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (bytes_begin(section, names[i]))
			return true;
	return false;
}

/* Directives that describe the code around them, and neither move the location nor name a target of a jump. */
static bool is_description(const struct line *line)
{
	static const char *const words[] = {".loc", ".file", ".type", ".size", ".globl", ".global", ".weak", ".hidden",
		".local", ".internal", ".protected", ".fnstart", ".save", ".vsave", ".pad", ".setfp", ".movsp",
		".personality", ".personalityindex", ".thumb", ".arm", ".code", ".syntax", ".thumb_func", ".section",
		".text", ".previous", ".pushsection", ".popsection", ".addrsig_sym", ".cv_loc", ".variant_pcs"};
	size_t i;

	if (bytes_begin(line->word, ".cfi_"))
		return !line_is(line, ".cfi_endproc");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (line_is(line, words[i]))
			return true;
	return false;
}

static void find_names(const struct assembly *assembly, struct names *names)
{
	size_t i;

	for (i = 0; i < assembly->line_count; i++) {
		const struct line *line = &assembly->lines[i];
		struct bytes rest = line->by_user ? line->text : line->operands;
		struct bytes word;

		if (!line->by_user && (line->kind == LINE_EMPTY ||
					      (line->kind == LINE_DIRECTIVE &&
						      (is_description(line) ||
							      is_about_code(assembly->sections[line->section].name)))))
			continue;
		while (next_word(&rest, &word)) {
			if (!bytes_begin(word, ".L"))
				continue;
			names->list = array_grow(names->list, names->count, &names->room, sizeof(*names->list));
			names->list[names->count++] = word;
		}
	}
	if (names->count)
		qsort(names->list, names->count, sizeof(*names->list), compare);
}

/* Returns whether code may jump to the label of @line, or whether this is unknown. */
static bool is_target(const struct line *line, const struct names *names)
{
	if (!line->label.size)
		return false;
	/* The labels that end a function bound its size. */
	if (bytes_begin(line->label, "__acle_se_"))
		return false;
	if (!bytes_begin(line->label, ".L") || bytes_begin(line->label, ".Lfunc_end") ||
		bytes_begin(line->label, ".LFE"))
		return true;
	/* Calls, not jumps, name the local label that clang writes after the global label of a function. */
	if (line->label.size > strlen("$local") &&
		!memcmp(line->label.data + line->label.size - strlen("$local"), "$local", strlen("$local")))
		return false;
	return names->count && bsearch(&line->label, names->list, names->count, sizeof(line->label), compare);
}

/* Returns whether the instruction must stay first, so that the sequence belongs after it. */
static bool is_first_x86_64(const struct line *line)
{
	if (line_is(line, "endbr64") || bytes_begin(line->word, "nop"))
		return true;
	if (line_is(line, "xchgw") || line_is(line, "xchg"))
		return bytes_are(line->operands, "%ax, %ax") || bytes_are(line->operands, "ax, ax");
	if (line_is(line, ".byte"))
		return bytes_are(line->operands, "0x0f, 0x1f, 0x44, 0x00, 0x00");
	return (line_is(line, "call") || line_is(line, "callq")) && line->operands.size &&
	       memmem(line->operands.data, line->operands.size, "__fentry__", strlen("__fentry__"));
}

static bool is_first_aarch64(const struct line *line)
{
	struct bytes operands = line->operands;
	struct bytes number;

	if (line_is(line, "bti") || line_is(line, "paciasp") || line_is(line, "pacibsp") || line_is(line, "nop"))
		return true;
	if (!line_is(line, "hint") || !next_word(&operands, &number))
		return false;
	/* The same instructions by number: paciasp, pacibsp, bti, bti c, bti j and bti jc. */
	return bytes_are(number, "25") || bytes_are(number, "27") || bytes_are(number, "32") ||
	       bytes_are(number, "34") || bytes_are(number, "36") || bytes_are(number, "38");
}

/* pacbti also computes a signature in ip. */
static bool is_first_arm(const struct line *line, struct function *function)
{
	struct bytes operands = line->operands;
	struct bytes number;
	bool hint = line_is(line, "hint") && next_word(&operands, &number);

	if (line_is(line, "pacbti") || (hint && bytes_are(number, "13")))
		function->keeps_ip = true;
	return line_is(line, "bti") || line_is(line, "pacbti") || line_is(line, "nop") || line_is(line, "nop.w") ||
	       (hint && (bytes_are(number, "13") || bytes_are(number, "15")));
}

static bool is_first(const struct assembly *assembly, const struct line *line, struct function *function)
{
	switch (assembly->target) {
	case REWRITE_X86_64:
		return is_first_x86_64(line);
	case REWRITE_AARCH64:
		return is_first_aarch64(line);
	default:
		return is_first_arm(line, function);
	}
}

/*
 * Returns the index of the first line after the inline assembly at @index. Sets *@statements to whether the inline
 * assembly contains statements.
 */
static size_t skip_user(const struct assembly *assembly, size_t index, bool *statements)
{
	*statements = false;
	for (; index < assembly->line_count && assembly->lines[index].by_user; index++) {
		const struct line *line = &assembly->lines[index];

		/* gcc for Arm writes .syntax and .arm or .thumb around inline assembly. */
		*statements |= line->label.size || (line->kind != LINE_EMPTY && !line_is(line, ".syntax") &&
							   !line_is(line, ".arm") && !line_is(line, ".thumb"));
	}
	return index;
}

/* Returns whether the sequence belongs before @line. @first: the instruction on the line must stay first. */
static bool ends_entry(const struct line *line, bool first, const struct names *names)
{
	/* gcc writes "1: call __fentry__", and lists the label in the section __mcount_loc. */
	if (first)
		return false;
	return is_target(line, names) || (line->kind != LINE_EMPTY && !is_description(line));
}

/*
 * The first directive .loc of a function has the line of the function, and others have the lines of statements. The
 * sequence belongs before the second .loc, so that debuggers show the sequence at the line of the function.
 */
static void find_insert(const struct assembly *assembly, struct function *function, const struct names *names)
{
	size_t i = function->entry + 1;
	size_t statement = 0; /* index of the second .loc, or 0 */
	bool located = false;

	while (i < function->end) {
		const struct line *line = &assembly->lines[i];
		bool first = line->kind != LINE_EMPTY && is_first(assembly, line, function);
		bool statements;

		if (line->by_user) {
			size_t after = skip_user(assembly, i, &statements);

			if (statements)
				break;
			i = after;
			continue;
		}
		if (line->section == function->section) {
			if (ends_entry(line, first, names))
				break;
			if (first || line_is(line, ".cfi_startproc"))
				statement = 0;
			else if (line_is(line, ".loc") && located && !statement)
				statement = i;
			located |= line_is(line, ".loc");
		}
		i++;
	}
	if (i > function->end)
		i = function->end;
	function->insert = statement ? statement : i;
}

/* Returns whether only a function that handles interrupts contains the instruction. */
static bool is_return_from_interrupt(const struct assembly *assembly, const struct line *line)
{
	struct bytes operands = line->operands;
	struct bytes first = {NULL, 0}, second = {NULL, 0};

	if (assembly->target == REWRITE_X86_64)
		return bytes_begin(line->word, "iret") || line_is(line, "uiret");
	if (assembly->target == REWRITE_AARCH64)
		return bytes_begin(line->word, "eret");
	if (assembly->m_profile)
		return false;
	if (bytes_begin(line->word, "rfe") || bytes_begin(line->word, "eret"))
		return true;
	if (bytes_begin(line->word, "ldm"))
		return operands.size && operands.data[operands.size - 1] == '^';
	if (!bytes_begin(line->word, "subs") && !bytes_begin(line->word, "movs"))
		return false;
	return next_word(&operands, &first) && next_word(&operands, &second) && bytes_are(first, "pc") &&
	       bytes_are(second, "lr");
}

static bool names_ip(const struct line *line)
{
	struct bytes operands = line->operands;
	struct bytes word;

	while (next_word(&operands, &word))
		if (bytes_are(word, "ip") || bytes_are(word, "r12"))
			return true;
	return false;
}

/*
 * Returns whether the compiler wrote the instruction as part of a function that is not naked. In a naked function, all
 * instructions belong to inline assembly, and gcc adds an instruction that the processor refuses, so that no CPU
 * executes the bytes after the function.
 */
static bool by_compiler(const struct line *line)
{
	return line->kind == LINE_INSTRUCTION && !line->by_user && !line_is(line, "ud2") &&
	       !bytes_begin(line->word, "nop");
}

/* gcc for Arm lets a naked function have statements, and says in a comment that the function is naked. */
static bool says_naked(const struct line *line)
{
	static const char comment[] = "Naked Function:";

	return line->kind == LINE_EMPTY && line->text.size &&
	       memmem(line->text.data, line->text.size, comment, strlen(comment));
}

/*
 * gcc calls a nested function with a pointer in ip. The name of a nested function has a dot and a number, as do the
 * names of some other functions.
 */
static void read_body(const struct assembly *assembly, struct function *function)
{
	bool nested = assembly->target == REWRITE_ARM && memchr(function->name.data, '.', function->name.size);
	bool compiled = false, user = false, naked = false;
	size_t i;

	for (i = function->entry; i < function->end; i++) {
		const struct line *line = &assembly->lines[i];

		function->instructions += line->kind == LINE_INSTRUCTION;
		compiled |= by_compiler(line);
		user |= line->by_user && line->kind != LINE_EMPTY;
		naked |= says_naked(line);
		if (nested && (names_ip(line) || line->by_user))
			function->keeps_ip = true;
		if (!line->by_user && line->kind == LINE_INSTRUCTION && is_return_from_interrupt(assembly, line))
			function->reason = BAREPROF_MIP_REASON_INTERRUPT;
	}
	if (!function->reason && (naked || (user && !compiled)))
		function->reason = BAREPROF_MIP_REASON_ASSEMBLY;
}

static bool matches(struct bytes text, const char *const *patterns)
{
	char *string = format("%.*s", (int)text.size, (const char *)text.data);
	bool found = false;

	for (; patterns && *patterns && !found; patterns++)
		found = !fnmatch(*patterns, string, 0);
	free(string);
	return found;
}

static void check_section(const struct assembly *assembly, struct function *function)
{
	const struct rewrite_options *options = assembly->options;
	struct bytes name = assembly->sections[function->section].name;

	if (name.size > 1 && name.data[0] == '"') {
		name.data++;
		name.size -= 2;
	}
	function->unmapped = matches(name, rewrite_discarded_sections) || matches(name, options->discarded_sections);
	if (function->unmapped || matches(name, rewrite_default_sections) || matches(name, options->exclude_sections))
		function->reason = BAREPROF_MIP_REASON_SECTION;
}

/* In Arm state, the sequence needs instructions that Armv6T2 introduced. */
static enum status check_arm(const struct assembly *assembly, const struct function *function, struct error *error)
{
	if (assembly->target != REWRITE_ARM || function->reason || assembly->wide)
		return STATUS_OK;
	if (!function->thumb)
		return reject(assembly, function->entry, error,
			"%.*s is in Arm state, for which bareprof mip needs Armv7 or later; compile for Armv7, or "
			"exclude %.*s",
			(int)function->name.size, (const char *)function->name.data, (int)function->name.size,
			(const char *)function->name.data);
	if (assembly->options->atomic && assembly->options->mode == REWRITE_CALLS && !assembly->m_profile)
		return reject(assembly, function->entry, error,
			"the processor has no atomic instructions for %.*s; compile without --atomic",
			(int)function->name.size, (const char *)function->name.data);
	return STATUS_OK;
}

static enum status find_entry(
	const struct assembly *assembly, struct function *function, const struct names *names, struct error *error)
{
	read_body(assembly, function);
	find_insert(assembly, function, names);
	if (matches(function->name, rewrite_default_names) || matches(function->name, assembly->options->exclude))
		function->reason = BAREPROF_MIP_REASON_NAME;
	check_section(assembly, function);
	if (!function->reason && function->instructions < assembly->options->min_size)
		function->reason = BAREPROF_MIP_REASON_SMALL;
	return check_arm(assembly, function, error);
}

enum status entries_find(struct assembly *assembly, struct error *error)
{
	struct names names = {NULL, 0, 0};
	enum status status = STATUS_OK;
	size_t i;

	find_names(assembly, &names);
	for (i = 0; i < assembly->function_count && !status; i++)
		status = find_entry(assembly, &assembly->functions[i], &names, error);
	free(names.list);
	return status;
}
