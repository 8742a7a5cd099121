/* SPDX-License-Identifier: BSD-2-Clause */
/* merge_filter.c - keeps or removes functions of a merged profile by their names. */
#include "merge_filter.h"
#include "exit.h"
#include "pattern.h"

#include <stdlib.h>

struct name_pattern {
	const char *text;
	regex_t regex;
	bool compiled;
	bool matched; /* the pattern matches at least one name */
};

bool merge_filter_add(const char *text, void *custom)
{
	struct name_patterns *patterns = custom;

	patterns->list = array_grow(patterns->list, patterns->count, &patterns->room, sizeof(*patterns->list));
	patterns->list[patterns->count++] = (struct name_pattern){.text = text};
	return true;
}

static bool compile(struct name_patterns *patterns)
{
	size_t i;

	for (i = 0; i < patterns->count; i++) {
		struct name_pattern *pattern = &patterns->list[i];

		pattern->compiled = named_pattern(&pattern->regex, patterns->option, pattern->text);
		if (!pattern->compiled)
			return false;
	}
	return true;
}

enum status merge_filter_compile(struct merge_filter *filter)
{
	return compile(&filter->keep) && compile(&filter->drop) ? STATUS_OK : STATUS_USAGE;
}

/* Returns whether any pattern matches @name. All patterns are tried, to find out which of them match no name. */
static bool any_matches(struct name_patterns *patterns, struct bytes name, struct buffer *scratch)
{
	bool found = false;
	size_t i;

	for (i = 0; i < patterns->count; i++) {
		if (!function_matches(&patterns->list[i].regex, name, scratch))
			continue;
		patterns->list[i].matched = true;
		found = true;
	}
	return found;
}

static bool is_kept(void *context, struct bareprof_bytes name)
{
	struct merge_filter *filter = context;
	struct bytes bytes = {name.data, name.size};
	bool kept = any_matches(&filter->keep, bytes, &filter->scratch) || !filter->keep.count;

	return !any_matches(&filter->drop, bytes, &filter->scratch) && kept;
}

static bool all_matched(const struct name_patterns *patterns, size_t functions)
{
	size_t i;

	for (i = 0; i < patterns->count; i++) {
		if (patterns->list[i].matched)
			continue;
		complain(NULL,
			"none of the %zu functions has a name that matches %s '%s'; names are mangled, and 'bareprof "
			"show --all FILE' lists them",
			functions, patterns->option, patterns->list[i].text);
		return false;
	}
	return true;
}

enum status merge_filter_apply(struct merge_filter *filter, struct bareprof_profile *profile, bool is_shard)
{
	size_t before;
	size_t after;

	if (!filter->keep.count && !filter->drop.count)
		return STATUS_OK;
	before = bareprof_profile_functions(profile);
	after = bareprof_profile_filter(profile, is_kept, filter);
	if (!is_shard) {
		if (!all_matched(&filter->keep, before) || !all_matched(&filter->drop, before))
			return STATUS_INVALID_INPUT;
		if (!after) {
			complain(NULL, "none of the %zu functions is left; use a narrower --no-function", before);
			return STATUS_INVALID_INPUT;
		}
	}
	complain(NULL, "note: %zu of %zu functions were kept", after, before);
	return STATUS_OK;
}

static void free_patterns(struct name_patterns *patterns)
{
	while (patterns->count) {
		patterns->count--;
		if (patterns->list[patterns->count].compiled)
			regfree(&patterns->list[patterns->count].regex);
	}
	free(patterns->list);
	patterns->list = NULL;
}

void merge_filter_free(struct merge_filter *filter)
{
	free_patterns(&filter->keep);
	free_patterns(&filter->drop);
	buffer_free(&filter->scratch);
}
