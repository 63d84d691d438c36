// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <shoal/array.hpp>
#include <shoal/points.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "support/gil.hpp"
#include "support/owning_capsule.hpp"
#include "support/plan_context.hpp"

namespace shoal::python {

/// Library of the arrays of a call; its results are arrays of the same library, or of DLPack for `other`.
enum class Library { numpy, cupy, torch, jax, other };

/// Properties that an array reports.
struct ArrayProperties {
  Library library = Library::numpy;
  Device device;
  std::string dtype;         ///< name of the element type that shoal uses, like "float32"
  std::string stored_dtype;  ///< element type of the array; whole numbers in host memory become float64
};

/// @throws Error  it is no array, or on a device that shoal does not support
ArrayProperties properties_of(const char* operation, const char* argument, nb::handle input);

/// Memory of an array, in elements.
struct Strided {
  void* data = nullptr;
  std::vector<std::int64_t> shape, strides;

  std::int64_t count() const;
  /// Shape as Python writes it: "(1000, 3)".
  std::string shape_text() const;
};

/// Arrays of one call. Its inputs are checked against the context of the plan and kept alive; its outputs are arrays of
/// the caller's library.
class CallArrays {
 public:
  CallArrays(const char* operation, const PlanContext& context) : operation_(operation), context_(context) {}

  /// One-dimensional input of any stride.
  template <class T>
  View<const T> column(nb::handle array, const std::string& argument) {
    return view<const T>(flatten(import_array(array, argument, nb::dtype<T>(), false), argument, 1));
  }

  /// Input of any shape, with elements in C order.
  template <class T>
  View<const T> block(nb::handle array, const std::string& argument) {
    return view<const T>(flatten(import_array(array, argument, nb::dtype<T>(), false), argument));
  }

  /// Input of any shape with `count` elements in C order.
  template <class T>
  View<const T> block(nb::handle array, const std::string& argument, std::int64_t count) {
    const Strided strided = import_array(array, argument, nb::dtype<T>(), false);
    require_count(strided, argument, count);
    return view<const T>(flatten(strided, argument));
  }

  /// Output of any shape, with elements in C order.
  template <class T>
  View<T> output(nb::handle array, const std::string& argument) {
    return view<T>(flatten(import_array(array, argument, nb::dtype<T>(), true), argument));
  }

  /// Columns of an input: an array (n, column_count), or a tuple or list of columns.
  template <class T>
  std::vector<View<const T>> table(nb::handle array, const std::string& argument, int column_count) {
    std::vector<View<const T>> views;
    for (const Column& column : columns(array, argument, column_count, nb::dtype<T>()))
      views.push_back(view<const T>(column));
    return views;
  }

  /// Input of points: an array (n, dimensions), or a tuple or list of `dimensions` columns.
  /// @param radii  [n] or None
  template <class Real>
  Points<Real> points(nb::handle array, const std::string& argument, int dimensions, nb::handle radii = nb::none()) {
    const std::vector<Column> axis_columns = columns(array, argument, dimensions, nb::dtype<Real>());
    Points<Real> points;
    View<const Real>* const axes[] = {&points.x, &points.y, &points.z};
    for (std::size_t axis = 0; axis < axis_columns.size(); ++axis) *axes[axis] = view<const Real>(axis_columns[axis]);
    if (radii.is_none()) return points;
    const std::string name = argument == "points" ? "radii" : "source_radii";
    points.radius = column<Real>(radii, name);
    require(points.radius.count == points.count(), operation_, ": ", name, " has ", points.radius.count,
            " elements, expected ", points.count(), ": one for each point.");
    return points;
  }

  /// Output: a new array of the caller's library on the plan's device, or `out` if that is not None.
  template <class T>
  std::pair<nb::object, View<T>> result(nb::handle out, const std::vector<std::int64_t>& shape,
                                        const std::string& argument = "out") {
    if (!out.is_none()) return {nb::borrow(out), output<T>(out, argument)};
    std::pair<nb::object, View<T>> made = make(shape, nb::dtype<T>(), static_cast<T*>(nullptr));
    return made;
  }

