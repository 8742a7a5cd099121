/* SPDX-License-Identifier: BSD-2-Clause */
/* kdump_header.c - does not compile if kdump_library.h declares something else than the header of libkdumpfile. */
#include "kdump_library.h"
#include <libkdumpfile/kdumpfile.h>

#define SAME(a, b)      _Static_assert((int)(a) == (int)(b), #a)
#define SAME_SIZE(a, b) _Static_assert(sizeof(a) == sizeof(b), #a)

_Static_assert(KDUMPFILE_VER_MAJOR == 0 && KDUMPFILE_VER_MINOR == 5, "another version");
SAME(KDUMP_LIBRARY_OK, KDUMP_OK);
SAME(KDUMP_LIBRARY_SYSTEM, KDUMP_ERR_SYSTEM);
SAME(KDUMP_LIBRARY_NO_DATA, KDUMP_ERR_NODATA);
SAME(KDUMP_LIBRARY_MACHINE, KDUMP_MACHPHYSADDR);
SAME(KDUMP_LIBRARY_VIRTUAL, KDUMP_KVADDR);
SAME(KDUMP_LIBRARY_NUMBER, KDUMP_NUMBER);
SAME(KDUMP_LIBRARY_BITMAP, KDUMP_BITMAP);
SAME(KDUMP_LIBRARY_MAP_NEVER, KDUMP_MMAP_NEVER);
SAME_SIZE(struct kdump_library_attribute, kdump_attr_t);
_Static_assert(offsetof(struct kdump_library_attribute, value) == offsetof(kdump_attr_t, val), "value");
SAME_SIZE(uint_fast64_t, kdump_addr_t);
SAME_SIZE(int, kdump_addrspace_t);
SAME_SIZE(unsigned int, kdump_status);

/* These definitions do not compile if the header has other arguments. */
kdump_ctx_t *kdump_new(void);
void kdump_free(kdump_ctx_t *dump);
kdump_status kdump_open_fdset(kdump_ctx_t *dump, unsigned int count, const int *fds);
kdump_status kdump_read(kdump_ctx_t *dump, kdump_addrspace_t space, kdump_addr_t address, void *to, size_t *size);
kdump_status kdump_set_attr(kdump_ctx_t *dump, const char *key, const kdump_attr_t *attribute);
kdump_status kdump_get_typed_attr(kdump_ctx_t *dump, const char *key, kdump_attr_t *attribute);
kdump_status kdump_bmp_get_bits(kdump_bmp_t *bitmap, kdump_addr_t first, kdump_addr_t last, unsigned char *bits);
const char *kdump_get_err(kdump_ctx_t *dump);
