/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loader.c - a program that loads and unloads modules while it profiles them. `loader DIR A B OTHER` loads the
 * modules A, B and OTHER; OTHER has another raw version. The program writes these files to DIR: all.N is the profile
 * of the whole set at step N. single.N.* is the profile of one module at step N. log has captures of two modules.
 */
#define _GNU_SOURCE
#include <bareprof/capture.h>
#include <bareprof/image_set.h>

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

#define SIZE   (1u << 18)
#define CANARY 0xa5

static struct bareprof_set set;
static struct bareprof_set_dump all, other_dump;
static struct bareprof_dump dump;
static uint8_t whole[SIZE], apart[SIZE], window[SIZE], kept[SIZE];
static const char *dir;
static int failed;

struct loaded {
	void *handle;
	struct bareprof_image image;
	struct bareprof_set_member member;
	int (*work)(int n);
};

static void check(int good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	failed |= !good;
}

static void die(const char *what, const char *why)
{
	printf("not ok - %s: %s\n", what, why);
	exit(1);
}

/* @p is a struct bareprof_image. Finds the build id note of the loaded file that has the sections of this image. */
static int find_note(struct dl_phdr_info *info, size_t size, void *p)
{
	struct bareprof_image *image = p;
	int mine = 0;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		mine |= info->dlpi_phdr[i].p_type == PT_LOAD &&
		        (uintptr_t)image->section[BAREPROF_CNTS].start - start < info->dlpi_phdr[i].p_memsz;
	}
	for (int i = 0; mine && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_NOTE &&
			!bareprof_build_id(image, (const void *)(info->dlpi_addr + ph->p_vaddr), (uint32_t)ph->p_memsz))
			return 1;
	}
	return 0;
}

static void load(struct loaded *l, const char *path)
{
	l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!l->handle)
		die(path, dlerror());
	const struct module *module = dlsym(l->handle, "module");

	l->work = module->work;
	memset(&l->image, 0xee, sizeof(l->image));
	for (int i = 0; i < BAREPROF_SECTIONS; i++) {
		l->image.section[i].start = module->bounds[i][0];
		l->image.section[i].size = (size_t)(module->bounds[i][1] - module->bounds[i][0]);
	}
	dl_iterate_phdr(find_note, &l->image);
	int error = bareprof_image_init(&l->image, module->version ? *module->version : 0);
	if (error || !l->image.section[BAREPROF_BUILD_ID].size)
		die(path, error ? bareprof_strerror(error) : "no build id");
}

static void unload(struct loaded *l, const char *path)
{
	dlclose(l->handle);
	check(!dlopen(path, RTLD_NOW | RTLD_NOLOAD), "a module is gone from memory");
	memset(&l->image, 0xee, sizeof(l->image));
}

static void save(const char *name, const void *data, size_t n)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(data, 1, n, f) != n || fclose(f))
		die(path, "cannot be written");
}

/* Writes the profile of one module to a file, and appends it to apart[]. */
static size_t single(size_t n, const struct loaded *l, const char *name)
{
	intptr_t size = bareprof_write(&dump, &l->image, apart + n, SIZE - n);

	if (size < 0)
		die(name, bareprof_strerror(size));
	save(name, apart + n, (size_t)size);
	n += (size_t)size;
	while (n % 8)
		apart[n++] = 0;
	return n;
}

/* Reads the set as a whole and in windows, and checks that the bytes are equal to the first @n bytes of apart[]. */
static void same(const char *name, size_t n)
{
	int good = !bareprof_set_open(&all, &set) && all.size == n;

	memset(whole, CANARY, SIZE);
	good = good && bareprof_set_read(&all, 0, whole, SIZE) == (intptr_t)n && !memcmp(whole, apart, n);
	check(good, "a set is the profiles of its members, one after the other");
	save(name, whole, n);
	for (size_t size = 1; good && size < 600; size += 1 + size / 16) {
		memset(window, CANARY, SIZE);
		/* Reads the windows from the last to the first, and then from the first to the last. */
		for (size_t at = (n - 1) / size * size; good; at -= size) {
			size_t want = n - at < size ? n - at : size;

			good = bareprof_set_read(&all, at, window + at, size) == (intptr_t)want;
			if (!at)
				break;
		}
		good = good && !memcmp(window, whole, n) && window[n] == CANARY;
		memset(window, CANARY, SIZE);
		for (size_t at = 0; good && at < n; at += size)
			good = bareprof_set_read(&all, at, window + at, size) > 0;
		good = good && !memcmp(window, whole, n) && window[n] == CANARY;
	}
	check(good && !bareprof_set_read(&all, n, window, 1) && !bareprof_set_read(&all, ~(size_t)0, window, 9),
		"a set is read in windows of any size, to its end");
}

static int stale(void)
{
	return bareprof_set_read(&all, 8, window, 8) == BAREPROF_E_STALE &&
	       bareprof_set_read(&all, 0, window, 0) == BAREPROF_E_STALE && !bareprof_set_open(&all, &set) &&
	       bareprof_set_read(&all, 8, window, 8) == 8;
}

