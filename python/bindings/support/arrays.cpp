// SPDX-License-Identifier: Apache-2.0
#include "support/arrays.hpp"

#include <algorithm>

#include "support/inputs.hpp"

namespace shoal::python {

namespace {

Library library_of(nb::handle array) {
  nb::object module = nb::getattr(array.type(), "__module__", nb::none());
  if (!PyUnicode_Check(module.ptr())) return Library::other;
  const std::string_view name = nb::cast<nb::str>(module).c_str();
  if (name.starts_with("numpy")) return Library::numpy;
  if (name.starts_with("cupy")) return Library::cupy;
  if (name.starts_with("torch")) return Library::torch;
  if (name.starts_with("jax")) return Library::jax;
  return Library::other;
}

std::string type_text(nb::handle array) { return nb::cast<nb::str>(array.type().attr("__name__")).c_str(); }

std::string dtype_text(nb::dlpack::dtype dtype) {
  const auto code = static_cast<nb::dlpack::dtype_code>(dtype.code);
  const char* kind = "numbers of another kind and ";
  if (code == nb::dlpack::dtype_code::Int) kind = "int";
  if (code == nb::dlpack::dtype_code::UInt) kind = "uint";
  if (code == nb::dlpack::dtype_code::Float) kind = "float";
  if (code == nb::dlpack::dtype_code::Complex) kind = "complex";
  if (code == nb::dlpack::dtype_code::Bool) return "bool";
  return text(kind, static_cast<int>(dtype.bits));
}

/// Device of DLPack memory. Page-locked host memory belongs to the CPU, managed memory to its CUDA device.
Device device_of(const char* operation, const std::string& argument, int type, int index) {
  if (type == nb::device::cpu::value || type == nb::device::cuda_host::value) return {};
  if (type == nb::device::cuda::value || type == nb::device::cuda_managed::value) return {DeviceKind::cuda, index};
  throw Error(text(operation, ": ", argument, " is on a device of DLPack's kind ", type, ", expected cpu or cuda."));
}

/// Returns true if an array is in device memory. Its library may then still write it on another stream.
bool has_stream(nb::handle array) {
  if (library_of(array) == Library::numpy || !nb::hasattr(array, "__dlpack_device__")) return false;
  const nb::object device = array.attr("__dlpack_device__")();
  const int type = nb::cast<int>(nb::int_(device[0]));
  return type == nb::device::cuda::value || type == nb::device::cuda_managed::value;
}

[[noreturn]] void not_an_array(const char* operation, const std::string& argument, nb::handle array) {
  throw Error(text(operation, ": ", argument, " is of type ", type_text(array),
                   ", expected an array of NumPy, CuPy, PyTorch, JAX or another library with DLPack."));
}

[[noreturn]] void not_shared(const char* operation, const std::string& argument, nb::handle array, bool write,
                             const std::string& reason) {
  const nb::object dtype = nb::getattr(array, "dtype", nb::none());
  require(!write || reason.size() > 0, operation, ": ", argument,
          " is read-only, expected an array that can be written.");
  throw Error(text(operation, ": ", argument, ", ", type_text(array), " of ", text_of(dtype), ", cannot be shared",
                   reason.empty() ? "" : ": " + reason, "."));
}

/// Exports an array by its __dlpack__. A BufferError, which says that an array cannot be exported, becomes an Error; other
/// exceptions are raised as they are.
template <class... Arguments>
nb::object exported(const char* operation, const std::string& argument, nb::handle array, bool write,
                    const Arguments&... arguments) {
  try {
    return array.attr("__dlpack__")(arguments...);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_BufferError)) throw;
    not_shared(operation, argument, array, write, text_of(nb::borrow(error.value())));
  }
}

/// Raises the reason why an array cannot be exported, if its library has one.
void raise_reason(const char* operation, const std::string& argument, nb::handle array, bool write) {
  const bool has_reason = library_of(array) != Library::numpy && nb::hasattr(array, "__dlpack__");
  if (has_reason) exported(operation, argument, array, write);
}

/// Imports the array through DLPack. Work of its library on another stream comes first.
/// @param stream  of the queue; null is the legacy default stream
nb::ndarray<nb::ro> share(const char* operation, const std::string& argument, nb::handle array, bool write,
                          void* stream) {
  require(
      library_of(array) != Library::torch || !nb::cast<bool>(array.attr("requires_grad")), operation, ": ", argument,
      " is a tensor that needs its gradient, which nothing here computes, so it cannot be shared. Pass its detach().");
  if (!nb::ndarray_check(array)) not_an_array(operation, argument, array);
  nb::ndarray<nb::ro> shared;
  nb::object source = nb::borrow(array);
  if (has_stream(array)) {
    constexpr std::intptr_t legacy_default_stream = 1;  // of the array API standard
    const auto number = stream == nullptr ? legacy_default_stream : reinterpret_cast<std::intptr_t>(stream);
    source = exported(operation, argument, array, write, nb::arg("stream") = number);
  }
  if (write) {
    nb::ndarray<> writable;
    if (!nb::try_cast(source, writable, false)) {
      const bool readable = nb::try_cast(source, shared, false);
      if (!readable) raise_reason(operation, argument, array, write);
      not_shared(operation, argument, array, write, readable ? "" : "its type is not one of DLPack");
    }
    return nb::ndarray<nb::ro>(writable);
  }
  if (!nb::try_cast(source, shared, false)) {
    raise_reason(operation, argument, array, write);
    not_shared(operation, argument, array, write, "");
  }
  return shared;
}

