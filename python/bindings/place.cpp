// SPDX-License-Identifier: Apache-2.0
#include "place.hpp"

#include "arrays.hpp"

namespace shoal::python {

namespace {

/// "float32" of "float32", numpy.float32, numpy.dtype("float32") and torch.float32.
std::string dtype_word(nb::handle dtype) {
  if (PyType_Check(dtype.ptr())) return nb::cast<nb::str>(dtype.attr("__name__")).c_str();
  const std::string word = text_of(nb::borrow(dtype));
  const std::size_t dot = word.rfind('.');
  return dot == std::string::npos ? word : word.substr(dot + 1);
}

bool is_single(const char* operation, const std::string& dtype) {
  require(dtype == "float32" || dtype == "float64", operation, ": dtype = \"", dtype,
          "\", expected \"float32\" or \"float64\".");
  return dtype == "float32";
}

/// The handle of a stream of CuPy, PyTorch, CUDA Python or Numba, or the number that it is.
void* stream_handle(const char* operation, nb::handle stream) {
  nb::object number = nb::borrow(stream);
  if (nb::hasattr(stream, "__cuda_stream__"))
    number = stream.attr("__cuda_stream__")()[1];  // (version of the protocol, handle)
  else if (nb::hasattr(stream, "cuda_stream"))
    number = stream.attr("cuda_stream");
  else if (nb::hasattr(stream, "ptr"))
    number = stream.attr("ptr");
  return reinterpret_cast<void*>(read_whole_number(text(operation, ": stream"), number));
}

/// The stream with the object that owns it: plans and the arrays that they return may outlive the caller's name for it.
std::shared_ptr<void> keep_stream(const char* operation, nb::handle stream) {
  void* const handle = stream_handle(operation, stream);
  const std::shared_ptr<PyObject> owner(stream.inc_ref().ptr(), [](PyObject* object) {
    if (!nb::is_alive()) return;
    const nb::gil_scoped_acquire the_object_is_of_python;
    Py_DECREF(object);
  });
  return {owner, handle};
}

Queue open_queue(const char* operation, Device device, nb::handle stream, int threads) {
  if (device.kind == DeviceKind::cpu) {
    require(stream.is_none(), operation, ": stream is given, but the device is cpu. Leave it out.");
    return Queue::cpu(threads);
  }
  // The legacy default stream is that of CuPy and PyTorch, too, unless told otherwise.
  if (stream.is_none()) return Queue::cuda(device.index, nullptr);
  return Queue::cuda(device.index, keep_stream(operation, stream));
}

/// The stream that a library works on now; None: it does not say.
nb::object current_stream(Library library, int index) {
  if (library == Library::cupy) return nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")();
  if (library == Library::torch) return nb::module_::import_("torch").attr("cuda").attr("current_stream")(index);
  return nb::none();
}

/// An array, or the first column of a tuple.
nb::object first_array(const char* operation, nb::handle array) {
  const bool columns = PyTuple_Check(array.ptr()) || PyList_Check(array.ptr());
  require(!columns || nb::len(array) > 0, operation, ": expected an array or a tuple of columns, got none.");
  return columns ? nb::object(array[0]) : nb::borrow(array);
}

/// Whether the caller knows the stream that a plan works on: JAX tells nobody which one is its own.
bool stream_is_known(const char* operation, const PlaceOptions& options) {
  if (!options.stream.is_none()) return true;
  if (options.like.is_none()) return false;
  const Library library = facts_of(operation, first_array(operation, options.like)).library;
  return library == Library::cupy || library == Library::torch;
}

}  // namespace

template <>
struct OptionType<Dtype> {
  static std::string name() { return "typing.Any"; }
  static std::string show(const Dtype& dtype) { return "'" + dtype.word + "'"; }
  static Dtype read(const std::string&, nb::handle value) { return {dtype_word(value)}; }
};

template <>
struct OptionType<DeviceName> {
  static std::string name() { return "typing.Any"; }
  static std::string show(const DeviceName& device) { return "'" + device.word + "'"; }
  static DeviceName read(const std::string&, nb::handle value) { return {text_of(nb::borrow(value))}; }
};

const Options<PlaceOptions>& double_place_options() {
  static const auto table = Options<PlaceOptions>()
                                .add("device", &PlaceOptions::device)
                                .add("stream", &PlaceOptions::stream)
                                .add("threads", &PlaceOptions::threads)
                                .add("wait", &PlaceOptions::wait)
                                .add("like", &PlaceOptions::like);
  return table;
}

const Options<PlaceOptions>& place_options() {
  static const auto table = Options<PlaceOptions>().add("dtype", &PlaceOptions::dtype).add_rows(double_place_options());
  return table;
}

const Options<CallOptions>& call_options() {
  static const auto table =
      Options<CallOptions>().add("stream", &CallOptions::stream).add("threads", &CallOptions::threads);
  return table;
}

Place place_of(const char* operation, nb::handle array, const CallOptions& options) {
  const ArrayFacts facts = facts_of(operation, first_array(operation, array));
  nb::object stream = options.stream;
  if (stream.is_none() && facts.device.kind == DeviceKind::cuda)
    stream = current_stream(facts.library, facts.device.index);
  return {open_queue(operation, facts.device, stream, options.threads), is_single(operation, facts.dtype), true};
}

Place make_place(const char* operation, const PlaceOptions& options) {
  Place place = [&]() -> Place {
    if (!options.like.is_none()) return place_of(operation, options.like, {options.stream, options.threads});
    const Device device = Queue::parse(options.device.word).device();
    return {open_queue(operation, device, options.stream, options.threads), is_single(operation, options.dtype.word)};
  }();
  place.wait = options.wait;
  require(options.wait || place.queue.on_cpu() || stream_is_known(operation, options), operation,
          ": wait = False needs `stream`, the one that you put your own work on.");
  return place;
}

}  // namespace shoal::python
