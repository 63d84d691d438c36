// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cufft.h>
#include <shoal/array.hpp>

#include <cstddef>

#include "core/text.hpp"

namespace shoal::collision {

/// cuFFT's types and functions for float or double.
template <class Real>
struct Cufft;

#define SHOAL_CUFFT_FUNCTIONS(Real, ComplexType, both, forward, back)                 \
  template <>                                                                         \
  struct Cufft<Real> {                                                                \
    using Complex = ComplexType;                                                      \
    static constexpr cufftType complex_type = CUFFT_##both;                           \
    static constexpr cufftType to_spectrum_type = CUFFT_##forward;                    \
    static constexpr cufftType from_spectrum_type = CUFFT_##back;                     \
    static cufftResult inverse(cufftHandle plan, Complex* values) {                   \
      return cufftExec##both(plan, values, values, CUFFT_INVERSE);                    \
    }                                                                                 \
    static cufftResult to_spectrum(cufftHandle plan, Real* values, Complex* half) {   \
      return cufftExec##forward(plan, values, half);                                  \
    }                                                                                 \
    static cufftResult from_spectrum(cufftHandle plan, Complex* half, Real* values) { \
      return cufftExec##back(plan, half, values);                                     \
    }                                                                                 \
  };
SHOAL_CUFFT_FUNCTIONS(float, cufftComplex, C2C, R2C, C2R)
SHOAL_CUFFT_FUNCTIONS(double, cufftDoubleComplex, Z2Z, D2Z, Z2D)
#undef SHOAL_CUFFT_FUNCTIONS

/// @param call  function or transform, for the message
inline void cufft_check(cufftResult result, const char* call) {
  require(result == CUFFT_SUCCESS, "cufft: ", call, " failed with error ", static_cast<int>(result), ".");
}

/// Plan for unscaled transforms of several n³ arrays that follow each other, in the order of a queue. The plan owns its
/// work area, which comes from the queue's memory pool.
class CufftPlan {
 public:
  CufftPlan(const Queue& queue, int n, cufftType type, int batch) : work_(queue, 0) {
    cufft_check(cufftCreate(&plan_), "cufftCreate");
    try {
      make(queue, n, type, batch);
    } catch (...) {
      cufftDestroy(plan_);
      throw;
    }
  }
  ~CufftPlan() { cufftDestroy(plan_); }
  CufftPlan(const CufftPlan&) = delete;

  cufftHandle handle() const { return plan_; }

 private:
  void make(const Queue& queue, int n, cufftType type, int batch) {
    cufft_check(cufftSetStream(plan_, static_cast<cudaStream_t>(queue.stream())), "cufftSetStream");
    cufft_check(cufftSetAutoAllocation(plan_, 0), "cufftSetAutoAllocation");
    int lengths[3] = {n, n, n};
    std::size_t bytes = 0;
    cufft_check(cufftMakePlanMany(plan_, 3, lengths, nullptr, 1, 0, nullptr, 1, 0, type, batch, &bytes),
                "cufftMakePlanMany");
    work_.resize(static_cast<std::int64_t>(bytes));
    cufft_check(cufftSetWorkArea(plan_, work_.data()), "cufftSetWorkArea");
  }

  Array<std::byte> work_;
  cufftHandle plan_ = 0;
};

}  // namespace shoal::collision
