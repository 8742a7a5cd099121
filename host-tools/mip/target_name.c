/* SPDX-License-Identifier: BSD-2-Clause */
/* target_name.c - recognizes names of processors in names of targets and tools. */
#include "target_name.h"

enum rewrite_target target_of_name(const char *name)
{
	if (strstr(name, "aarch64_be") || strstr(name, "armeb") || strstr(name, "thumbeb"))
		return REWRITE_BIG_ENDIAN;
	if (strstr(name, "aarch64") || strstr(name, "arm64"))
		return REWRITE_AARCH64;
	if (strstr(name, "x86_64") || strstr(name, "amd64"))
		return REWRITE_X86_64;
	if (strstr(name, "arm-") || strstr(name, "armv") || strstr(name, "thumb"))
		return REWRITE_ARM;
	return REWRITE_ANY;
}

enum rewrite_target target_of_host(void)
{
#if defined(__x86_64__)
	return REWRITE_X86_64;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
	return REWRITE_AARCH64;
#else
	return REWRITE_ANY;
#endif
}
