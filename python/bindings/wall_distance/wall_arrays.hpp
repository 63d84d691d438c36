// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/wall_distance.hpp>

#include "bindings.hpp"

namespace shoal::python {

/// Arguments of `WallDistance.from_arrays`.
struct WallArrayArguments {
  nb::handle points, faces, face_start, marker;
  std::vector<std::string> names;
};

/// Number of columns of an array (n, columns), or of a tuple or list of columns.
inline int column_count(const char* operation, const char* argument, nb::handle array) {
  if (PyTuple_Check(array.ptr()) || PyList_Check(array.ptr())) return static_cast<int>(nb::len(array));
  const nb::object shape = nb::getattr(array, "shape", nb::none());
  require(!shape.is_none() && nb::len(shape) == 2, operation, ": ", argument,
          " is no table, expected an array of two dimensions, or a tuple of columns.");
  return nb::cast<int>(shape[1]);
}

/// The first column of a tuple or list of columns; otherwise the array itself.
inline nb::object first_column(nb::handle array) {
  const bool is_sequence = (PyTuple_Check(array.ptr()) || PyList_Check(array.ptr())) && nb::len(array) > 0;
  return is_sequence ? nb::object(array[0]) : nb::borrow(array);
}

template <class Real, class Index>
WallArrays<Real, Index> wall_arrays(CallArrays& call, const WallArrayArguments& arguments) {
  WallArrays<Real, Index> arrays;
  const int dimensions = column_count(call.operation(), "points", arguments.points);
  require(dimensions == 2 || dimensions == 3, call.operation(), ": points have ", dimensions,
          " columns, expected 2 or 3.");
  arrays.points = call.points<Real>(arguments.points, "points", dimensions);
  if (arguments.face_start.is_none()) {
    arrays.corners =
        call.table<Index>(arguments.faces, "faces", column_count(call.operation(), "faces", arguments.faces));
  } else {
    arrays.corners = {call.column<Index>(arguments.faces, "faces")};
    arrays.face_start = call.column<Index>(arguments.face_start, "face_start");
  }
  if (!arguments.marker.is_none()) arrays.marker = call.column<Index>(arguments.marker, "marker");
  arrays.names = arguments.names;
  return arrays;
}

/// Plan for the arrays of a caller, of any of the types that WallArrays has.
inline WallDistance plan_from_arrays(CallArrays& call, const WallArrayArguments& arguments,
                                     const WallDistanceOptions& options) {
  const char* const operation = call.operation();
  const std::string real = properties_of(operation, "points", first_column(arguments.points)).dtype;
  const std::string index = properties_of(operation, "faces", first_column(arguments.faces)).stored_dtype;
  require(real == "float32" || real == "float64", operation, ": points have the dtype ", real,
          ", expected float32 or float64.");
  require(index == "int32" || index == "int64", operation, ": faces have the dtype ", index,
          ", expected int32 or int64.");
  const auto open = [&]<class Real, class Index>(Real, Index) {
    const WallArrays<Real, Index> arrays = wall_arrays<Real, Index>(call, arguments);
    const GilRelease gil_release;
    return WallDistance(call.context().queue, arrays, options);
  };
  if (real == "float32") return index == "int32" ? open(0.0f, std::int32_t{}) : open(0.0f, std::int64_t{});
  return index == "int32" ? open(0.0, std::int32_t{}) : open(0.0, std::int64_t{});
}

}  // namespace shoal::python
