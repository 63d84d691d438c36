// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/equations_of_state/equations_of_state.hpp"

#include <algorithm>
#include <limits>

namespace shoal::sph {

template <class Real>
EosParameters<Real> make_eos(const Material& material) {
  EosParameters<Real> eos{};
  eos.kind = material.equation_of_state;
  eos.density = static_cast<Real>(material.density);
  eos.inverse_density = static_cast<Real>(1 / material.density);
  eos.least_pressure =
      material.least_pressure ? static_cast<Real>(*material.least_pressure) : -std::numeric_limits<Real>::infinity();
  EquationsOfState<Real>::visit(eos.kind, [&]<class Equation> { eos.coefficients.set(Equation::make(material)); });
  return eos;
}

namespace {

double uncut_elastic_energy(const Material& material, double density) {
  return EquationsOfState<double>::visit(material.equation_of_state, [&]<class Equation> {
    return Equation::elastic_energy(material, density / material.density);
  });
}

/// Largest density, between `low` and ρ₀, at which the pressure without heat is least_pressure.
double cut_off_density(const Material& material, double low) {
  Material uncut = material;
  uncut.least_pressure.reset();
  const EosParameters<double> eos = make_eos<double>(uncut);
  double high = material.density;
  constexpr int halvings = 60;
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    (pressure(eos, middle - material.density, 0.0) > *material.least_pressure ? high : low) = middle;
  }
  return high;
}

}  // namespace

double elastic_energy(const Material& material, double density) {
  const double uncut = uncut_elastic_energy(material, density);
  if (!material.least_pressure || density >= material.density) return uncut;
  const EosParameters<double> eos = make_eos<double>(material);
  if (pressure(eos, density - material.density, 0.0) > *material.least_pressure) return uncut;
  const double cut = cut_off_density(material, density);
  return uncut_elastic_energy(material, cut) + *material.least_pressure * (1 / cut - 1 / density);
}

std::vector<EquationOfState> equations_of_state_with(std::string_view key) {
  std::vector<EquationOfState> kinds;
  EquationsOfState<double>::for_each([&]<class Equation> {
    if (std::find(std::begin(Equation::keys), std::end(Equation::keys), key) != std::end(Equation::keys))
      kinds.push_back(Equation::kind);
  });
  return kinds;
}

std::string formula_of(EquationOfState kind) {
  return EquationsOfState<double>::visit(kind, [&]<class Equation> { return std::string(Equation::formula); });
}

template EosParameters<float> make_eos(const Material&);
template EosParameters<double> make_eos(const Material&);

}  // namespace shoal::sph
