// SPDX-License-Identifier: Apache-2.0
#include "support/plan_context.hpp"

#include "support/arrays.hpp"
#include "support/gil.hpp"
#include "support/inputs.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

namespace {

/// Name of a dtype: "float32" for "float32", numpy.float32, numpy.dtype("float32") and torch.float32.
std::string dtype_name(nb::handle dtype) {
  if (PyType_Check(dtype.ptr())) return nb::cast<nb::str>(dtype.attr("__name__")).c_str();
  const std::string name = text_of(nb::borrow(dtype));
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

bool is_single(const char* operation, const std::string& dtype) {
  require(dtype == "float32" || dtype == "float64", operation, ": dtype = \"", dtype,
          "\", expected \"float32\" or \"float64\".");
  return dtype == "float32";
}

/// Handle of a stream of CuPy, PyTorch, CUDA Python or Numba, or of a stream given as a number.
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

/// Stream that shares ownership of its Python object: plans and the arrays that they return may outlive the caller's
/// reference.
std::shared_ptr<void> owned_stream(const char* operation, nb::handle stream) {
  void* const handle = stream_handle(operation, stream);
  const std::shared_ptr<PyObject> owner(stream.inc_ref().ptr(), [](PyObject* object) {
    if (!nb::is_alive()) return;
    const GilAcquire gil;
    Py_DECREF(object);
  });
  return {owner, handle};
}

Queue open_queue(const char* operation, Device device, nb::handle stream, int threads) {
  if (device.kind == DeviceKind::cpu) {
    require(stream.is_none(), operation, ": stream is given, but the device is cpu. Leave it out.");
    return Queue::cpu(threads);
  }
  // CuPy and PyTorch use the legacy default stream, too, unless the caller selects another one.
  if (stream.is_none()) return Queue::cuda(device.index, nullptr);
  return Queue::cuda(device.index, owned_stream(operation, stream));
}

/// Current stream of a library; None if the library does not report it.
nb::object current_stream(Library library, int index) {
  if (library == Library::cupy) return nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")();
  if (library == Library::torch) return nb::module_::import_("torch").attr("cuda").attr("current_stream")(index);
  return nb::none();
}

/// The array itself, or the first column of a tuple.
nb::object first_array(nb::handle array) {
  return is_sequence_of_arrays(array) ? nb::object(array[0]) : nb::borrow(array);
}

/// Returns true if the caller has the stream of the plan. JAX does not report its streams.
bool caller_has_stream(const char* operation, const ContextOptions& options) {
  if (!options.stream.is_none()) return true;
  if (options.like.is_none()) return false;
  const Library library = properties_of(operation, "like", first_array(options.like)).library;
  return library == Library::cupy || library == Library::torch;
}

}  // namespace

template <>
struct OptionType<Dtype> {
  static std::string name() { return "typing.Any"; }
  static std::string literal(const Dtype& dtype) { return "'" + dtype.name + "'"; }
  static Dtype read(const std::string&, nb::handle value) { return {dtype_name(value)}; }
};

template <>
struct OptionType<DeviceName> {
  static std::string name() { return "typing.Any"; }
  static std::string literal(const DeviceName& device) { return "'" + device.name + "'"; }
  static DeviceName read(const std::string&, nb::handle value) { return read_device(value); }
};

const Options<ContextOptions>& double_context_options() {
  static const auto table = Options<ContextOptions>()
                                .add("device", &ContextOptions::device)
                                .add("stream", &ContextOptions::stream)
                                .add("threads", &ContextOptions::threads)
                                .add("wait", &ContextOptions::wait)
                                .add("like", &ContextOptions::like);
  return table;
}

const Options<ContextOptions>& context_options() {
  static const auto table =
      Options<ContextOptions>().add("dtype", &ContextOptions::dtype).append(double_context_options());
  return table;
}

const Options<CallOptions>& call_options() {
  static const auto table =
      Options<CallOptions>().add("stream", &CallOptions::stream).add("threads", &CallOptions::threads);
  return table;
}

PlanContext context_of(const char* operation, const char* argument, nb::handle array, const CallOptions& options) {
  const ArrayProperties properties = properties_of(operation, argument, first_array(array));
  nb::object stream = options.stream;
  if (stream.is_none() && properties.device.kind == DeviceKind::cuda)
    stream = current_stream(properties.library, properties.device.index);
  return {open_queue(operation, properties.device, stream, options.threads), is_single(operation, properties.dtype),
          true};
}

DeviceName read_device(nb::handle device) {
  if (!nb::isinstance<Queue>(device)) return {text_of(nb::borrow(device))};
  const Queue queue = nb::cast<Queue>(device);
  return {to_string(queue.device()), queue};
}

Queue queue_of(const std::string& device, int threads) { return Queue::parse(device, threads); }

Queue queue_of(const DeviceName& device, int threads, const Communicator& ranks) {
  if (!device.queue) return queue_of_ranks(ranks, device.name, threads);
  return device.queue->on_cpu() && threads != 0 ? Queue::cpu(threads) : *device.queue;
}

PlanContext make_context(const char* operation, const ContextOptions& options, const Communicator& ranks) {
  PlanContext context = [&]() -> PlanContext {
    if (!options.like.is_none()) return context_of(operation, "like", options.like, {options.stream, options.threads});
    const Queue queue = queue_of(options.device, options.threads, ranks);
    const bool single = is_single(operation, options.dtype.name);
    // A plan on CUDA has the stream of the caller's arrays, not that of the queue.
    if (queue.on_cpu() && options.stream.is_none()) return {queue, single};
    return {open_queue(operation, queue.device(), options.stream, options.threads), single};
  }();
  context.wait = options.wait;
  require(options.wait || context.queue.on_cpu() || caller_has_stream(operation, options), operation,
          ": wait = False needs `stream`, the stream of your own work.");
  return context;
}

}  // namespace shoal::python
