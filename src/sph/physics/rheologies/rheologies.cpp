// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/rheologies/rheologies.hpp"

#include <algorithm>
#include <iterator>

namespace shoal::sph {

namespace {

bool is_newtonian(const Material& material) { return material.rheology.model == RheologyModel::newtonian; }

void check_rheology(const Case& simulation, const Material& material) {
  Rheologies::visit(material.rheology.model, [&]<class Model> { Model::check(material.rheology); });
  if (is_newtonian(material)) return;
  const auto model = to_name(material.rheology.model);
  require(simulation.dimensions > 1, "sph: material ", material.name, " has the rheology ", model,
          ", whose shear rate a 1-D case does not have. Set particles.dimensions = 2 or 3.");
  require(simulation.scheme.laminar_viscosity, "sph: material ", material.name, " has the rheology ", model,
          ", which acts by laminar viscosity. Set scheme.viscosity.laminar = true.");
  require(material.kinematic_viscosity == 0, "sph: material ", material.name, " has the rheology ", model,
          " and kinematic_viscosity = ", material.kinematic_viscosity,
          " m2/s, of which each decides the other. Remove one.");
}

}  // namespace

bool has_apparent_viscosity(const Case& simulation) {
  return !std::all_of(simulation.materials.begin(), simulation.materials.end(), is_newtonian);
}

template <class Real>
std::vector<FlowCurve<Real>> make_flow_curves(const Case& simulation) {
  std::vector<FlowCurve<Real>> curves;
  if (!has_apparent_viscosity(simulation)) return curves;
  for (const Material& material : simulation.materials)
    curves.push_back(make_flow_curve<Real>(herschel_bulkley_of(material), material.density));
  return curves;
}

double most_kinematic_viscosity(const Material& material) {
  if (is_newtonian(material)) return material.kinematic_viscosity;
  return most_viscosity(herschel_bulkley_of(material)) / material.density;
}

void check_rheologies(const Case& simulation) {
  for (const Material& material : simulation.materials) check_rheology(simulation, material);
}

std::vector<RheologyModel> rheology_models_with(std::string_view key) {
  std::vector<RheologyModel> models;
  Rheologies::for_each([&]<class Model> {
    if (std::find(std::begin(Model::keys), std::end(Model::keys), key) != std::end(Model::keys))
      models.push_back(Model::kind);
  });
  return models;
}

std::string formula_of(RheologyModel model) {
  return Rheologies::visit(model, [&]<class Model> { return std::string(Model::formula); });
}

template std::vector<FlowCurve<float>> make_flow_curves(const Case&);
template std::vector<FlowCurve<double>> make_flow_curves(const Case&);

}  // namespace shoal::sph
