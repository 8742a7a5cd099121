/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_runtime.c - finds instrumented code that must not be instrumented. Such code is the runtime, the sink, the
 * functions that the sink calls, the functions that clang calls to count atomically, and naked functions. Also finds
 * instrumented code that ignores the image's bias.
 */
#include "check_naked.h"
#include "culprits.h"
#include "unbiased.h"

#include <stdlib.h>
#include <string.h>

/* The functions that get a sink as an argument. */
static const char *const senders[] = {
	"bareprof_send",
	"bareprof_small_dump",
	"bareprof_encode_text",
	"bareprof_encode_frame",
	"bareprof_encode_file",
};
/*
 * The search for an argument of a call uses only addresses that were computed at most this many bytes before the call.
 */
#define ARGUMENTS 96u
/* At most this many functions are followed from one sink. */
#define FOLLOWED 4096u

static const char *bare_name(const char *name)
{
	const char *colon = strrchr(name, ':');
	const char *semicolon = strrchr(name, ';');

	return colon ? colon + 1 : semicolon ? semicolon + 1 : name;
}

/*
 * Returns whether a function belongs to the runtime. Names of static functions begin with
 * the file: "bareprof.c:put".
 */
static bool is_runtime(const char *name)
{
	return starts_with(bare_name(name), "bareprof_") || starts_with(name, "bareprof.c:") ||
	       starts_with(name, "bareprof.c;");
}

/* Returns whether clang calls this function to count atomically on targets that have no atomic instructions for it. */
static bool is_atomic_helper(const char *name)
{
	return starts_with(name, "__atomic_fetch_") || starts_with(name, "__atomic_compare_exchange") ||
	       starts_with(name, "__sync_fetch_and_") || starts_with(name, "__sync_val_compare_and_swap_") ||
	       starts_with(name, "__aarch64_ldadd") || starts_with(name, "__aarch64_ldset") ||
	       starts_with(name, "__aarch64_cas");
}

/*
 * Returns whether this is a library function that any code may call. Such a function is not reported, because the user
 * may want to measure it, and because the counts that a dump adds to the function do no harm.
 */
static bool is_common(const char *name)
{
	static const char *const names[] = {"memcpy", "memset", "memmove", "memcmp", "strlen"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return starts_with(name, "__aeabi_");
}

/*
 * A search through the code of an image. It remembers the addresses that the code computed last, because they may be
 * arguments of the next call.
 */
struct search {
	const struct check *check;
	struct code code;
	struct record *records; /* an array like code.functions: records[i] is the record of code.functions[i] */
	uint64_t wanted; /* address of the function whose callers are searched */
	struct {
		uint64_t at;
		uint64_t target;
	} recent[64];
	size_t count; /* number of addresses that the code has computed so far; @recent has the newest of them */
	struct code_function *stack[FOLLOWED];
	size_t depth;
	bool found;
	struct culprits culprits;
};

static void push(struct search *search, struct code_function *function)
{
	if (!function || function->seen || search->depth == FOLLOWED)
		return;
	function->seen = true;
	search->stack[search->depth++] = function;
}

static void push_callee(void *context, enum code_use use, uint64_t at, uint64_t target)
{
	struct search *search = context;

	(void)at;
	if (use == CODE_CALL && target == search->wanted)
		search->found = true;
	if (use == CODE_CALL)
		push(search, code_at(&search->code, target));
}

/*
 * Takes functions from the stack until it is empty. Adds the taken function to the culprits if it is instrumented and
 * not common. Then pushes the functions that the taken function calls.
 */
static void follow(struct search *search)
{
	while (search->depth) {
		struct code_function *function = search->stack[--search->depth];

		/* There are separate findings for the runtime and for the functions that count atomically. */
		if (is_runtime(function->symbol->name) || is_atomic_helper(function->symbol->name))
			continue;
		if (function->instrumented && !is_common(function->symbol->name))
			culprits_add(&search->culprits, &search->records[function - search->code.functions]);
		code_walk(&search->code, function, push_callee, search);
	}
}

static void find_sinks(void *context, enum code_use use, uint64_t at, uint64_t target)
{
	struct search *search = context;
	const size_t room = sizeof(search->recent) / sizeof(*search->recent);
	size_t i;

	if (use == CODE_ADDRESS) {
		if (!code_at(&search->code, target))
			return;
		search->recent[search->count % room].at = at;
		search->recent[search->count++ % room].target = target;
		return;
	}
	if (target != search->wanted)
		return;
	for (i = search->count; i && search->count - i < room && at - search->recent[(i - 1) % room].at <= ARGUMENTS;
		i--)
		push(search, code_at(&search->code, search->recent[(i - 1) % room].target));
}

static void search_sender(struct search *search, const char *name)
{
	const struct code_function *sender = code_named(&search->code, name);
	size_t i;

	if (!sender)
		return;
	search->wanted = sender->symbol->value;
	for (i = 0; i < search->code.count; i++) {
		search->count = 0;
		if (!is_runtime(search->code.functions[i].symbol->name))
			code_walk(&search->code, &search->code.functions[i], find_sinks, search);
	}
}

static void clear_seen(struct search *search)
{
	size_t i;

	for (i = 0; i < search->code.count; i++)
		search->code.functions[i].seen = false;
	search->depth = 0;
	search->found = false;
}

static void add_fixes(
	struct check *check, struct search *search, enum finding_id id, const char *what, const char *effect)
{
	struct buffer text = {0};
	struct finding *finding;

	if (!search->culprits.functions.count)
		return;
	culprits_text(&search->culprits, &text);
	finding = check_add(check, id, "%s: %zu function%s (%s); %s", what, search->culprits.functions.count,
		search->culprits.functions.count == 1 ? "" : "s", buffer_string(&text), effect);
	culprits_add_files(&search->culprits, finding, FIX_FILES_WITHOUT);
	buffer_free(&text);
}

static void check_sinks(struct check *check, struct search *search)
{
	size_t i;

	culprits_start(&search->culprits, check);
	clear_seen(search);
	for (i = 0; i < sizeof(senders) / sizeof(*senders); i++)
		search_sender(search, senders[i]);
	follow(search);
	add_fixes(check, search, FINDING_SINK_INSTRUMENTED,
		"the sink of a dump, or a function that the sink calls, is instrumented",
		"a dump would change the counters while it sends them");
	culprits_end(&search->culprits);
}

static void check_names_of(
	struct check *check, struct search *search, bool (*is_one)(const char *), bool recursive, enum finding_id id)
{
	const struct records *records = &check->records;
	struct record record;
	size_t i;

	culprits_start(&search->culprits, check);
	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		char *name = record_function(check, &record);
		struct code_function *function;

		if (!is_one(name)) {
			free(name);
			continue;
		}
		function = recursive ? code_named(&search->code, name) : NULL;
		free(name);
		if (function) {
			/*
			 * clang calls this function in order to count. The function may be instrumented, as long as
			 * none of its own calls leads back to the function. Otherwise each count in the function would
			 * call the function again, without end.
			 */
			clear_seen(search);
			search->wanted = function->symbol->value;
			push(search, function);
			while (search->depth)
				code_walk(&search->code, search->stack[--search->depth], push_callee, search);
		}
		if (!recursive || (function && search->found))
			culprits_add(&search->culprits, &record);
	}
	if (recursive)
		add_fixes(check, search, id, "functions that compiled code calls in order to count are instrumented",
			"the first count calls such a function, which calls itself in order to count, until the stack "
			"overflows");
	else
		add_fixes(check, search, id, "the runtime is instrumented",
			"a dump would change the counters while it reads them");
	culprits_end(&search->culprits);
}