/// Returns true for host arrays of numbers that NumPy users expect to be converted: whole numbers and half precision.
bool is_convertible(const nb::ndarray<nb::ro>& array, nb::dlpack::dtype wanted) {
  const auto code_of = [](nb::dlpack::dtype dtype) { return static_cast<nb::dlpack::dtype_code>(dtype.code); };
  const bool on_host = array.device_type() == nb::device::cpu::value;
  if (!on_host || code_of(wanted) != nb::dlpack::dtype_code::Float) return false;
  const nb::dlpack::dtype_code code = code_of(array.dtype());
  return code == nb::dlpack::dtype_code::Int || code == nb::dlpack::dtype_code::UInt ||
         (code == nb::dlpack::dtype_code::Float && array.dtype().bits == 16);
}

int framework_device(Device device) {
  return device.kind == DeviceKind::cpu ? nb::device::cpu::value : nb::device::cuda::value;
}

}  // namespace

std::int64_t Strided::count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

std::string Strided::shape_text() const {
  std::string list;
  for (const std::int64_t extent : shape) list += (list.empty() ? "" : ", ") + text(extent);
  return "(" + list + (shape.size() == 1 ? ",)" : ")");
}

ArrayProperties properties_of(const char* operation, const char* argument, nb::handle input) {
  const nb::object array = as_array(operation, argument, input);
  if (!nb::ndarray_check(array)) not_an_array(operation, argument, array);
  const bool on_device = has_stream(array);
  const nb::ndarray<nb::ro> shared = share(operation, argument, array, false, nullptr);
  const bool becomes_double = is_convertible(shared, nb::dtype<double>());
  const std::string stored = dtype_text(shared.dtype());
  ArrayProperties properties{library_of(array), {}, becomes_double ? "float64" : stored, stored};
  if (on_device) properties.device = device_of(operation, argument, shared.device_type(), shared.device_id());
  return properties;
}

Strided CallArrays::import_array(nb::handle input, const std::string& argument, nb::dlpack::dtype dtype, bool write) {
  if (write) require_no_mask(operation_, argument, input);
  const nb::object array = write ? nb::borrow(input) : as_array(operation_, argument, input);
  const Library library = library_of(array);
  require(!write || library != Library::jax, operation_, ": ", argument,
          " is an array of JAX, which cannot be written. Leave it out: the result is a new one.");
  nb::ndarray<nb::ro> shared = share(operation_, argument, array, write, context_.queue.stream());
  if (!library_) library_ = library;
  const bool is_list = !array.is(input);
  if (!write && shared.dtype() != dtype && (is_list || is_convertible(shared, dtype)))
    shared = share(operation_, argument, converted(array, dtype_text(dtype)), false, nullptr);
  const Device device = device_of(operation_, argument, shared.device_type(), shared.device_id());
  require(device == context_.queue.device(), operation_, ": ", argument, " is on ", to_string(device), ", expected ",
          to_string(context_.queue.device()), ", where the plan works. Copy it, or make the plan with device = \"",
          to_string(device), "\".");
  require(shared.dtype() == dtype, operation_, ": ", argument, " is ", dtype_text(shared.dtype()), ", expected ",
          dtype_text(dtype), ". Convert it, or see the plan's `dtype`.");
  Strided strided;
  strided.data = const_cast<void*>(shared.data());
  for (std::size_t i = 0; i < shared.ndim(); ++i) {
    strided.shape.push_back(static_cast<std::int64_t>(shared.shape(i)));
    strided.strides.push_back(shared.stride(i));
  }
  inputs_.push_back(std::move(shared));
  return strided;
}

void CallArrays::require_count(const Strided& array, const std::string& argument, std::int64_t count) const {
  const bool is_table = array.shape.size() == 2 && array.shape[0] == count;
  require(array.count() == count, operation_, ": ", argument, " of shape ", array.shape_text(), " has ", array.count(),
          " elements, expected ", count, ".",
          is_table ? text(" Pass the columns of a table as a tuple, tuple(", argument, ".T).") : "");
}

