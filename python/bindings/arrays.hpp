// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <shoal/points.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "keep.hpp"
#include "place.hpp"

namespace shoal::python {

/// Whose arrays a call was given; its results are of the same kind. Others are handed DLPack.
enum class Library { numpy, cupy, torch, jax, other };

/// What an array says of itself.
struct ArrayFacts {
  Library library = Library::numpy;
  Device device;
  std::string dtype;  ///< "float32"
};

/// @throws Error  it is no array, or on a device that shoal does not know
ArrayFacts facts_of(const char* operation, nb::handle array);

/// Memory of an array, in elements.
struct Strided {
  void* data = nullptr;
  std::vector<std::int64_t> shape, strides;

  std::int64_t count() const;
  /// "(1000, 3)"
  std::string shape_text() const;
};

/// The arrays of one call: those that came in, checked against the place where the plan works and kept alive, and
/// those that go out.
class Call {
 public:
  Call(const char* operation, const Place& place) : operation_(operation), place_(place) {}

  /// A one-dimensional array, of any stride.
  template <class T>
  View<const T> column(nb::handle array, const std::string& argument) {
    return view<const T>(flat(take(array, argument, nb::dtype<T>(), false), argument, 1));
  }

  /// An array of any shape, its elements in C order.
  template <class T>
  View<const T> block(nb::handle array, const std::string& argument) {
    return view<const T>(flat(take(array, argument, nb::dtype<T>(), false), argument));
  }

  /// One that is written.
  template <class T>
  View<T> output(nb::handle array, const std::string& argument) {
    return view<T>(flat(take(array, argument, nb::dtype<T>(), true), argument));
  }

  /// An array (n, dimensions), or a tuple or list of `dimensions` columns.
  /// @param radii  [n] or None
  template <class Real>
  Points<Real> points(nb::handle array, const std::string& argument, int dimensions, nb::handle radii = nb::none()) {
    const std::vector<Line> lines = columns(array, argument, dimensions, nb::dtype<Real>());
    Points<Real> points;
    View<const Real>* const axes[] = {&points.x, &points.y, &points.z};
    for (std::size_t axis = 0; axis < lines.size(); ++axis) *axes[axis] = view<const Real>(lines[axis]);
    if (!radii.is_none()) points.radius = column<Real>(radii, argument == "points" ? "radii" : argument + "'s radii");
    return points;
  }

  /// A new array of the caller's library on the place's device, or `out` if that is not None.
  template <class T>
  std::pair<nb::object, View<T>> result(nb::handle out, const std::vector<std::int64_t>& shape,
                                        const std::string& argument = "out") {
    if (!out.is_none()) return {nb::borrow(out), output<T>(out, argument)};
    std::pair<nb::object, View<T>> made = make(shape, nb::dtype<T>(), static_cast<T*>(nullptr));
    return made;
  }

  /// Memory of a plan as an array of the caller's library, which keeps `owner` alive. Read-only where the library can.
  template <class T>
  nb::object lend(View<const T> memory, nb::handle owner) const {
    return wrap(const_cast<T*>(memory.data), nb::dtype<T>(), {memory.count}, owner, true);
  }

  Library library() const { return library_.value_or(Library::numpy); }
  void set_library(Library library) { library_ = library; }
  const Place& place() const { return place_; }
  const char* operation() const { return operation_; }

  /// Does the work without holding Python's lock, and waits for it if the plan is to.
  template <class Work>
  void run(Work&& work) const {
    const nb::gil_scoped_release others_may_work;
    work();
    if (place_.wait) place_.queue.wait();
  }

 private:
  struct Line {
    void* data;
    std::int64_t count, stride;
  };

  Strided take(nb::handle array, const std::string& argument, nb::dlpack::dtype dtype, bool write);
  Line flat(const Strided& array, const std::string& argument, int dimensions = 0) const;
  std::vector<Line> columns(nb::handle array, const std::string& argument, int dimensions, nb::dlpack::dtype dtype);
  nb::object wrap(void* data, nb::dlpack::dtype dtype, const std::vector<std::int64_t>& shape, nb::handle owner,
                  bool read_only) const;
  nb::object make_in_library(const std::vector<std::int64_t>& shape, nb::dlpack::dtype dtype) const;

  template <class T>
  std::pair<nb::object, View<T>> make(const std::vector<std::int64_t>& shape, nb::dlpack::dtype dtype, T*) {
    if (nb::object made = make_in_library(shape, dtype); made.is_valid()) return {made, output<T>(made, "result")};
    // JAX's own arrays cannot be written, so it gets one of ours.
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    auto array = std::make_unique<Array<T>>(place_.queue, count);
    const View<T> memory = array->view();
    return {wrap(memory.data, dtype, shape, keep(std::move(array)), false), memory};
  }

  template <class T>
  View<T> view(const Line& line) const {
    return {static_cast<T*>(line.data), line.count, place_.queue.device(), line.stride};
  }

  const char* operation_;
  const Place& place_;
  std::optional<Library> library_;
  std::vector<nb::ndarray<nb::ro>> kept_;
};

}  // namespace shoal::python
