# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=../tests/images/vtables selects this file. It builds the demo kernel with C++ code that contains the self test
# "work".

CONFIG_SOURCES := tests/images/vtables/test_work.cc
CONFIG_SOURCES_CFLAGS = $(IMAGE_CFLAGS)
CONFIG_CFLAGS := -DDEMO_WORK