CallArrays::Column CallArrays::flatten(const Strided& array, const std::string& argument, int dimensions) const {
  require(dimensions == 0 || array.shape.size() == static_cast<std::size_t>(dimensions), operation_, ": ", argument,
          " has the shape ", array.shape_text(), ", expected one dimension.");
  const std::int64_t count = array.count();
  std::int64_t stride = 1, expected = 0;
  for (std::size_t i = array.shape.size(); i-- > 0;) {
    if (array.shape[i] == 1 || count <= 1) continue;
    if (expected == 0) stride = expected = array.strides[i];
    require(array.strides[i] == expected, operation_, ": ", argument, " of shape ", array.shape_text(),
            " is not in C order with one stride. Copy it, as numpy.ascontiguousarray() does.");
    expected *= array.shape[i];
  }
  return {array.data, count, stride};
}

std::vector<CallArrays::Column> CallArrays::columns(nb::handle array, const std::string& argument, int dimensions,
                                                    nb::dlpack::dtype dtype) {
  const auto column_count = static_cast<std::size_t>(dimensions);
  std::vector<Column> columns;
  if (is_sequence_of_arrays(array)) {
    require(nb::len(array) == column_count, operation_, ": ", argument, " has ", nb::len(array), " columns, expected ",
            dimensions, ": one for each dimension.");
    for (std::size_t axis = 0; axis < column_count; ++axis) {
      const std::string name = text(argument, "[", axis, "]");
      columns.push_back(flatten(import_array(array[axis], name, dtype, false), name, 1));
      require(columns[axis].count == columns[0].count, operation_, ": ", name, " has ", columns[axis].count,
              " elements, but ", argument, "[0] has ", columns[0].count, ". Columns need equal numbers of elements.");
    }
    return columns;
  }
  const Strided table = import_array(array, argument, dtype, false);
  if (table.shape.size() == 1 && column_count == 1) return {flatten(table, argument, 1)};
  const bool is_transposed = table.shape.size() == 2 && table.shape[0] == dimensions;
  require(table.shape.size() == 2 && table.shape[1] == dimensions, operation_, ": ", argument, " has the shape ",
          table.shape_text(), ", expected (n, ", dimensions, "), or a tuple of ", dimensions, " columns.",
          is_transposed ? text(" Pass its transpose, ", argument, ".T.") : "");
  const auto bytes = static_cast<std::int64_t>(dtype.bits / 8);
  for (int axis = 0; axis < dimensions; ++axis)
    columns.push_back(
        {static_cast<char*>(table.data) + axis * table.strides[1] * bytes, table.shape[0], table.strides[0]});
  return columns;
}

nb::object CallArrays::export_array(void* data, nb::dlpack::dtype dtype, const std::vector<std::int64_t>& shape,
                                    nb::handle owner, bool read_only) const {
  std::vector<std::int64_t> strides(shape.size(), 1);  // of C order
  for (std::size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  return export_strided(data, dtype, shape, strides, owner, read_only);
}

nb::object CallArrays::export_strided(void* data, nb::dlpack::dtype dtype, const std::vector<std::int64_t>& shape,
                                      const std::vector<std::int64_t>& strides, nb::handle owner,
                                      bool read_only) const {
  const Device device = context_.queue.device();
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  const auto export_as = [&]<class... Kind>() {
    return nb::cast(nb::ndarray<Kind...>(data, extents.size(), extents.data(), owner, strides.data(), dtype,
                                         framework_device(device), device.index));
  };
  switch (library()) {
    case Library::numpy:
      return read_only ? export_as.operator()<nb::numpy, nb::ro>() : export_as.operator()<nb::numpy>();
    case Library::cupy:
      return export_as.operator()<nb::cupy>();
    case Library::torch:
      return export_as.operator()<nb::pytorch>();
    case Library::jax:
      return export_as.operator()<nb::jax>();
    case Library::other:
      break;
  }
  return export_as.operator()<nb::array_api>();
}

nb::object CallArrays::make_in_library(const std::vector<std::int64_t>& shape, nb::dlpack::dtype dtype) const {
  nb::list extents;
  for (const std::int64_t extent : shape) extents.append(extent);
  const nb::object size = nb::tuple(extents);
  const std::string type = dtype_text(dtype);
  const Device device = context_.queue.device();
  if (library() == Library::numpy) return nb::module_::import_("numpy").attr("empty")(size, type.c_str());
  if (library() == Library::torch) {
    const nb::object torch = nb::module_::import_("torch");
    return torch.attr("empty")(size, nb::arg("dtype") = torch.attr(type.c_str()),
                               nb::arg("device") = to_string(device).c_str());
  }
  if (library() == Library::cupy) {
    const nb::object cupy = nb::module_::import_("cupy");
    const nb::object device_context = cupy.attr("cuda").attr("Device")(device.index);
    device_context.attr("__enter__")();
    const nb::object made = cupy.attr("empty")(size, type.c_str());
    device_context.attr("__exit__")(nb::none(), nb::none(), nb::none());
    return made;
  }
  return {};
}

}  // namespace shoal::python
