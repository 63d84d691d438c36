// SPDX-License-Identifier: Apache-2.0
#pragma once

/// For the physics of one item, compiled for host and device. Always inlined on the host, so that it takes on the
/// instruction set of the loop that calls it.
#ifdef __CUDACC__
#define SHOAL_HD __host__ __device__ __forceinline__
#else
#define SHOAL_HD [[gnu::always_inline]] inline
#endif
