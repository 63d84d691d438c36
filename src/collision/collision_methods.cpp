// SPDX-License-Identifier: Apache-2.0
#include "collision/methods/methods.hpp"
#include "core/text.hpp"

namespace shoal::collision {

std::span<const CollisionMethod> collision_method_table() {
  // `auto` selects the first deterministic entry of the device that supports the approach and the molecules;
  // docs/collision.md has the measurements behind this order.
  static const CollisionMethod table[] = {
#ifdef SHOAL_CUFFT
      {{"cufft", DeviceKind::cuda, true, "Gamba, Haack, Hauck and Hu (2017); Mouhot and Pareschi (2006)"},
       false,
       {{}, {}, spectral_cufft_cuda, carleman_cufft_cuda},
       cross_cufft_cuda},
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
       {{}, {}, spectral_fftw, carleman_fftw},
       cross_fftw},
#endif
#ifdef SHOAL_KISSFFT
      {{"kissfft", DeviceKind::cpu, true, "Gamba, Haack, Hauck and Hu (2017); Mouhot and Pareschi (2006)"},
       false,
       {{}, {}, spectral_kissfft, carleman_kissfft},
       cross_kissfft},
#endif
      {{"spheres", DeviceKind::cpu, true, "shoal; Malkov and Ivanov"},
       false,
       {interpolated_spheres, conservative_spheres, {}, {}}},
      {{"pairs", DeviceKind::cpu, true, "Malkov and Ivanov"}, true, {interpolated_pairs, conservative_pairs, {}, {}}},
      {{"serial", DeviceKind::cpu, true, "the definition"},
       true,
       {interpolated_serial, conservative_serial, spectral_serial, carleman_serial},
       cross_serial},
  };
  return table;
}

std::vector<MethodInfo> collision_methods() { return method_infos("collision", collision_method_table()); }

const CollisionMethod& find_collision_method(const CollisionSetup& setup, DeviceKind device) {
  const CollisionOptions& options = setup.options;
  const bool isotropic = setup.kernel.isotropic();
  const bool spectral = options.approach == CollisionApproach::spectral;
  require(isotropic || options.approach != CollisionApproach::carleman,
          "collision: approach carleman supports isotropic scattering only, got vss. Use vhs, or approach spectral, "
          "conservative or interpolated.");
  const bool statistical = options.integration == CollisionIntegration::statistical;
  std::vector<std::string> names;
  for (const CollisionMethod& method : collision_method_table()) {
    const bool suits = ((isotropic || spectral) && !statistical) || method.one_by_one;
    if (method.device != device || !method.supports(options.approach) || !suits) continue;
    if (options.method == "auto" ? method.deterministic : method.name == options.method) return method;
    names.emplace_back(method.name);
  }
  const char* where = device == DeviceKind::cpu ? "cpu" : "cuda";
  throw Error(text("collision: method `", options.method, "` is not available on ", where, " for approach ",
                   to_name(options.approach), isotropic ? "" : " with vss molecules",
                   statistical ? " with statistical integration" : "", ". This build has on ", where, ": ", join(names),
                   "."));
}

}  // namespace shoal::collision
