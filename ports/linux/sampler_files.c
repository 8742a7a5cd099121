// SPDX-License-Identifier: BSD-2-Clause
/*
 * sampler_files.c - the sampler's files in debugfs, in the folder "sample" of the kernel.
 *
 * Whoever opens the file "capture" takes the samples out of the rings. The samples are in the memory of the open file, so
 * several readers do not disturb each other, but each sample goes to only one of them.
 */
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "debugfs_names.h"
#include "profiles.h"
#include "sampler.h"

#define WINDOW BAREPROF_BUFFER_MAX

struct reader {
	struct mutex lock; /* protects the fields below */
	struct bareprof_image image;
	struct bareprof_capture capture;
	void *samples;
	u32 block; /* number of the next block */
	char *at; /* the bytes of the window that are still to be read */
	size_t left;
	char window[WINDOW] __aligned(8);
};

/* Takes the samples, and puts the magic number of a capture file into the window. */
static int begin(struct reader *reader, size_t size)
{
	static const u8 magic[] = BAREPROF_FILE_MAGIC;
	int error = bareprof_sampler_collect(&reader->image, reader->samples, size);

	if (!error)
		error = bareprof_capture_samples(
			&reader->capture, &reader->image, bareprof_boot, reader->window, WINDOW);
	memcpy(reader->window, magic, BAREPROF_FILE_MAGIC_SIZE);
	reader->at = reader->window;
	reader->left = BAREPROF_FILE_MAGIC_SIZE;
	return bareprof_errno(error);
}

static int capture_open(struct inode *inode, struct file *file)
{
	size_t size = bareprof_sampler_size();
	struct reader *reader = kvzalloc(sizeof(*reader), GFP_KERNEL);
	int error = -ENOMEM;

	if (!reader)
		return error;
	mutex_init(&reader->lock);
	reader->samples = kvmalloc(size, GFP_KERNEL);
	if (reader->samples)
		error = begin(reader, size);
	if (error) {
		kvfree(reader->samples);
		kvfree(reader);
		return error;
	}
	file->private_data = reader;
	return stream_open(inode, file);
}

static int capture_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	kvfree(reader->samples);
	kvfree(reader);
	return 0;
}

/* Puts the next block into the window, if there is one. */
static int next_block(struct reader *reader)
{
	intptr_t n;

	if (reader->block == reader->capture.blocks)
		return 0;
	n = bareprof_block(&reader->capture, reader->block, reader->window, WINDOW);
	if (n < 0)
		return bareprof_errno(n);
	reader->block++;
	reader->at = reader->window;
	reader->left = n;
	return 0;
}

static ssize_t capture_window(struct reader *reader, char __user *buf, size_t n)
{
	int error = reader->left ? 0 : next_block(reader);

	if (error)
		return error;
	n = min(n, reader->left);
	if (copy_to_user(buf, reader->at, n))
		return -EFAULT;
	reader->at += n;
	reader->left -= n;
	return n;
}

static ssize_t capture_read(struct file *file, char __user *buf, size_t n, loff_t *offset)
{
	struct reader *reader = file->private_data;
	ssize_t got;

	mutex_lock(&reader->lock);
	got = capture_window(reader, buf, n);
	mutex_unlock(&reader->lock);
	return got;
}

static const struct file_operations capture_file = {
	.owner = THIS_MODULE,
	.open = capture_open,
	.release = capture_release,
	.read = capture_read,
};

static int rate_get(void *unused, u64 *rate)
{
	struct sampler_state state;

	bareprof_sampler_get(&state);
	*rate = state.rate;
	return 0;
}

static int rate_set(void *unused, u64 rate)
{
	return bareprof_sampler_set_rate(rate);
}
DEFINE_DEBUGFS_ATTRIBUTE(rate_file, rate_get, rate_set, "%llu\n");

