// SPDX-License-Identifier: Apache-2.0
#pragma once

/// For the physics of one item, compiled for host and device. Always inlined on the host, so that it takes on the
/// instruction set of the loop that calls it.
#ifdef __CUDACC__
#define SHOAL_HD __host__ __device__ __forceinline__
#else
#define SHOAL_HD [[gnu::always_inline]] inline
#endif

/// Before a template for host and device that calls what it is given, which may be for one of them: nvcc need not warn.
#ifdef __CUDACC__
#define SHOAL_CALLS_ARGUMENT _Pragma("nv_exec_check_disable")
#else
#define SHOAL_CALLS_ARGUMENT
#endif
