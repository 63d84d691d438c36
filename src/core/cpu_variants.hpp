// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Attribute of a function with the loops of a CPU method. The function is compiled for plain x86-64, for AVX2 + FMA and
/// for AVX-512; the program selects one when it starts. Multiplications and additions are never contracted, so all
/// variants give the same bits.
/// Exceptions must not leave such a function: core/first_exception.hpp carries them out.
/// Builds with sanitizers use plain x86-64, because their runtime may start after the selection.
#if defined(__x86_64__) && defined(__linux__) && !defined(__CUDACC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SHOAL_CPU_VARIANTS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SHOAL_CPU_VARIANTS
#endif
