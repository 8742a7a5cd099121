/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim.h - what the compression code of Linux needs from other headers of Linux. sources.sh writes headers with the
 * names of Linux, which only include this file. So the code compiles as a small program without Linux.
 */
#ifndef BODY_SHIM_H
#define BODY_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8, __u8;
typedef uint16_t u16, __u16, __le16;
typedef uint32_t u32, __u32, __le32;
typedef uint64_t u64, __u64, __le64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef long ssize_t;
typedef unsigned long ulong;

#if __SIZEOF_POINTER__ == 8
#define CONFIG_64BIT  1
#define BITS_PER_LONG 64
#else
#define BITS_PER_LONG 32
#endif
#ifndef __LITTLE_ENDIAN
#define __LITTLE_ENDIAN 1234
#endif

#define INT_MAX                                __INT_MAX__
#define UINT_MAX                               (__INT_MAX__ * 2U + 1)
#define IS_ENABLED(option)                     option
#define CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS 1
#define __always_inline                        inline __attribute__((always_inline))
#define __maybe_unused                         __attribute__((unused))
#define __init
#define __force
#define noinline    __attribute__((noinline))
#define fallthrough __attribute__((fallthrough))
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define static_assert _Static_assert
#define ARRAY_SIZE(a)         (sizeof(a) / sizeof((a)[0]))
#define EXPORT_SYMBOL(x)      struct body_no_module
#define EXPORT_SYMBOL_GPL(x)  struct body_no_module
#define MODULE_LICENSE(x)     struct body_no_module
#define MODULE_DESCRIPTION(x) struct body_no_module
#define MODULE_VERSION(x)     struct body_no_module
#define MODULE_AUTHOR(x)      struct body_no_module
#define WARN_ON(x)            (!!(x))
#define BUG_ON(x)             ((x) ? __builtin_trap() : (void)0)
#define BUILD_BUG_ON(x)       ((void)sizeof(char[1 - 2 * !!(x)]))
#define __ffs(x)              ((unsigned long)__builtin_ctzl(x))
#define __ffs64(x)            ((unsigned long)__builtin_ctzll(x))
#define pr_debug(...)         ((void)0)
#define EINVAL                22
#define ENOMEM                12
#define GFP_KERNEL            0
#define PAGE_SIZE             4096
#define min(a, b)             ((a) < (b) ? (a) : (b))
#define max(a, b)             ((a) > (b) ? (a) : (b))
#define min_t(type, a, b)     ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b)     ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define swab32(x)             __builtin_bswap32(x)
#define swab64(x)             __builtin_bswap64(x)
#define div_u64(a, b)         ((u64)(a) / (u32)(b))
#define PTR_ALIGN(p, a)       ((__typeof__(p))(((uintptr_t)(p) + (a)-1) & ~(uintptr_t)((a)-1)))

#define get_unaligned(p)                                                                                               \
	(((const struct { __typeof__(*(p)) x; } __attribute__((packed, may_alias)) *)(const void *)(p))->x)
#define put_unaligned(v, p)                                                                                            \
	((void)(((struct { __typeof__(*(p)) x; } __attribute__((packed, may_alias)) *)(void *)(p))->x = (v)))
#define get_unaligned_le16(p)    get_unaligned((const u16 *)(p))
#define get_unaligned_le32(p)    get_unaligned((const u32 *)(p))
#define get_unaligned_le64(p)    get_unaligned((const u64 *)(p))
#define get_unaligned_be32(p)    swab32(get_unaligned((const u32 *)(p)))
#define put_unaligned_le16(v, p) put_unaligned((u16)(v), (u16 *)(p))
#define put_unaligned_le32(v, p) put_unaligned((u32)(v), (u32 *)(p))
#define put_unaligned_le64(v, p) put_unaligned((u64)(v), (u64 *)(p))
#define put_unaligned_be32(v, p) put_unaligned(swab32((u32)(v)), (u32 *)(p))
#define put_unaligned_be64(v, p) put_unaligned(swab64((u64)(v)), (u64 *)(p))
#define get_unaligned_be64(p)    swab64(get_unaligned((const u64 *)(p)))
#define le32_to_cpup(p)          (*(const u32 *)(p))
#define le16_to_cpu(x)           (x)
#define le32_to_cpu(x)           (x)
#define le64_to_cpu(x)           (x)
#define cpu_to_le16(x)           (x)
#define cpu_to_le32(x)           (x)
#define cpu_to_le64(x)           (x)

static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline u32 bitrev32(u32 x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return swab32(x);
}

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *body_allocate(size_t n);

#define kmalloc(n, flags) body_allocate(n)
#define vmalloc(n)        body_allocate(n)
#define kfree(p)          ((void)(p))
#define vfree(p)          ((void)(p))
u32 crc32_le(u32 crc, const unsigned char *p, size_t n);

#endif
