/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first.c - the first source of an image for tests/images/linker/test.sh. It has the entry point, and a function that
 * no code calls.
 */
struct bareprof_image;
int bareprof_image_self(struct bareprof_image *image) __attribute__((visibility("hidden")));
int second(int x);
int third(int x);
void entry(void);
int first_unused(int x);
int first_dropped(int x);

int initialised = 3;
static int cleared[8];
static const int table[4] = {1, 2, 3, 4};

static int choose(int x)
{
	return x > 3 ? table[x & 3] : x;
}

int first_unused(int x)
{
	return x ? 1 : 2;
}

/*
 * This function has no counters, so no record refers to it, and no code calls it. The test looks for it in the image,
 * to find out whether the linker dropped unused code.
 */
__attribute__((no_profile_instrument_function)) int first_dropped(int x)
{
	return x + 1;
}

void entry(void)
{
	cleared[0] = choose(initialised) + second(initialised) + third(initialised);
	initialised = bareprof_image_self((struct bareprof_image *)cleared) + cleared[0];
}