static void check_naked(struct check *check, struct search *search)
{
	struct finding *finding;
	struct buffer text = {0};
	size_t i;

	culprits_start(&search->culprits, check);
	for (i = 0; i < search->code.count; i++) {
		const struct code_function *function = &search->code.functions[i];

		if (function->instrumented && is_naked(&search->code, function, check->extent[SECTION_COUNTERS]))
			culprits_add(&search->culprits, &search->records[i]);
	}
	if (search->culprits.functions.count) {
		culprits_text(&search->culprits, &text);
		finding = check_add(check, FINDING_NAKED_INSTRUMENTED,
			"naked functions are instrumented (%s): clang put a counter before the code of each function; "
			"the counter destroys registers (such as arguments and the return address), or the stack of "
			"the caller",
			buffer_string(&text));
		fix_add(finding, FIX_SOURCE, "__attribute__((no_profile_instrument_function))");
		finding->function = format("%s", search->culprits.functions.list[0]);
	}
	buffer_free(&text);
	culprits_end(&search->culprits);
}

/* Finds code that was compiled without the option that makes it use the bias. */
static void check_unbiased(struct check *check, struct search *search)
{
	struct buffer text = {0};
	size_t count = 0;
	size_t i;

	if (!check_bias(check, SECTION_COUNTERS))
		return;
	culprits_start(&search->culprits, check);
	for (i = 0; i < search->code.count; i++) {
		const struct code_function *function = &search->code.functions[i];

		if (!function->instrumented || !is_unbiased(&search->code, function, check->extent[SECTION_COUNTERS]))
			continue;
		culprits_add(&search->culprits, &search->records[i]);
		count++;
	}
	if (count) {
		struct finding *finding;

		culprits_text(&search->culprits, &text);
		finding = check_add(check, FINDING_BIAS_IGNORED,
			"the image has a bias (BAREPROF_BIAS), but %zu instrumented function%s without it (%s): counts "
			"in flash are lost, or the firmware hangs without a message; code that runs only in RAM may "
			"stay as it is",
			count, count == 1 ? " counts" : "s count", buffer_string(&text));
		fix_add(finding, FIX_COMPILE, "-mllvm -runtime-counter-relocation");
		finding->function = format("%s", search->culprits.functions.list[0]);
	}
	buffer_free(&text);
	culprits_end(&search->culprits);
}

void check_runtime(struct check *check)
{
	const struct records *records = &check->records;
	struct search *search = allocate(1, sizeof(*search));
	struct record record;
	size_t i;

	if (!records->count || !check->names.count) {
		free(search);
		return;
	}
	search->check = check;
	code_open(&search->code, &check->image);
	search->records = allocate(search->code.count + 1, sizeof(*search->records));
	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		uint64_t address = check_address(check, &record);
		struct code_function *function = address ? code_at(&search->code, address) : NULL;

		if (function) {
			function->instrumented = true;
			search->records[function - search->code.functions] = record;
		}
	}
	check_names_of(check, search, is_runtime, false, FINDING_RUNTIME_INSTRUMENTED);
	check_names_of(check, search, is_atomic_helper, true, FINDING_ATOMIC_HELPER_INSTRUMENTED);
	check_sinks(check, search);
	check_naked(check, search);
	check_unbiased(check, search);
	free(search->records);
	code_close(&search->code);
	free(search);
}
