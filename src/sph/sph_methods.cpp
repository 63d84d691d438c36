// SPDX-License-Identifier: Apache-2.0
#include "sph/sph_methods.hpp"

namespace shoal::sph {

std::span<const Method> sph_rows() {
  // docs/sph.md has the timings behind this order.
  static const Method rows[] = {
#ifdef SHOAL_CUDA
      rows_cuda, fused_cuda, cells_cuda, list_cuda,
#endif
      list,      symmetric,  serial,
  };
  return rows;
}

const Method& choose_method(std::string_view name, DeviceKind device, int dimensions, std::size_t particles) {
  constexpr std::size_t many = 60'000;
  const bool lists_win = device == DeviceKind::cuda && dimensions == 3 && particles >= many;
  return find_method("sph", sph_rows(), name == "auto" && lists_win ? "fused" : name, device);
}

std::vector<MethodInfo> sph_methods() { return method_infos("sph", sph_rows()); }

}  // namespace shoal::sph
