/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - the application of app.c as a program whose profile compiler-rt writes. */
#include "app.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
	return argc != 2 || !application((unsigned int)atoi(argv[1]));
}