static int to_file(void *context, const void *data, size_t n)
{
	return fwrite(data, 1, n, context) != n;
}

/*
 * Writes captures of all images among other lines: the first block of each image, then the second block of each
 * image, and so on.
 */
static void capture(const char *name)
{
	static struct bareprof_capture of[2];
	static uint8_t block[2][512];
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "wb");
	struct bareprof_set_member *member = set.first;
	for (int i = 0; i < 2; i++, member = member->next)
		if (!member || bareprof_capture_open(&of[i], member->image, 3, block[i], sizeof(block[i])))
			die(name, "does not open");
	for (uint32_t i = 0; i < of[0].blocks || i < of[1].blocks; i++)
		for (int j = 0; j < 2; j++) {
			intptr_t n = bareprof_block(&of[j], i, block[j], sizeof(block[j]));

			fprintf(f, "[%u] a line of the log\n", i);
			if (n > 0)
				bareprof_encode_text(block[j], (size_t)n, to_file, f);
		}
	if (fclose(f))
		die(path, "cannot be written");
}

static void refusals(struct loaded *a, const char *path)
{
	static struct loaded other;
	size_t changes = set.changes;

	memset(kept, CANARY, SIZE);
	check(bareprof_write(&dump, &a->image, window, SIZE) > 0 &&
			bareprof_set_retain(&set, &a->member, &dump, kept, dump.size - 1) == BAREPROF_E_NO_SPACE &&
			kept[0] == CANARY && set.changes == changes && a->member.image == &a->image,
		"what does not fit is not retained, and the set is what it was");
	load(&other, path);
	bareprof_set_add(&set, &other.member, &other.image);
	check(bareprof_set_open(&all, &set) == BAREPROF_E_MIXED && all.at == &other.member,
		"two raw versions are no file, and which member it is, is said");
	other.member.version = set.first->version;
	other.image.records = 0;
	check(bareprof_set_open(&all, &set) == BAREPROF_E_NO_RECORDS && all.at == &other.member,
		"nor is a member without records left out");
	bareprof_set_remove(&set, &other.member);
	dlclose(other.handle);
}

int main(int argc, char **argv)
{
	static struct loaded a, b, again;

	if (argc < 5)
		return 2;
	dir = argv[1];
	check(bareprof_set_open(&all, &set) == BAREPROF_E_NO_RECORDS, "a set of nothing is no file");
	load(&a, argv[2]);
	load(&b, argv[3]);
	bareprof_set_add(&set, &a.member, &a.image);
	bareprof_set_add(&set, &b.member, &b.image);
	a.work(5);
	b.work(7);
	same("all.1", single(single(0, &a, "single.1.a"), &b, "single.1.b"));
	capture("log");
	refusals(&a, argv[4]);

	/*
	 * Each change of the set or of an image makes open dumps stale. The opening of a dump does not make another
	 * dump stale.
	 */
	bareprof_set_open(&all, &set);
	bareprof_set_open(&other_dump, &set);
	check(bareprof_set_read(&all, 0, window, 8) == 8 && bareprof_set_read(&other_dump, 8, window, 8) == 8,
		"two dumps of a set are open");
	bareprof_set_remove(&set, &b.member);
	check(stale(), "stale: a member was removed");
	bareprof_set_add(&set, &b.member, &b.image);
	check(stale(), "stale: a member was added");
	check(b.image.number != a.image.number && b.image.number == 3, "no number comes twice");
	bareprof_reset(&b.image);
	check(stale(), "stale: a member was reset");
	bareprof_reset(&b.image);
	bareprof_set_open(&all, &set);
	bareprof_set_remove(&set, &b.member);
	bareprof_set_add(&set, &b.member, &b.image);
	b.image.generation--;
	check(stale(), "stale: a change does not make up for a reset");
	b.work(7);

	/* One module is unloaded. */
	size_t n = single(single(0, &a, "single.2.a"), &b, "single.2.b");
	intptr_t used = bareprof_set_retain(&set, &a.member, &dump, kept, SIZE);
	check(used > 0 && !memcmp(kept, apart, (size_t)used), "what is retained is the profile");
	check(stale(), "stale: a member was retained");
	unload(&a, argv[2]);
	same("all.2", n);

	/* The module is loaded again. Meanwhile, the other module has continued to count. */
	load(&again, argv[2]);
	bareprof_set_add(&set, &again.member, &again.image);
	check(again.image.number == 5, "a module that comes back has another number");
	b.work(9);
	again.work(11);
	n = (size_t)used;
	while (n % 8)
		apart[n++] = 0;
	save("single.3.kept", kept, (size_t)used);
	same("all.3", single(single(n, &b, "single.3.b"), &again, "single.3.a"));

	bareprof_set_remove(&set, &a.member);
	memset(kept, CANARY, SIZE);
	same("all.4", single(single(0, &b, "single.4.b"), &again, "single.4.a"));
	return failed;
}
