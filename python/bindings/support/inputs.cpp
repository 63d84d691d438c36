// SPDX-License-Identifier: Apache-2.0
#include "support/inputs.hpp"

#include <nanobind/ndarray.h>

#include "core/text.hpp"
#include "support/options.hpp"

namespace shoal::python {

namespace {

bool is_sequence(nb::handle input) { return PyTuple_Check(input.ptr()) || PyList_Check(input.ptr()); }

nb::object numpy_array(nb::handle input, nb::handle dtype) {
  return nb::module_::import_("numpy").attr("asarray")(input, dtype);
}

/// NumPy array of the numbers of a list.
nb::object array_of_list(const char* operation, const std::string& argument, nb::handle list) {
  nb::object array;
  try {
    array = numpy_array(list, nb::none());
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    throw Error(text(operation, ": ", argument, " is a list whose rows differ in length, expected rows of as many ",
                     "numbers each."));
  }
  const std::string kind = text_of(array.attr("dtype").attr("kind"));
  require(nb::len(list) > 0 && (kind == "f" || kind == "i" || kind == "u"), operation, ": ", argument, " is a list of ",
          nb::len(list) == 0 ? "nothing" : text_of(array.attr("dtype")),
          ", expected numbers, or an array of NumPy, CuPy, PyTorch, JAX or another library with DLPack.");
  return numpy_array(array, nb::str("float64"));
}

}  // namespace

bool is_sequence_of_arrays(nb::handle input) {
  if (!is_sequence(input) || nb::len(input) == 0) return false;
  const nb::object first = input[0];
  if (!nb::ndarray_check(first) || PyBytes_Check(first.ptr())) return false;
  return !nb::hasattr(first, "shape") ||
         nb::len(nb::object(first.attr("shape"))) > 0;  // a number of NumPy has the shape ()
}

nb::object as_array(const char* operation, const std::string& argument, nb::handle input) {
  require(!input.is_none(), operation, ": ", argument,
          " is None, expected an array of NumPy, CuPy, PyTorch, JAX or another library with DLPack.");
  if (is_sequence(input)) return array_of_list(operation, argument, input);
  require_no_mask(operation, argument, input);
  return nb::borrow(input);
}

nb::object converted(nb::handle array, const std::string& dtype) { return numpy_array(array, nb::str(dtype.c_str())); }

void require_no_mask(const char* operation, const std::string& argument, nb::handle array) {
  require(!nb::hasattr(array, "mask") || !nb::hasattr(array, "filled"), operation, ": ", argument,
          " is a masked array, whose mask nothing reads. Pass an array of the valid elements, or ", argument,
          ".filled(value).");
}

}  // namespace shoal::python
