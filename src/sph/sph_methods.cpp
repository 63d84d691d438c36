// SPDX-License-Identifier: Apache-2.0
#include "sph/sph_method.hpp"

#include "sph/tuning.hpp"

namespace shoal::sph {

std::span<const Method> sph_method_table() {
  // docs/performance/sph.md has the measurements behind this order.
  static const Method table[] = {
#ifdef SHOAL_CUDA
      rows_cuda, fused_cuda,   cells_cuda, list_cuda, list_z_order_cuda,
#endif
      list,      list_z_order, symmetric,  serial,
  };
  return table;
}

namespace {

/// Returns true for a case in 3-D in which `fused` is faster than `rows`.
bool list_wins(const Workload& workload) {
  const double candidates = row_in_supports * workload.support * workload.support * workload.support;
  return workload.dimensions == 3 &&
         workload.particles >= (candidates > mask_bits ? fused_particles_with_long_rows : fused_particles);
}

}  // namespace

const Method& choose_method(std::string_view name, DeviceKind device, const Workload& workload) {
  const bool lists = name == "auto" && device == DeviceKind::cuda && list_wins(workload);
  return find_method("sph", sph_method_table(), lists ? "fused" : name, device);
}

std::vector<MethodInfo> sph_methods() { return method_infos("sph", sph_method_table()); }

}  // namespace shoal::sph