  /// Array of the caller's library in the memory of a plan. It keeps `owner` alive, and is read-only if the library
  /// supports that.
  template <class T>
  nb::object export_view(View<const T> memory, nb::handle owner) const {
    return export_view(memory, {memory.count}, owner);
  }
  /// Overload for an array of several dimensions, in C order.
  template <class T>
  nb::object export_view(View<const T> memory, const std::vector<std::int64_t>& shape, nb::handle owner) const {
    return export_array(const_cast<T*>(memory.data), nb::dtype<T>(), shape, owner, true);
  }

  /// Array of the caller's library with columns side by side: element (i, k) is memory.data[i stride + k].
  /// @param columns  0: an array of one dimension
  template <class T>
  nb::object export_columns(View<const T> memory, std::int64_t columns, nb::handle owner, bool read_only) const {
    std::vector<std::int64_t> shape{memory.count}, strides{memory.stride};
    if (columns > 0) {
      shape.push_back(columns);
      strides.push_back(1);
    }
    return export_strided(const_cast<T*>(memory.data), nb::dtype<T>(), shape, strides, owner, read_only);
  }

  /// New array of the caller's library with the values of a plan's memory.
  template <class T>
  nb::object copy_view(View<const T> memory) {
    auto [array, copied] = result<T>(nb::none(), {memory.count});
    run([&, copied = copied] { copy<T>(context_.queue, memory, copied); });
    return array;
  }

  Library library() const { return library_.value_or(Library::numpy); }
  void set_library(Library library) { library_ = library; }
  const PlanContext& context() const { return context_; }
  const char* operation() const { return operation_; }

  /// Does the work without holding Python's lock, and waits for it unless the plan has wait = False.
  template <class Work>
  void run(Work&& work) const {
    const GilRelease gil_release;
    work();
    if (context_.wait) context_.queue.wait();
  }

 private:
  /// Elements with one stride.
  struct Column {
    void* data;
    std::int64_t count, stride;
  };

  Strided import_array(nb::handle array, const std::string& argument, nb::dlpack::dtype dtype, bool write);
  void require_count(const Strided& array, const std::string& argument, std::int64_t count) const;
  Column flatten(const Strided& array, const std::string& argument, int dimensions = 0) const;
  std::vector<Column> columns(nb::handle array, const std::string& argument, int dimensions, nb::dlpack::dtype dtype);
  nb::object export_array(void* data, nb::dlpack::dtype dtype, const std::vector<std::int64_t>& shape, nb::handle owner,
                          bool read_only) const;
  nb::object export_strided(void* data, nb::dlpack::dtype dtype, const std::vector<std::int64_t>& shape,
                            const std::vector<std::int64_t>& strides, nb::handle owner, bool read_only) const;
  nb::object make_in_library(const std::vector<std::int64_t>& shape, nb::dlpack::dtype dtype) const;

  template <class T>
  std::pair<nb::object, View<T>> make(const std::vector<std::int64_t>& shape, nb::dlpack::dtype dtype, T*) {
    if (nb::object made = make_in_library(shape, dtype); made.is_valid()) return {made, output<T>(made, "result")};
    // Arrays that JAX allocates cannot be written, so this one is an array of shoal.
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    auto array = std::make_unique<Array<T>>(context_.queue, count);
    const View<T> memory = array->view();
    return {export_array(memory.data, dtype, shape, owning_capsule(std::move(array)), false), memory};
  }

  template <class T>
  View<T> view(const Column& column) const {
    return {static_cast<T*>(column.data), column.count, context_.queue.device(), column.stride};
  }

  const char* operation_;
  const PlanContext& context_;
  std::optional<Library> library_;
  std::vector<nb::ndarray<nb::ro>> inputs_;
};

}  // namespace shoal::python
