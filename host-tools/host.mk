# SPDX-License-Identifier: BSD-2-Clause
# The host program `bareprof`: libelf (elfutils) and zlib are all it needs.

HOST_CFLAGS = -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Wmissing-prototypes -Werror -Iinclude $(CFLAGS)
HOST_LIBS := $(shell pkg-config --libs libelf zlib 2>/dev/null || echo -lelf -lz)

HOST_SOURCES := $(wildcard host-tools/*.c)
HOST_OBJECTS := $(HOST_SOURCES:host-tools/%.c=$(BUILD)/host/%.o) $(BUILD)/host/crc32c.o

$(BUILD)/bareprof: $(HOST_OBJECTS)
	$(CC) $(HOST_CFLAGS) $(LDFLAGS) -o $@ $^ $(HOST_LIBS)

$(BUILD)/host/%.o: host-tools/%.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

# The same checksum as on the target, compiled as host code.
$(BUILD)/host/crc32c.o: runtime/crc32c.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

-include $(HOST_OBJECTS:.o=.d)
