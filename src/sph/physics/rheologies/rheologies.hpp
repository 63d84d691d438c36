// SPDX-License-Identifier: Apache-2.0
// Table of the models of rheology. A model is a struct in rheologies/ with these members, and an entry in Rheologies:
//
//     formula                     text for the documentation, with s for the shear rate
//     keys                        case-file keys of [material.NAME] that it has
//     check(rheology)             throws an Error for a value that makes no sense
//     herschel_bulkley(material)  its coefficients as a special case of herschel_bulkley
#pragma once
#include "sph/physics/alternatives.hpp"
#include "sph/physics/rheologies/bingham.hpp"
#include "sph/physics/rheologies/herschel_bulkley.hpp"
#include "sph/physics/rheologies/newtonian.hpp"
#include "sph/physics/rheologies/power_law.hpp"

namespace shoal::sph {

using Rheologies = Alternatives<RheologyModel, Newtonian, PowerLaw, Bingham, HerschelBulkley>;

/// Coefficients of a material's model.
inline Rheology herschel_bulkley_of(const Material& material) {
  return Rheologies::visit(material.rheology.model, [&]<class Model> { return Model::herschel_bulkley(material); });
}

/// Curves of the materials of a case; empty if all are newtonian, so that viscosities need no pass over the particles.
template <class Real>
std::vector<FlowCurve<Real>> make_flow_curves(const Case& simulation);

/// Largest kinematic viscosity that a material can have, m²/s.
double most_kinematic_viscosity(const Material& material);

/// @throws Error  a rheology is invalid, or does not go with the case: names the first by its case-file key
void check_rheologies(const Case& simulation);

}  // namespace shoal::sph
