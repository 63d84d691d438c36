// SPDX-License-Identifier: Apache-2.0
#include "sph/sph_method.hpp"

namespace shoal::sph {

std::span<const Method> sph_method_table() {
  // docs/sph.md has the timings behind this order.
  static const Method rows[] = {
#ifdef SHOAL_CUDA
      rows_cuda, fused_cuda, cells_cuda, list_cuda,
#endif
      list,      symmetric,  serial,
  };
  return rows;
}

namespace {

/// In 3-D the list wins where its kernels fill the device, and sooner where a row has more candidates than `rows` has
/// bits for. docs/sph.md has the timings.
bool list_wins(const Workload& workload) {
  constexpr double row_in_supports = 2.25, bits = 64;
  const double candidates = row_in_supports * workload.support * workload.support * workload.support;
  return workload.dimensions == 3 && workload.particles >= (candidates > bits ? 50'000 : 100'000);
}

}  // namespace

const Method& choose_method(std::string_view name, DeviceKind device, const Workload& workload) {
  const bool lists = name == "auto" && device == DeviceKind::cuda && list_wins(workload);
  return find_method("sph", sph_method_table(), lists ? "fused" : name, device);
}

std::vector<MethodInfo> sph_methods() { return method_infos("sph", sph_method_table()); }

}  // namespace shoal::sph
