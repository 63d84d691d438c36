// SPDX-License-Identifier: Apache-2.0
// The class Gas of Python: conversions of arrays around a flow.
#pragma once
#include <shoal/gas.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "collision/collision_options.hpp"
#include "support/host_arrays.hpp"
#include "support/interrupts.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

struct GasKeywords {
  GasBoundary left, right;
  std::optional<GasBoundary> bottom, top;
  GasOptions options;
  std::optional<Communicator> ranks = {};
};

/// Array [cells, count] of `values(moments)` of each cell.
template <class Values>
nb::object cell_table(const std::vector<VelocityMoments>& cells, std::size_t count, Values values) {
  std::vector<double> table;
  for (const VelocityMoments& moments : cells)
    table.insert(table.end(), values(moments).begin(), values(moments).end());
  return take_over(std::move(table), {cells.size(), count});
}

template <class Value>
nb::object cell_column(const std::vector<VelocityMoments>& cells, Value value) {
  std::vector<double> column;
  for (const VelocityMoments& moments : cells) column.push_back(value(moments));
  return copy_of(column);
}

/// Faces of the cells along each axis, m.
using AxisFaces = std::vector<std::vector<double>>;

/// Reads the faces of a line, or a pair of those along x and along y.
inline AxisFaces axis_faces(nb::handle faces) {
  std::array<std::vector<double>, 2> plane;
  if (nb::try_cast(faces, plane)) return {plane.begin(), plane.end()};
  std::vector<double> line;
  if (!nb::try_cast(faces, line)) bad_option("faces", faces, "a sequence of numbers, or a pair of them");
  return {line};
}

template <class Real>
std::unique_ptr<Gas<Real>> make_flow(const Queue& queue, const VelocityGrid& grid, const AxisFaces& faces,
                                     const CollidingGas& gas, const GasKeywords& keywords) {
  const auto& [left, right, bottom, top, options, given_ranks] = keywords;
  const Communicator ranks = ranks_or_alone(given_ranks);
  return std::visit(
      [&](const auto& molecules) {
        if (faces.size() == 2)
          return std::make_unique<Gas<Real>>(
              queue, grid, std::array{faces[0], faces[1]},
              std::array{left, right, bottom.value_or(GasBoundary{}), top.value_or(GasBoundary{})}, molecules, options,
              ranks);
        require(!bottom && !top,
                "gas: bottom and top are sides of a plane, but the faces are those of a line along x. ",
                "Give a pair of faces, along x and along y.");
        return std::make_unique<Gas<Real>>(queue, grid, faces[0], std::array{left, right}, molecules, options, ranks);
      },
      gas);
}

inline std::size_t cell_count(const AxisFaces& faces) {
  std::size_t count = 1;
  for (const std::vector<double>& along : faces) count *= along.empty() ? 0 : along.size() - 1;
  return count;
}

/// Flow of Python, in float or double.
class BoundGas : public FloatOrDoublePlan<Gas> {
 public:
  static constexpr const char* operation = "gas";

