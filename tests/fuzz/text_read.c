/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_read.c - fuzzes text profiles.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_profile(read_text_profile, (struct bytes){data, size});
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	return change_lines(data, size, most, seed);
}
