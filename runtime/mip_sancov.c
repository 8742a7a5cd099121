/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_sancov.c - the functions that constructors call in code of clang's -fsanitize-coverage. They have nothing to do,
 * because linker symbols show where the block bytes are, and because the table of blocks stays in the ELF file.
 */
#include <bareprof/mip.h>

#if BAREPROF_SERVES_BLOCKS
void __sanitizer_cov_8bit_counters_init(const void *start, const void *stop);
void __sanitizer_cov_bool_flag_init(const void *start, const void *stop);
void __sanitizer_cov_pcs_init(const void *start, const void *stop);

void __sanitizer_cov_8bit_counters_init(const void *start, const void *stop)
{
	(void)start;
	(void)stop;
}

void __sanitizer_cov_bool_flag_init(const void *start, const void *stop)
{
	(void)start;
	(void)stop;
}

void __sanitizer_cov_pcs_init(const void *start, const void *stop)
{
	(void)start;
	(void)stop;
}
#endif
