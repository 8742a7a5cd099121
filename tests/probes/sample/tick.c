/* SPDX-License-Identifier: BSD-2-Clause */
/* tick.c - counts the calls of tick() for truth.py, and prints the counts when the program ends. */
#include "body.h"

#define TICKS_MAX 4096

int program(void);
extern const int ticks;

static unsigned int counts[TICKS_MAX];
static unsigned int state = 1;

void tick(int number)
{
	counts[number]++;
}

/* A number that the compiler cannot know. */
int tock(int number)
{
	state = state * 1103515245 + 12345 + (unsigned int)number;
	return (int)(state >> 16);
}

int body_main(void)
{
	int i;
	int k;

	program();
	for (i = 0; i < ticks; i++) {
		char line[9];

		for (k = 0; k < 8; k++)
			line[k] = "0123456789abcdef"[counts[i] >> (28 - 4 * k) & 15];
		line[8] = '\n';
		body_write(1, line, sizeof(line));
	}
	return 0;
}
