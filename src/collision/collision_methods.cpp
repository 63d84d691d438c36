// SPDX-License-Identifier: Apache-2.0
#include "collision/methods/methods.hpp"
#include "core/text.hpp"

namespace shoal {

std::span<const CollisionMethod> collision_rows() {
  // `auto` takes the first deterministic row of the device that knows the approach and the molecules.
  static const CollisionMethod rows[] = {
#ifdef SHOAL_CUFFT
      {{"cufft", DeviceKind::cuda, true, "Gamba, Haack, Hauck and Hu (2017); Mouhot and Pareschi (2006)"},
       false,
       {{}, {}, spectral_cufft_cuda, carleman_cufft_cuda}},
#endif
#ifdef SHOAL_CUDA
      {{"spheres", DeviceKind::cuda, true, "shoal; Malkov and Ivanov"},
       false,
       {interpolated_spheres_cuda, conservative_spheres_cuda, {}, {}}},
      {{"lerp", DeviceKind::cuda, true, "Malkov and Ivanov"}, true, {interpolated_lerp_cuda, {}, {}, {}}},
      {{"texture", DeviceKind::cuda, true, "Malkov and Ivanov"}, true, {interpolated_texture_cuda, {}, {}, {}}},
      {{"atomic", DeviceKind::cuda, false, "Malkov and Ivanov"}, true, {{}, conservative_atomic_cuda, {}, {}}},
#endif
#ifdef SHOAL_FFTW
      {{"fftw", DeviceKind::cpu, true, "Gamba, Haack, Hauck and Hu (2017); Mouhot and Pareschi (2006)"},
       false,
       {{}, {}, spectral_fftw, carleman_fftw}},
#endif
      {{"spheres", DeviceKind::cpu, true, "shoal; Malkov and Ivanov"},
       false,
       {interpolated_spheres, conservative_spheres, {}, {}}},
      {{"pairs", DeviceKind::cpu, true, "Malkov and Ivanov"}, true, {interpolated_pairs, conservative_pairs, {}, {}}},
      {{"serial", DeviceKind::cpu, true, "the definition"},
       true,
       {interpolated_serial, conservative_serial, spectral_serial, carleman_serial}},
  };
  return rows;
}

std::vector<MethodInfo> collision_methods() { return method_infos("collision", collision_rows()); }

const CollisionMethod& find_collision_method(const CollisionSetup& setup, DeviceKind device) {
  const CollisionOptions& options = setup.options;
  const bool isotropic = setup.kernel.isotropic();
  require(isotropic || !is_fourier(options.approach), "collision: approach ", to_name(options.approach),
          " takes isotropic scattering, got vss. Use vhs, or approach conservative or interpolated.");
  std::vector<std::string> names;
  for (const CollisionMethod& row : collision_rows()) {
    if (row.device != device || !row.knows(options.approach) || !(isotropic || row.any_scattering)) continue;
    if (options.method == "auto" ? row.deterministic : row.name == options.method) return row;
    names.emplace_back(row.name);
  }
  const char* where = device == DeviceKind::cpu ? "cpu" : "cuda";
  throw Error(text("collision: method `", options.method, "` is not available on ", where, " for approach ",
                   to_name(options.approach), isotropic ? "" : " with vss molecules", ". This build has on ", where,
                   ": ", join(names), "."));
}

}  // namespace shoal
