// SPDX-License-Identifier: BSD-2-Clause
/*
 * info.c - the file "info": describes a profile in lines of "key: value".
 */
#include <linux/seq_file.h>

#include "debugfs_names.h"
#include "files.h"

static const struct {
	u64 bit;
	const char *text;
} variants[] = {
	{BAREPROF_VARIANT_CSIR, ", context-sensitive"},
	{BAREPROF_VARIANT_BYTE_COVERAGE, ", byte counters"},
	{BAREPROF_VARIANT_ENTRY_ONLY, ", function entries"},
	{BAREPROF_VARIANT_TEMPORAL, ", temporal"},
};

static void show_kind(struct seq_file *seq, const struct bareprof_image *image)
{
	unsigned int i;

	seq_printf(seq, BAREPROF_INFO_KIND ": %s", image->version & BAREPROF_VARIANT_IR ? "IR" : "coverage");
	for (i = 0; i < ARRAY_SIZE(variants); i++)
		if (image->version & variants[i].bit)
			seq_puts(seq, variants[i].text);
	if (image->section[BAREPROF_BITS].size)
		seq_puts(seq, ", MC/DC");
	if (image->value_sites)
		seq_puts(seq, ", values");
	seq_putc(seq, '\n');
}

static void show_image(struct seq_file *seq, const struct bareprof_image *image)
{
	const struct bareprof_slice *section = image->section;

	show_kind(seq, image);
	seq_printf(seq, BAREPROF_INFO_RAW_VERSION ": %u\n", (u32)image->version);
	if (section[BAREPROF_BUILD_ID].size)
		seq_printf(seq, BAREPROF_INFO_BUILD_ID ": %*phN\n", (int)section[BAREPROF_BUILD_ID].size,
			section[BAREPROF_BUILD_ID].start);
	seq_printf(seq, BAREPROF_INFO_FUNCTIONS ": %zu\n", image->records);
	seq_printf(seq, BAREPROF_INFO_COUNTERS ": %zu\n", image->counters);
	seq_printf(seq, BAREPROF_INFO_COUNTER_BYTES ": %zu\n", section[BAREPROF_CNTS].size);
	seq_printf(seq, BAREPROF_INFO_BITMAP_BYTES ": %zu\n", section[BAREPROF_BITS].size);
	seq_printf(seq, BAREPROF_INFO_VALUE_SITES ": %zu\n", section[BAREPROF_VALS].size / sizeof(void *));
	if (image->values)
		seq_printf(seq, BAREPROF_INFO_VALUES_DROPPED ": %zu\n", image->values->dropped);
}

/* Prints the size that the file "profraw" would have now. */
static void show_size(struct seq_file *seq, struct profile *profile)
{
	struct bareprof_set_dump dump;

	if (bareprof_begin_reading(profile))
		return;
	if (!bareprof_set_open(&dump, &profile->set))
		seq_printf(seq, BAREPROF_INFO_PROFRAW_BYTES ": %zu\n", dump.size);
	bareprof_end_reading(profile);
}

static void show_machine(struct seq_file *seq, const struct profile *profile)
{
	const struct bareprof_image *image = &profile->machine->image;
	const struct bareprof_slice *id = &image->section[BAREPROF_BUILD_ID];
	const size_t coverage = image->section[BAREPROF_MIP_COVERAGE].size;
	const size_t calls = image->section[BAREPROF_MIP_CALLS].size;
	struct bareprof_dump dump;

	if (id->size && !profile->set.first)
		seq_printf(seq, BAREPROF_INFO_BUILD_ID ": %*phN\n", (int)id->size, id->start);
	seq_printf(seq, BAREPROF_INFO_MACHINE ": %s%s%s\n", coverage ? "coverage" : "", coverage && calls ? ", " : "",
		calls ? "calls" : "");
	seq_printf(seq, BAREPROF_INFO_RECORDING ": %zu\n", coverage + calls / BAREPROF_MIP_CALLS_SIZE);
	bareprof_mip_open(&dump, image);
	seq_printf(seq, BAREPROF_INFO_MIPRAW_BYTES ": %zu\n", dump.size);
}

static int bareprof_info_show(struct seq_file *seq, void *unused)
{
	struct profile *profile = seq->private;
	const struct bareprof_set_member *member;

	mutex_lock(&bareprof_lock);
	if (profile->instance && profile->error) {
		seq_puts(seq, BAREPROF_INFO_STATE ": " BAREPROF_STATE_BROKEN "\n");
		seq_printf(seq, BAREPROF_INFO_ERROR ": %s\n", bareprof_strerror(profile->error));
	} else {
		seq_printf(seq, BAREPROF_INFO_STATE ": %s\n",
			profile->instance || (profile->machine && !profile->machine->kept) ? BAREPROF_STATE_LIVE
											   : BAREPROF_STATE_GONE);
		/* Prints a description of the load that was added last. */
		for (member = profile->set.first; member; member = member->next)
			if (!member->next)
				show_image(seq, member->image);
		if (profile->set.first)
			show_size(seq, profile);
	}
	if (profile->machine)
		show_machine(seq, profile);
	seq_printf(seq, BAREPROF_INFO_KEPT_LOADS ": %u\n", profile->kept);
	seq_printf(seq, BAREPROF_INFO_RESETS ": %u\n", profile->resets);
	mutex_unlock(&bareprof_lock);
	return 0;
}

static int bareprof_info_open(struct inode *inode, struct file *file)
{
	return single_open(file, bareprof_info_show, inode->i_private);
}

const struct file_operations bareprof_info_file = {
	.owner = THIS_MODULE,
	.open = bareprof_info_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};
