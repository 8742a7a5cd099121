/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_json.c - prints a comparison as JSON. docs/JSON.md describes the properties. */
#include "compare.h"
#include "json.h"

/* Programs compare this name. It changes only if a property is removed or changes its meaning. */
#define SCHEMA "bareprof-compare-1"

static const char *const fits[FITS] = {
	[FIT_SAME] = "fits",
	[FIT_CHANGED] = "changed",
	[FIT_GONE] = "gone",
	[FIT_NEW] = "new",
};

static uint64_t millionths(double share)
{
	return (uint64_t)(share * 1000000 + 0.5);
}

static void put_side(struct json *json, const char *key, const struct side *side)
{
	static const char *const hashes[] = {
		[HASHES_ANY] = "any", [HASHES_V3] = "v3", [HASHES_V4] = "v4", [HASHES_BOTH] = "both"};
	const char *name = input_name(side->path);

	json_open(json, key, '{');
	json_bytes(json, "file", (struct bytes){(const uint8_t *)name, strlen(name)});
	json_bool(json, "program", side->is_program);
	json_text(json, "hashes", hashes[side->hashes]);
	json_number(json, "functions", side->count);
	json_number(json, "sum_of_counts", side->sum);
	json_number(json, "context_sensitive_left_out", side->context_sensitive);
	json_close(json, '}');
}

static void put_fits(struct json *json, const char *key, const struct fit_totals *totals, enum fit absent)
{
	enum fit fit;

	json_open(json, key, '{');
	for (fit = 0; fit < FITS; fit++) {
		if (fit == absent)
			continue;
		json_open(json, fits[fit], '{');
		json->compact = true;
		json_number(json, "functions", totals->functions[fit]);
		json_number(json, "counts", totals->counts[fit]);
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, '}');
}

static void put_counts(struct json *json, const char *key, const struct overlap_counts *counts)
{
	json_open(json, key, '{');
	json->compact = true;
	json_number(json, "both", millionths(counts->both));
	json_number(json, "mismatched", millionths(counts->mismatched));
	json_number(json, "only_b", millionths(counts->only_b));
	json_number(json, "sum_of_a", (uint64_t)counts->sum_a);
	json_number(json, "sum_of_b", (uint64_t)counts->sum_b);
	json_close(json, '}');
	json->compact = false;
}

static void put_overlap(struct json *json, const struct overlap *overlap)
{
	static const char *const kinds[PROFILE_KINDS] = {"indirect_calls", "memory_operations", "virtual_calls"};
	unsigned int kind;

	json_open(json, "overlap", '{');
	json_open(json, "functions", '{');
	json->compact = true;
	json_number(json, "both", overlap->both);
	json_number(json, "mismatched", overlap->mismatched);
	json_number(json, "only_b", overlap->only_b);
	json_close(json, '}');
	json->compact = false;
	put_counts(json, "counters", &overlap->edges);
	for (kind = 0; kind < PROFILE_KINDS; kind++)
		if (overlap->values[kind].sum_a >= 1 || overlap->values[kind].sum_b >= 1)
			put_counts(json, kinds[kind], &overlap->values[kind]);
	json_close(json, '}');
}

static void put_function(struct json *json, const char *key, const struct side_function *function)
{
	if (!function) {
		json_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json->compact = true;
	json_hex(json, "hash", function->hash);
	json_number(json, "counters", function->counter_count);
	if (function->counted) {
		json_number(json, "sum_of_counts", function->sum);
		json_number(json, "highest_count", function->highest);
	}
	json_close(json, '}');
	json->compact = false;
}

static void put_pair(struct json *json, const struct pair *pair)
{
	json_open(json, NULL, '{');
	json_bytes(json, "name", pair->a ? pair->a->name : pair->b->name);
	json_text(json, "fit", fits[pair->fit]);
	put_function(json, "a", pair->a);
	put_function(json, "b", pair->b);
	if (pair->overlap >= 0)
		json_number(json, "overlap_millionths", millionths(pair->overlap));
	json_close(json, '}');
}

void compare_json(const struct comparison *comparison)
{
	struct json json = {stdout, 0, false, false};
	uint64_t top = comparison->choices.top;
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	put_side(&json, "a", &comparison->a);
	put_side(&json, "b", &comparison->b);
	json_bool(&json, "upper_bits_ignored", comparison->upper_bits_ignored);
	put_fits(&json, "fits_of_a", &comparison->of_a, FIT_NEW);
	put_fits(&json, "fits_of_b", &comparison->of_b, FIT_GONE);
	if (comparison->overlap.computed)
		put_overlap(&json, &comparison->overlap);
	json_open(&json, "functions", '[');
	for (i = 0; i < comparison->listed_count && (!top || i < top); i++)
		put_pair(&json, comparison->listed[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
