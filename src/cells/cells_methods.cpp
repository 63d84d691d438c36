// SPDX-License-Identifier: Apache-2.0
#include "cells/cells_method.hpp"
#include "cells/methods/methods.hpp"
#include "cells/tuning.hpp"

namespace shoal::cells {

std::span<const CellsMethod> cells_method_table() {
  static const CellsMethod table[] = {
#ifdef SHOAL_CUDA
      radix_cuda,   counting_cuda,
#endif
      counting_cpu, serial,        resort_cpu,
  };
  return table;
}

std::vector<MethodInfo> cells_methods() { return method_infos("cells", cells_method_table()); }

const CellsMethod& find_cells_method(std::string_view name, const Queue& queue, std::int64_t points) {
  const bool is_small = queue.threads() < tuning::auto_min_threads && points < tuning::auto_min_points;
  const bool prefers_serial = name == "auto" && queue.on_cpu() && is_small;
  return find_method("cells", cells_method_table(), prefers_serial ? "serial" : name, queue.device().kind);
}

}  // namespace shoal::cells
