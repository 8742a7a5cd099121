/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - the same application where compiler-rt writes its profile. */
#include "app.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
	return argc != 2 || !application((unsigned int)atoi(argv[1]));
}