  BoundGas(PlanContext context, const VelocityGrid& grid, const AxisFaces& faces, const CollidingGas& gas,
           const GasKeywords& keywords)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, grid, faces, gas, keywords]<class Real>() {
                            return make_flow<Real>(queue, grid, faces, gas, keywords);
                          }),
        ranks_(ranks_or_alone(keywords.ranks)),
        nodes_(grid.nodes),
        cells_(cell_count(faces) * (std::holds_alternative<Mixture>(gas) ? 2 : 1)) {}

  /// Returns `value(flow)`, computed without holding Python's lock.
  template <class Value>
  auto get(Value value) {
    return use([&](auto& plans, auto) {
      const GilRelease gil_release;
      return value(plans.current());
    });
  }

  /// @param velocity  None: at rest
  void start(nb::handle density, nb::handle temperature, nb::handle velocity) {
    const PlanContext in_double{Queue::cpu(1)};  // double, and on the host, whatever the device of the flow
    CallArrays call(operation, in_double);
    std::vector<VelocityMoments> states(cells_);
    const auto read = [&](nb::handle values, const char* name, std::size_t count, auto member) {
      const auto expected = static_cast<std::int64_t>(count * cells_);
      const View<const double> view = call.block<double>(values, name, expected);
      for (std::int64_t i = 0; i < expected; ++i)
        member(states[static_cast<std::size_t>(i) / count], static_cast<std::size_t>(i) % count) =
            view.data[i * view.stride];
    };
    read(density, "density", 1, [](VelocityMoments& state, std::size_t) -> double& { return state.density; });
    read(temperature, "temperature", 1,
         [](VelocityMoments& state, std::size_t) -> double& { return state.temperature; });
    if (!velocity.is_none())
      read(velocity, "velocity", 3,
           [](VelocityMoments& state, std::size_t axis) -> double& { return state.velocity[axis]; });
    use([&](auto& plans, auto) { call.run([&] { plans.current().start(states); }); });
  }

  void start_from(nb::handle f, const GasClock& clock) {
    use([&]<class Real>(AlternatingPlans<Gas<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(f, "f");
      library = call.library();
      call.run([&] { plans.current().start(in, clock); });
    });
  }

  void advance_to(double time) {
    interruptible([&](auto& flow, const auto& observer) { flow.advance_to(time, observer); });
  }

  SteadyResult advance_to_steady(const SteadyOptions& options) {
    SteadyResult result;
    interruptible([&](auto& flow, const auto& observer) { result = flow.advance_to_steady(options, observer); });
    return result;
  }

  /// Copy of the distribution, because every step changes the memory of the plan.
  nb::object f() {
    return use([&]<class Real>(AlternatingPlans<Gas<Real>>& plans, Real) {
      CallArrays call(operation, context());
      call.set_library(library);
      const View<const Real> distribution = plans.current().f();
      const std::int64_t n = nodes_;
      auto [array, result] = call.result<Real>(nb::none(), {distribution.count / (n * n * n), n, n, n});
      call.run([&, result = result] { copy<Real>(context().queue, distribution, result); });
      return array;
    });
  }

  nb::object moments() {
    const std::vector<VelocityMoments> cells = get([](auto& flow) { return flow.moments(); });
    return result_type("GasMoments")(
        cell_column(cells, [](const VelocityMoments& moments) { return moments.density; }),
        cell_table(
            cells, 3, [](const VelocityMoments& moments) -> auto& { return moments.velocity; }),
        cell_column(cells, [](const VelocityMoments& moments) { return moments.temperature; }),
        cell_table(
            cells, 6, [](const VelocityMoments& moments) -> auto& { return moments.stress; }),
        cell_table(
            cells, 3, [](const VelocityMoments& moments) -> auto& { return moments.heat_flux; }));
  }

  /// Array of the faces of a line, or the arrays of both axes.
  nb::object faces() {
    const AxisFaces axes = get([](auto& flow) {
      AxisFaces faces;
      for (int axis = 0; axis < flow.dimensions(); ++axis) faces.push_back(flow.faces(axis));
      return faces;
    });
    if (axes.size() == 1) return copy_of(axes[0]);
    return nb::make_tuple(copy_of(axes[0]), copy_of(axes[1]));
  }

  std::vector<std::string> warnings() {
    std::vector<std::string> lines;
    for (const Warning& warning : get([](auto& flow) { return flow.warnings(); })) lines.push_back(warning.text());
    return lines;
  }

 private:
  /// Calls work(flow, observer), which Ctrl-C ends between two steps.
  template <class Work>
  void interruptible(Work work) {
    Interrupts interrupts;
    use([&](auto& plans, auto) {
      const GilRelease gil_release;
      work(plans.current(), [&] { return all_may_continue(ranks_, interrupts); });
    });
    raise_on_all(ranks_, interrupts);
  }

  Communicator ranks_;
  int nodes_;
  std::size_t cells_;
};

}  // namespace shoal::python
