// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <memory>
#include <string>
#include <type_traits>

#include "core/backends.hpp"
#include "core/text.hpp"
#include "gas/mixture/mixture_rates.hpp"
#include "gas/models/bgk.hpp"
#include "gas/models/es_bgk.hpp"
#include "gas/models/shakhov.hpp"
#include "gas/stepping/collision_term.hpp"

namespace shoal::gas {

/// Relaxation to the target of a model, ν (G − f), on the device of a queue.
template <class Real>
struct ModelTermBackend {
  std::unique_ptr<CollisionTerm<Real>> (*make)(const Queue& queue, const GasSetup& setup);

  static const ModelTermBackend cpu, cuda;
};

/// Frequency ν of a model in a cell.
template <class Model>
NodeFrequency model_frequency(const GasSetup& setup, const VelocityMoments& state) {
  return {.rate = Model::frequency_share(setup.options.prandtl) * state.density * state.temperature /
                  setup.viscosity_law.at(state.temperature)};
}

/// Finds the states that determine the targets, and the frequencies, of all cells.
template <class Model>
void find_targets(const GasSetup& setup, const std::vector<VelocityMoments>& moments, std::vector<CellState>& states,
                  std::vector<NodeFrequency>& frequency) {
  states.assign(moments.begin(), moments.end());
  if constexpr (std::is_same_v<Model, Aap>)
    for_each_species(setup, moments, [&](std::size_t species, std::size_t i, const SpeciesMoments& cell) {
      states[i] = aap_target(*setup.mixture, species, cell, frequency[i]);
    });
  else
    for (std::size_t cell = 0; cell < moments.size(); ++cell)
      frequency[cell] = model_frequency<Model>(setup, moments[cell]);
}

/// Message about an own cell whose target the velocity grid cannot represent.
template <class Model>
std::string model_fault(const GasSetup& setup, std::int64_t cell, double density, double temperature) {
  return text("gas: the velocity grid of ", setup.nodes.n, " nodes and half width ", setup.nodes.half_width,
              " m/s cannot represent the target of ", to_name(Model::name), " in ",
              setup.cell_name(setup.cell_of(setup.first_cell() + cell)), ": density ", density, " 1/m3, temperature ",
              temperature, " m2/s2. Use a half width of about 5 thermal speeds, and a spacing of at most 0.7 of one.");
}

/// Makes Term<Real, Model> of the model of a setup, which is one with a target.
template <template <class, class> class Term, class Real>
std::unique_ptr<CollisionTerm<Real>> make_model_term(const Queue& queue, const GasSetup& setup) {
  switch (setup.options.model) {
    case GasModel::bgk:
      return std::make_unique<Term<Real, Bgk>>(queue, setup);
    case GasModel::es_bgk:
      return std::make_unique<Term<Real, EsBgk>>(queue, setup);
    case GasModel::shakhov:
      return std::make_unique<Term<Real, Shakhov>>(queue, setup);
    case GasModel::aap:
      return std::make_unique<Term<Real, Aap>>(queue, setup);
    case GasModel::none:
    case GasModel::boltzmann:
      break;
  }
  throw Error(text("gas: ", to_name(setup.options.model), " has no target. Choose bgk, es_bgk, shakhov or aap."));
}

}  // namespace shoal::gas
