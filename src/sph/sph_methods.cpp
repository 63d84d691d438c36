// SPDX-License-Identifier: Apache-2.0
#include "sph/sph_methods.hpp"

namespace shoal::sph {

std::span<const Method> sph_rows() {
  // `auto` is the first deterministic row for the device; docs/sph.md has the timings behind this order.
  static const Method rows[] = {
#ifdef SHOAL_CUDA
      rows_cuda, fused_cuda, cells_cuda, list_cuda,
#endif
      list,      serial,
  };
  return rows;
}

std::vector<MethodInfo> sph_methods() { return method_infos("sph", sph_rows()); }

}  // namespace shoal::sph
