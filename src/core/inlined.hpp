// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Attribute of a lambda that functions of items call: [&](int i) SHOAL_INLINED { ... }. Without it the compiler may call
/// the lambda, compiled for plain x86-64, from a loop with SHOAL_CPU_VARIANTS.
#ifdef __CUDACC__
#define SHOAL_INLINED
#else
#define SHOAL_INLINED __attribute__((always_inline))
#endif
