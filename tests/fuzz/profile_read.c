/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_read.c - fuzzes inputs of any format, mostly captures and logs with dumps.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_profile(profile_read, (struct bytes){data, size});
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	return change_blocks(data, size, most, seed);
}
