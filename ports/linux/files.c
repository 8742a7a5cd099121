// SPDX-License-Identifier: BSD-2-Clause
/*
 * files.c - the files of a profile in debugfs: the raw profile, a capture, and reset.
 *
 * Each open file has a dump of its own and passes this dump to the user in windows. So no buffer is
 * as large as the profile, and no lock is held for long. A reset, or a module that is loaded or
 * unloaded, makes the dump stale. Reading the next window then fails with ESTALE.
 */
#define pr_fmt(fmt) "bareprof: " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "debugfs_names.h"
#include "files.h"

/* The size of a window in bytes. A capture with values needs space for two blocks of the maximum size. */
#define WINDOW (2 * BAREPROF_BUFFER_MAX)

struct reader {
	struct profile *profile;
	struct mutex lock; /* protects the fields below; must be locked before bareprof_lock */
	struct bareprof_set_dump dump;
	/* The following fields are for the file "capture", which contains one capture for each member of the set. */
	struct bareprof_capture capture;
	struct bareprof_dump whole; /* used if the capture contains the whole .profraw, not only counters */
	const struct bareprof_set_member *member; /* the current member; NULL before the first and after the last */
	bool begun;
	unsigned int machine_changes; /* the machine profile follows the last member */
	bool machine_begun;
	u32 block; /* number of the next block */
	char *at; /* the remaining bytes of the last block, which are still to be read */
	size_t left;
	char window[WINDOW] __aligned(8);
};

static struct reader *new_reader(struct inode *inode)
{
	struct reader *reader = kvzalloc(sizeof(*reader), GFP_KERNEL);

	if (reader) {
		mutex_init(&reader->lock);
		reader->profile = inode->i_private;
	}
	return reader;
}

/*
 * Opens "profraw", or "capture" if @machine_too is true. Does not set the size of the file, because the size of a
 * capture is not known in advance.
 */
static int reader_open(struct inode *inode, struct file *file, bool machine_too)
{
	struct reader *reader = new_reader(inode);
	struct profile *profile = inode->i_private;
	int error;

	if (!reader)
		return -ENOMEM;
	mutex_lock(&bareprof_lock);
	error = profile->instance && profile->error ? bareprof_errno(profile->error) : 0;
	if (!error && !profile->set.first && (!machine_too || !profile->machine))
		error = -ENODATA;
	if (!error)
		error = bareprof_begin_reading(profile);
	if (!error) {
		reader->machine_changes = profile->machine_changes;
		reader->dump.changes = profile->set.changes;
		if (profile->set.first)
			error = bareprof_errno(bareprof_set_open(&reader->dump, &profile->set));
		if (error)
			bareprof_end_reading(profile);
		else
			kref_get(&profile->ref);
	}
	mutex_unlock(&bareprof_lock);
	if (error)
		kvfree(reader);
	else
		file->private_data = reader;
	return error;
}

static int reader_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	mutex_lock(&bareprof_lock);
	bareprof_end_reading(reader->profile);
	mutex_unlock(&bareprof_lock);
	bareprof_put_profile(reader->profile);
	kvfree(reader);
	return 0;
}

/* Copies at most one window of the raw profile to the user. The caller holds the reader's lock. */
static ssize_t profraw_window(struct reader *reader, char __user *buf, size_t n, loff_t offset)
{
	intptr_t got;

	mutex_lock(&bareprof_lock);
	got = bareprof_set_read(&reader->dump, offset, reader->window, min_t(size_t, n, WINDOW));
	mutex_unlock(&bareprof_lock);
	if (got < 0)
		return bareprof_errno(got);
	return copy_to_user(buf, reader->window, got) ? -EFAULT : got;
}

static ssize_t profraw_read(struct file *file, char __user *buf, size_t n, loff_t *offset)
{
	struct reader *reader = file->private_data;
	ssize_t done = 0;
	ssize_t got;

	mutex_lock(&reader->lock);
	do {
		got = profraw_window(reader, buf + done, n - done, *offset + done);
		if (got > 0)
			done += got;
	} while (got > 0 && done < n && !signal_pending(current));
	mutex_unlock(&reader->lock);
	if (!done)
		return got;
	*offset += done;
	return done;
}

static int profraw_open(struct inode *inode, struct file *file)
{
	return reader_open(inode, file, false);
}

static loff_t profraw_seek(struct file *file, loff_t offset, int whence)
{
	const struct reader *reader = file->private_data;

	return fixed_size_llseek(file, offset, whence, reader->dump.size);
}

static const struct file_operations profraw_file = {
	.owner = THIS_MODULE,
	.open = profraw_open,
	.release = reader_release,
	.read = profraw_read,
	.llseek = profraw_seek,
};

