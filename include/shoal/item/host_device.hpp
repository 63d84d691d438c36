// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Attributes of a function that computes one item on host and device. The host always inlines it, so it uses the
/// instruction set of the calling loop.
#ifdef __CUDACC__
#define SHOAL_HD __host__ __device__ __forceinline__
#else
#define SHOAL_HD [[gnu::always_inline]] inline
#endif

/// Suppresses nvcc's warning for a host and device template that calls its argument, which may be for one of them only.
#ifdef __CUDACC__
#define SHOAL_CALLS_ARGUMENT _Pragma("nv_exec_check_disable")
#else
#define SHOAL_CALLS_ARGUMENT
#endif
