/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - runs the application of app.c as a Linux program, for which compiler-rt writes the profile. */
#include "app.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
	return argc != 2 || !application((unsigned int)atoi(argv[1]));
}
