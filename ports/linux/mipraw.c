// SPDX-License-Identifier: BSD-2-Clause
/*
 * mipraw.c - the file "mipraw" in debugfs: the raw machine profile. An open file has a copy of the machine profile,
 * from the time when the file was opened. The copy is small: a byte, or 8 bytes, for each function.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "files.h"

struct copy {
	size_t size;
	u8 bytes[];
};

/* Copies the machine profile. Returns an ERR_PTR() on failure. */
static struct copy *make_copy(const struct bareprof_image *image)
{
	struct bareprof_dump dump;
	struct copy *copy;

	bareprof_mip_open(&dump, image);
	copy = kvmalloc(struct_size(copy, bytes, dump.size), GFP_KERNEL);
	if (!copy)
		return ERR_PTR(-ENOMEM);
	copy->size = bareprof_read(&dump, 0, copy->bytes, dump.size);
	return copy;
}

static int mipraw_open(struct inode *inode, struct file *file)
{
	struct profile *profile = inode->i_private;
	struct copy *copy = ERR_PTR(-ENODATA);

	mutex_lock(&bareprof_lock);
	if (profile->machine)
		copy = make_copy(&profile->machine->image);
	mutex_unlock(&bareprof_lock);
	file->private_data = copy;
	return PTR_ERR_OR_ZERO(copy);
}

static int mipraw_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static ssize_t mipraw_read(struct file *file, char __user *buf, size_t n, loff_t *offset)
{
	const struct copy *copy = file->private_data;

	return simple_read_from_buffer(buf, n, offset, copy->bytes, copy->size);
}

static loff_t mipraw_seek(struct file *file, loff_t offset, int whence)
{
	const struct copy *copy = file->private_data;

	return fixed_size_llseek(file, offset, whence, copy->size);
}

const struct file_operations bareprof_mipraw_file = {
	.owner = THIS_MODULE,
	.open = mipraw_open,
	.release = mipraw_release,
	.read = mipraw_read,
	.llseek = mipraw_seek,
};
