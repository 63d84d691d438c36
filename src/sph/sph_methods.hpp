// SPDX-License-Identifier: Apache-2.0
// The method table of the sph operation. A method is one file in methods/ and one row in sph_methods.cpp.
#pragma once
#include <memory>

#include "core/method_table.hpp"
#include "sph/stepper.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
using MakeStepper = std::unique_ptr<Stepper<Real, dimensions>> (*)(const Queue&, const Parameters<Real, dimensions>&,
                                                                   HostState<Real, dimensions>);

struct Method : MethodRow {
  MakeStepper<float, 2> make_float_2d;
  MakeStepper<float, 3> make_float_3d;
  MakeStepper<double, 2> make_double_2d;
  MakeStepper<double, 3> make_double_3d;

  template <class Real, int dimensions>
  MakeStepper<Real, dimensions> make() const {
    if constexpr (std::is_same_v<Real, float>) {
      if constexpr (dimensions == 2)
        return make_float_2d;
      else
        return make_float_3d;
    } else {
      if constexpr (dimensions == 2)
        return make_double_2d;
      else
        return make_double_3d;
    }
  }
};

extern const Method serial;
extern const Method list;
#ifdef SHOAL_CUDA
extern const Method rows_cuda;
#endif

/// The table, best first for each device.
std::span<const Method> sph_rows();
std::vector<MethodInfo> sph_methods();

}  // namespace shoal::sph
