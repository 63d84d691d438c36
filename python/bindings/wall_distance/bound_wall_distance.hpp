// SPDX-License-Identifier: Apache-2.0
// The class WallDistance of Python: conversions of arrays around a plan.
#pragma once
#include <shoal/wall_distance.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "wall_distance/wall_arrays.hpp"

namespace shoal::python {

/// Fields of a result, in their order.
enum class ResultField { distance, face, wall, nearest, lower, gradient };

}  // namespace shoal::python

namespace shoal {
template <>
inline constexpr auto enumerator_names<python::ResultField> =
    std::array<std::string_view, 6>{"distance", "face", "wall", "nearest", "lower", "gradient"};
}

namespace shoal::python {

/// Plan of Python, which one thread at a time uses.
class BoundWallDistance {
 public:
  static constexpr const char* operation = "wall_distance";

  BoundWallDistance(PlanContext context, const WallMesh& mesh, const WallDistanceOptions& options)
      : context_(std::move(context)), dimensions_(mesh.dimensions), plan_(context_.queue, mesh, options) {}
  BoundWallDistance(PlanContext context, int dimensions, WallDistance plan)
      : context_(std::move(context)), dimensions_(dimensions), plan_(std::move(plan)) {}

  nb::object find(nb::handle points, nb::handle want, nb::handle out) {
    return search(points, want, out, [this](const Points<double>& positions, const WallDistanceOutputs& outputs) {
      dimensions_ == 2 ? plan_.find(positions.x, positions.y, outputs)
                       : plan_.find(positions.x, positions.y, positions.z, outputs);
    });
  }

  nb::object find_body(const std::string& body, nb::handle points, nb::handle want, nb::handle out) {
    return search(points, want, out, [&, this](const Points<double>& positions, const WallDistanceOutputs& outputs) {
      dimensions_ == 2 ? plan_.find_body(body, positions.x, positions.y, outputs)
                       : plan_.find_body(body, positions.x, positions.y, positions.z, outputs);
    });
  }

  nb::object update(nb::handle points, nb::handle want, nb::handle out) {
    return search(points, want, out, [this](const Points<double>& positions, const WallDistanceOutputs& outputs) {
      dimensions_ == 2 ? plan_.update(positions.x, positions.y, outputs)
                       : plan_.update(positions.x, positions.y, positions.z, outputs);
    });
  }

  void move(const std::string& body, const RigidTransform& transform) {
    const BusyGuard guard(operation, *busy_);
    plan_.move(body, transform);
  }

  void refit(nb::handle points) {
    const BusyGuard guard(operation, *busy_);
    const PlanContext host{Queue::cpu(context_.queue.on_cpu() ? context_.queue.threads() : 1)};
    const nb::object column = first_column(points);
    const bool are_on_device = nb::hasattr(column, "__dlpack_device__") &&
                               properties_of(operation, "points", column).device == context_.queue.device();
    CallArrays call(operation, are_on_device ? context_ : host);
    const Points<double> positions = call.points<double>(points, "points", dimensions_);
    const GilRelease gil_release;
    dimensions_ == 2 ? plan_.refit(positions.x, positions.y) : plan_.refit(positions.x, positions.y, positions.z);
  }

  std::int64_t reused() {
    const BusyGuard guard(operation, *busy_);
    const GilRelease gil_release;
    return plan_.reused();
  }

  nb::object faces_tested() {
    const BusyGuard guard(operation, *busy_);
    const auto tested = plan_.faces_tested();
    if (!tested) return nb::none();
    return result_type("WallFacesTested")(tested->bounded, tested->exact);
  }

  void wait() const {
    const GilRelease gil_release;
    context_.queue.wait();
  }
  const WallDistance& plan() const { return plan_; }
  const PlanContext& context() const { return context_; }

 private:
  template <class Find>
  nb::object search(nb::handle points, nb::handle want, nb::handle out, Find find_distances) {
    const BusyGuard guard(operation, *busy_);
    CallArrays call(operation, context_);
    const Points<double> positions = call.points<double>(points, "points", dimensions_);
    WallDistanceOutputs outputs;
    const nb::object fields = open_fields(call, positions.count(), want, out, outputs);
    call.run([&] { find_distances(positions, outputs); });
    return fields;
  }

  /// Arrays for the requested fields: new ones, or those of an earlier result.
  nb::object open_fields(CallArrays& call, std::int64_t count, nb::handle want, nb::handle out,
                         WallDistanceOutputs& outputs) const {
    std::array<bool, enumerator_names<ResultField>.size()> wanted{};
    std::array<nb::object, enumerator_names<ResultField>.size()> given;
    given.fill(nb::none());
    if (out.is_none()) {
      for (const std::string& name : OptionType<std::vector<std::string>>::read("wall_distance: want", want))
        wanted[static_cast<std::size_t>(from_name<ResultField>(name))] = true;
    } else {
      for (std::size_t i = 0; i < given.size(); ++i) {
        given[i] = nb::getattr(out, std::string(enumerator_names<ResultField>[i]).c_str());
        wanted[i] = !given[i].is_none();
      }
    }
    const auto has = [&](ResultField field) { return wanted[static_cast<std::size_t>(field)]; };
    const auto open = [&]<class T>(ResultField field, View<T>& view) -> nb::object {
      if (!has(field)) return nb::none();
      auto [array, memory] =
          call.result<T>(given[static_cast<std::size_t>(field)], {count}, std::string(to_name(field)));
      view = memory;
      return array;
    };
    const nb::object distance = open(ResultField::distance, outputs.distance),
                     face = open(ResultField::face, outputs.face), wall = open(ResultField::wall, outputs.wall),
                     lower = open(ResultField::lower, outputs.lower);
    const auto open_axes = [&](ResultField field, const std::array<View<double>*, 3>& views) -> nb::object {
      if (!has(field)) return nb::none();
      return open_vectors(call, count, given[static_cast<std::size_t>(field)], std::string(to_name(field)), views);
    };
    const nb::object nearest = open_axes(ResultField::nearest, {&outputs.x, &outputs.y, &outputs.z}),
                     gradient = open_axes(ResultField::gradient,
                                          {&outputs.gradient_x, &outputs.gradient_y, &outputs.gradient_z});
    return result_type("WallDistances")(distance, face, wall, nearest, lower, gradient);
  }

  /// Arrays for vectors, one for each coordinate.
  nb::object open_vectors(CallArrays& call, std::int64_t count, const nb::object& given, const std::string& name,
                          const std::array<View<double>*, 3>& views) const {
    nb::list axes;
    for (int axis = 0; axis < dimensions_; ++axis) {
      auto [array, memory] = call.result<double>(given.is_none() ? nb::none() : nb::object(given[axis]), {count}, name);
      *views[static_cast<std::size_t>(axis)] = memory;
      axes.append(array);
    }
    return nb::tuple(axes);
  }

  PlanContext context_;
  int dimensions_;
  WallDistance plan_;
  std::unique_ptr<std::atomic_flag> busy_ = std::make_unique<std::atomic_flag>();
};

}  // namespace shoal::python
