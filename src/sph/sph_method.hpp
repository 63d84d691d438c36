// SPDX-License-Identifier: Apache-2.0
// The method table of the sph operation. A method is one file in methods/ and one entry in sph_methods.cpp.
#pragma once
#include <memory>
#include <tuple>

#include "core/method_table.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
using MakeStepper = std::unique_ptr<Stepper<Real, dimensions>> (*)(const Queue&, Setup<Real, dimensions>&&);

struct Method : MethodEntry {
  std::tuple<MakeStepper<float, 1>, MakeStepper<float, 2>, MakeStepper<float, 3>, MakeStepper<double, 1>,
             MakeStepper<double, 2>, MakeStepper<double, 3>>
      makers;

  template <class Real, int dimensions>
  MakeStepper<Real, dimensions> make() const {
    return std::get<MakeStepper<Real, dimensions>>(makers);
  }
};

extern const Method serial;
extern const Method list;
extern const Method list_z_order;
extern const Method symmetric;
#ifdef SHOAL_CUDA
extern const Method cells_cuda;
extern const Method fused_cuda;
extern const Method list_cuda;
extern const Method list_z_order_cuda;
extern const Method rows_cuda;
#endif

/// The table, best first for each device.
std::span<const Method> sph_method_table();
std::vector<MethodInfo> sph_methods();

/// Size of a run, by which `auto` chooses.
struct Workload {
  int dimensions = 2;
  std::int64_t particles = 0;  ///< number on all ranks
  double support = 0;          ///< spacings
};

/// Entry of this name. `auto` is the first deterministic entry of the device, but `fused` for many particles in 3-D on
/// CUDA.
/// @throws Error  there is none; the message lists those of the device
const Method& choose_method(std::string_view name, DeviceKind device, const Workload& workload = {});

}  // namespace shoal::sph
