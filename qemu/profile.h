/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - includes bareprof's interface. If the image is built from the drop-in files (qemu.mk,
 * DROPIN), the interface comes from these files, otherwise from this tree.
 */
#ifndef PROFILE_H
#define PROFILE_H

#if __has_include("bareprof.h")
#include "bareprof.h"
#else
#include <bareprof/capture.h>
#include <bareprof/values.h>
#endif

#endif