static int enable_get(void *unused, u64 *on)
{
	struct sampler_state state;

	bareprof_sampler_get(&state);
	*on = state.on;
	return 0;
}

static int enable_set(void *unused, u64 on)
{
	return on > 1 ? -EINVAL : bareprof_sampler_switch(on);
}
DEFINE_DEBUGFS_ATTRIBUTE(enable_file, enable_get, enable_set, "%llu\n");

static const char *const sources[] = {
	[SAMPLE_AUTO] = "auto",
	[SAMPLE_TIMER] = "timer",
	[SAMPLE_CYCLES] = "cycles",
};

static int source_show(struct seq_file *seq, void *unused)
{
	struct sampler_state state;

	bareprof_sampler_get(&state);
	seq_printf(seq, "%s\n", sources[state.source]);
	return 0;
}

static int source_open(struct inode *inode, struct file *file)
{
	return single_open(file, source_show, NULL);
}

static ssize_t source_write(struct file *file, const char __user *buf, size_t n, loff_t *offset)
{
	char word[16] = "";
	int source;
	int error;

	if (n >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, buf, n))
		return -EFAULT;
	source = sysfs_match_string(sources, word);
	if (source < 0)
		return source;
	error = bareprof_sampler_set_source(source);
	return error ?: n;
}

static const struct file_operations source_file = {
	.owner = THIS_MODULE,
	.open = source_open,
	.release = single_release,
	.read = seq_read,
	.llseek = seq_lseek,
	.write = source_write,
};

static ssize_t reset_write(struct file *file, const char __user *buf, size_t n, loff_t *offset)
{
	bareprof_sampler_reset();
	return n;
}

static const struct file_operations reset_file = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.write = reset_write,
};

static int info_show(struct seq_file *seq, void *unused)
{
	struct sampler_state state;

	bareprof_sampler_get(&state);
	seq_printf(seq, BAREPROF_INFO_STATE ": %s\n", state.on ? "on" : "off");
	seq_printf(seq, BAREPROF_INFO_SAMPLE_SOURCE ": %s\n", state.running ? sources[state.running] : "none");
	seq_printf(seq, BAREPROF_INFO_SAMPLE_RATE ": %u\n", state.rate);
	seq_printf(seq, BAREPROF_INFO_SAMPLE_CPUS ": %u\n", state.cpus);
	seq_printf(seq, BAREPROF_INFO_SAMPLE_SLOTS ": %u\n", 1u << CONFIG_BAREPROF_SAMPLE_SHIFT);
	seq_printf(seq, BAREPROF_INFO_INTERRUPTS ": %llu\n", state.interrupts);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(info);

static void make_files(struct dentry *dir)
{
	debugfs_create_file_unsafe(BAREPROF_DEBUGFS_SAMPLE_RATE, 0600, dir, NULL, &rate_file);
	debugfs_create_file_unsafe(BAREPROF_DEBUGFS_SAMPLE_ENABLE, 0600, dir, NULL, &enable_file);
	debugfs_create_file(BAREPROF_DEBUGFS_SAMPLE_SOURCE, 0600, dir, NULL, &source_file);
	debugfs_create_file(BAREPROF_DEBUGFS_CAPTURE, 0400, dir, NULL, &capture_file);
	debugfs_create_file(BAREPROF_DEBUGFS_RESET, 0200, dir, NULL, &reset_file);
	debugfs_create_file(BAREPROF_DEBUGFS_INFO, 0400, dir, NULL, &info_fops);
}

void bareprof_sampler_files(void)
{
	struct dentry *root = debugfs_lookup(BAREPROF_DEBUGFS_ROOT, NULL);
	struct dentry *kernel = debugfs_lookup(BAREPROF_KERNEL, root);

	make_files(debugfs_create_dir(BAREPROF_DEBUGFS_SAMPLE, kernel ?: debugfs_create_dir(BAREPROF_KERNEL, root)));
	dput(kernel);
	dput(root);
}
