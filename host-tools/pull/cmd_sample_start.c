/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_sample_start.c - `bareprof sample start` and `bareprof sample stop`: let a running image take samples, or no more.
 */
#include "backends.h"
#include "commands.h"
#include "exit.h"

/* A prime number, so that work at each tick of a clock is neither always nor never interrupted. */
#define RATE_DEFAULT 997

static const char *from_text;
static uint64_t rate = RATE_DEFAULT;

#define OPT_FROM OPT_TEXT("from", 0, "BACKEND", &from_text, "the running image: xen or xen:DEVICE")

static const struct option start_options[] = {
	{OPT_FROM},
	{OPT_NUMBER("rate", 'r', "HZ", &rate, 20, 20000,
		"take HZ samples in a second of each CPU (default: 997); choose a prime number")},
	{OPT_END},
};
static const struct option stop_options[] = {
	{OPT_FROM},
	{OPT_END},
};

static enum status set_rate(const char *command, uint32_t hz)
{
	char *const all[] = {NULL};
	struct image_names names;
	struct origin origin;
	struct error error;
	enum status status = backends_find(&origin, &names, command, from_text, all);

	if (status != STATUS_OK)
		return status;
	image_names_free(&names);
	if (!origin.backend->sample_rate) {
		complain(NULL, "%s can be used only with --from xen", command);
		return STATUS_USAGE;
	}
	status = origin.backend->sample_rate(origin.location, hz, &error);
	if (status != STATUS_OK)
		error_print(origin.location, &error);
	return status;
}

static enum status start(char **operands)
{
	(void)operands;
	return set_rate("sample start", (uint32_t)rate);
}

static enum status stop(char **operands)
{
	(void)operands;
	return set_rate("sample stop", 0);
}

const struct command command_sample_start = {
	.name = "sample start",
	.summary = "let the hypervisor take samples of its program counter",
	.operands = "--from xen",
	.operands_min = 0,
	.operands_max = 0,
	.help = "Xen must be built with CONFIG_BAREPROF_SAMPLES. A timer then interrupts each CPU, and Xen\n"
		"keeps the address that was interrupted. 'bareprof pull --from xen samples' reads the\n"
		"samples, and 'bareprof reset --from xen samples' discards them. Each CPU keeps its last\n"
		"16384 samples that were not read, which are the samples of 16 seconds at 997 Hz.\n",
	.options = start_options,
	.run = start,
};

const struct command command_sample_stop = {
	.name = "sample stop",
	.summary = "let the hypervisor take no more samples",
	.operands = "--from xen",
	.operands_min = 0,
	.operands_max = 0,
	.help = "The samples that were taken stay in memory until they are read or reset.\n",
	.options = stop_options,
	.run = stop,
};
