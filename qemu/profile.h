/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - includes bareprof's interface. If the image is built from the drop-in files (qemu.mk,
 * DROPIN), the drop-in's headers are included. Otherwise the headers of this tree are included.
 */
#ifndef PROFILE_H
#define PROFILE_H

#if __has_include("bareprof.h")
#include "bareprof.h"
#else
#include <bareprof/capture.h>
#include <bareprof/mip.h>
#include <bareprof/sample.h>
#include <bareprof/values.h>
#endif

#endif
