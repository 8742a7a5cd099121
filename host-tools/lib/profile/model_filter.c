/* SPDX-License-Identifier: BSD-2-Clause */
/* model_filter.c - removes functions from a model by their names. */
#include "model.h"

#include <stdlib.h>

/* Removes the functions that the model does not have from all traces, and the traces that are then empty. */
static void filter_traces(struct model *model)
{
	struct traces *traces = &model->traces;
	size_t traces_kept = 0;
	size_t i;
	size_t j;

	for (i = 0; i < traces->count; i++) {
		struct trace *trace = &traces->list[i];
		size_t kept = 0;

		for (j = 0; j < trace->count; j++)
			if (model_name(model, trace->references[j]).size)
				trace->references[kept++] = trace->references[j];
		trace->count = kept;
		if (kept)
			traces->list[traces_kept++] = *trace;
		else
			free(trace->references);
	}
	traces->count = traces_kept;
}

void model_filter(struct model *model, bool (*keep)(void *context, struct bytes name), void *context)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < model->count; i++) {
		if (keep(context, model->functions[i].name))
			model->functions[kept++] = model->functions[i];
		else
			sites_free(model->functions[i].sites);
	}
	model->count = kept;
	model_unindex(model);
	filter_traces(model);
	model_sort(model);
}