/*
 * Opens a capture of @image. If the image has no value sites, the capture contains only the counters. If the kernel has
 * value sites, the capture contains the counters and the values. If a module has value sites, the capture contains the
 * whole .profraw, for the following reason. The values of indirect calls are addresses, which the host looks up in the
 * records. For the kernel, the host uses the records of the ELF file, because all sections of the kernel move by the
 * same distance. But the sections of a module move independently, so the capture must contain the records.
 */
static int open_capture(struct reader *reader, const struct bareprof_image *image)
{
	int error;

	if (!image->value_sites)
		return bareprof_capture_open(&reader->capture, image, bareprof_boot, reader->window, WINDOW);
	if (!strcmp(reader->profile->name, BAREPROF_KERNEL))
		return bareprof_capture_values(&reader->capture, image, bareprof_boot, reader->window, WINDOW);
	error = bareprof_open(&reader->whole, image);
	if (error)
		return error;
	return bareprof_capture_profraw(&reader->capture, &reader->whole, bareprof_boot, reader->window, WINDOW);
}

static int open_machine_capture(struct reader *reader)
{
	reader->machine_begun = true;
	return bareprof_capture_open(
		&reader->capture, &reader->profile->machine->image, bareprof_boot, reader->window, WINDOW);
}

/*
 * Continues with the next member, whose capture begins with the magic number of a capture file. The machine profile is
 * the last one.
 */
static int next_member(struct reader *reader)
{
	static const u8 magic[] = BAREPROF_FILE_MAGIC;
	int error;

	if (!reader->begun)
		reader->member = reader->profile->set.first;
	else if (reader->member)
		reader->member = reader->member->next;
	reader->begun = true;
	if (reader->member)
		error = open_capture(reader, reader->member->image);
	else if (!reader->machine_begun && reader->profile->machine)
		error = open_machine_capture(reader);
	else
		return 0;
	if (error)
		return bareprof_errno(error);
	memcpy(reader->window, magic, BAREPROF_FILE_MAGIC_SIZE);
	reader->block = 0;
	reader->at = reader->window;
	reader->left = BAREPROF_FILE_MAGIC_SIZE;
	return 0;
}

/* Puts the next bytes of the capture into the window. Does nothing after the end of the last member. */
static int next_block(struct reader *reader)
{
	intptr_t n;

	if (reader->dump.changes != reader->profile->set.changes ||
		reader->machine_changes != reader->profile->machine_changes)
		return -ESTALE;
	if (!(reader->member || reader->machine_begun) || reader->block == reader->capture.blocks)
		return next_member(reader);
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
	int error;

	if (!reader->left) {
		mutex_lock(&bareprof_lock);
		error = next_block(reader);
		mutex_unlock(&bareprof_lock);
		if (error)
			return error;
	}
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

static int capture_open(struct inode *inode, struct file *file)
{
	return reader_open(inode, file, true) ?: stream_open(inode, file);
}

static const struct file_operations capture_file = {
	.owner = THIS_MODULE,
	.open = capture_open,
	.release = reader_release,
	.read = capture_read,
};

static ssize_t reset_write(struct file *file, const char __user *buf, size_t n, loff_t *offset)
{
	struct profile *profile = file_inode(file)->i_private;

	mutex_lock(&bareprof_lock);
	bareprof_reset_profile(profile);
	mutex_unlock(&bareprof_lock);
	return n;
}

static const struct file_operations reset_file = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.write = reset_write,
};

static struct dentry *root;

static struct dentry *make_files(struct profile *profile)
{
	struct dentry *dir = debugfs_create_dir(profile->name, root);

	debugfs_create_file(BAREPROF_DEBUGFS_PROFRAW, 0400, dir, profile, &profraw_file);
	debugfs_create_file(BAREPROF_DEBUGFS_MIPRAW, 0400, dir, profile, &bareprof_mipraw_file);
	debugfs_create_file(BAREPROF_DEBUGFS_CAPTURE, 0400, dir, profile, &capture_file);
	debugfs_create_file(BAREPROF_DEBUGFS_RESET, 0200, dir, profile, &reset_file);
	debugfs_create_file(BAREPROF_DEBUGFS_INFO, 0400, dir, profile, &bareprof_info_file);
	return dir;
}

const struct profile_files bareprof_files = {.make = make_files, .remove = debugfs_remove_recursive};

int bareprof_files_start(void)
{
	root = debugfs_create_dir(BAREPROF_DEBUGFS_ROOT, NULL);
	if (IS_ERR(root)) {
		pr_err("debugfs is not available, so profiles cannot be read: set CONFIG_DEBUG_FS_ALLOW_ALL, and remove debugfs=off from the kernel command line\n");
		return PTR_ERR(root);
	}
	return 0;
}

void bareprof_files_stop(void)
{
	debugfs_remove_recursive(root);
}
