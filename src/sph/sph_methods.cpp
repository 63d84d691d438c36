// SPDX-License-Identifier: Apache-2.0
#include "sph/sph_methods.hpp"

#include "core/text.hpp"

namespace shoal::sph {

namespace {

// `auto` is the first deterministic row for the device; docs/sph.md has the timings behind this order.
constexpr const Method* rows[] = {
#ifdef SHOAL_CUDA
    &rows_cuda,
#endif
    &list,
    &serial,
};

MethodInfo describe(const Method& method) {
  return {"sph", method.name, method.device, method.deterministic, method.source};
}

}  // namespace

const Method& find_method(std::string_view name, DeviceKind device) {
  std::vector<std::string> present;
  for (const Method* row : rows) {
    if (row->device != device) continue;
    if (name == "auto" ? row->deterministic : name == row->name) return *row;
    present.emplace_back(row->name);
  }
  const char* where = device == DeviceKind::cpu ? "cpu" : "cuda";
  throw Error(text("sph: method \"", name, "\" is not available on ", where, ". This build has on ", where, ": ",
                   join(present), "."));
}

std::vector<MethodInfo> sph_methods() {
  std::vector<MethodInfo> infos;
  for (const Method* row : rows) infos.push_back(describe(*row));
  return infos;
}

}  // namespace shoal::sph
