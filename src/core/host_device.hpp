// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

/// For the loops of a CPU method: compiled for plain x86-64, for AVX2 + FMA and for AVX-512, chosen when the program
/// starts. Multiplies and adds are never contracted, so all variants give the same bits.
/// Exceptions must not leave such a function: see core/first_exception.hpp.
/// Sanitizers run before ifunc resolvers may, so their builds take the plain variant.
#if defined(__x86_64__) && defined(__linux__) && !defined(__CUDACC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SHOAL_CPU_VARIANTS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SHOAL_CPU_VARIANTS
#endif
