// SPDX-License-Identifier: Apache-2.0
#include <omp.h>
#include <pthread.h>
#include <shoal/array.hpp>

#include <cstdlib>
#include <cstring>

#include "core/device/queue_order.hpp"
#include "core/device/queue_state.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// Ends the waiting threads of a thread that calls fork(), as Python's multiprocessing does. They do not exist in the
/// child, whose first parallel region would wait for them forever; without them, parent and child start new ones.
/// clang's OpenMP library does this itself.
void end_waiting_threads() {
#ifndef __clang__
  omp_pause_resource_all(omp_pause_soft);
#endif
}

[[maybe_unused]] const int fork_handler = pthread_atfork(&end_waiting_threads, nullptr, nullptr);

#ifndef SHOAL_CUDA
[[noreturn]] void no_cuda_in_build() {
  throw Error("queue: this build of shoal has no CUDA. Configure with -DSHOAL_CUDA=ON, or use the device \"cpu\".");
}
#endif

/// Number of threads for a queue. @param threads  0: that of OpenMP
int checked_threads(int threads) {
  constexpr int most = 4096;  // OpenMP libraries crash for numbers that are far larger
  require(threads >= 0 && threads <= most, "queue: threads = ", threads,
          ", expected 0 (take all) or a number from 1 to ", most, ".");
  const int present = threads > 0 ? threads : omp_get_max_threads();
  require(present <= most, "queue: the variable OMP_NUM_THREADS asks for ", present, " threads, expected at most ",
          most, ".");
  return present;
}

std::shared_ptr<Queue::State> open_cuda(int index, int threads, void* stream, bool make_stream) {
#ifdef SHOAL_CUDA
  const int count = cuda_runtime::device_count();
  require(count > 0, "queue: no usable CUDA device: ", cuda_runtime::why_none(), ". Use the device \"cpu\".");
  require(index >= 0 && index < count, "queue: no CUDA device ", index, "; this machine has ", count, " (0 to ",
          count - 1, ").");
  auto state = std::make_shared<Queue::State>();
  state->device = {DeviceKind::cuda, index};
  state->threads = checked_threads(threads);
  state->stream = stream;
  cuda_runtime::open(*state, make_stream);
  return state;
#else
  (void)index, (void)threads, (void)stream, (void)make_stream;
  no_cuda_in_build();
#endif
}

}  // namespace

std::string to_string(Device device) { return device.kind == DeviceKind::cpu ? "cpu" : text("cuda:", device.index); }

Queue::State::~State() {
#ifdef SHOAL_CUDA
  if (device.kind == DeviceKind::cuda) cuda_runtime::close(*this);
#endif
}

Queue Queue::cpu(int threads) {
  auto state = std::make_shared<State>();
  state->threads = checked_threads(threads);
  state->name = text("cpu, ", state->threads, state->threads == 1 ? " thread" : " threads");
  return Queue(state);
}

Queue Queue::cuda(int index) { return Queue(open_cuda(index, 0, nullptr, true)); }

Queue Queue::cuda(int index, void* stream) { return Queue(open_cuda(index, 0, stream, false)); }

Queue Queue::cuda(int index, std::shared_ptr<void> stream) {
  auto state = open_cuda(index, 0, stream.get(), false);
  state->stream_owner = std::move(stream);
  return Queue(std::move(state));
}

Queue Queue::best() { return cuda_device_count() > 0 ? cuda(0) : cpu(); }

Queue Queue::parse(std::string_view word, int threads) {
  const auto on_cuda = [&](int index) { return Queue(open_cuda(index, threads, nullptr, true)); };
  if (word == "best") word = cuda_device_count() > 0 ? "cuda" : "cpu";
  if (word == "cpu") return cpu(threads);
  if (word == "cuda") return on_cuda(0);
  constexpr std::string_view prefix = "cuda:";
  if (word.starts_with(prefix)) {
    const std::string_view digits = word.substr(prefix.size());
    int index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error == std::errc{} && end == digits.data() + digits.size()) return on_cuda(index);
  }
  throw Error(text("queue: unknown device \"", word, "\"; expected cpu, cuda, cuda:1 or best."));
}

Device Queue::device() const { return state_->device; }
int Queue::threads() const { return state_->threads; }
void* Queue::stream() const { return state_->stream; }
std::string Queue::name() const { return state_->name; }

void Queue::wait() const {
  bool has_waited = false;
  for (const std::weak_ptr<StatusPage>& page : state_->status_pages)
    if (const auto alive = page.lock()) {
      alive->fetch();
      has_waited = true;
    }
  if (!has_waited) wait_for_work(*this);
  auto& watched = state_->watched;
  std::erase_if(watched, [](const std::weak_ptr<StatusBlock>& block) { return block.expired(); });
  std::optional<std::string> first;
  for (const std::weak_ptr<StatusBlock>& block : watched)
    if (const auto alive = block.lock())
      if (const auto message = alive->take_fetched(); message && !first) first = message;
  if (first) throw Error(*first);
}

void wait_for_work([[maybe_unused]] const Queue& queue) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) cuda_runtime::synchronize(queue.state());
#endif
}

void enqueue_wait(const Queue& later, const Queue& earlier) {
#ifdef SHOAL_CUDA
  if (!later.on_cpu() && !earlier.on_cpu()) cuda_runtime::enqueue_wait(later.state(), earlier.state());
#else
  (void)later, (void)earlier;
#endif
}

DeviceUuid cuda_device_uuid([[maybe_unused]] int index) {
#ifdef SHOAL_CUDA
  return cuda_runtime::uuid(index);
#else
  no_cuda_in_build();
#endif
}

void with_cuda_device([[maybe_unused]] int index, [[maybe_unused]] const std::function<void()>& work) {
#ifdef SHOAL_CUDA
  cuda_runtime::with_device(index, work);
#else
  no_cuda_in_build();
#endif
}

int cuda_device_count() {
#ifdef SHOAL_CUDA
  return cuda_runtime::device_count();
#else
  return 0;
#endif
}

std::string cuda_description() {
#ifdef SHOAL_CUDA
  if (cuda_device_count() > 0) return cuda_runtime::versions();
  return "no usable device: " + cuda_runtime::why_none();
#else
  return "not in this build";
#endif
}

void* allocate_bytes(const Queue& queue, std::size_t bytes) {
  if (bytes == 0) return nullptr;
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return cuda_runtime::allocate(queue.state(), bytes);
#endif
  constexpr std::size_t line = 64;
  void* pointer = std::aligned_alloc(line, (bytes + line - 1) / line * line);
  if (pointer == nullptr) throw_out_of_memory("cpu", bytes, memory_info(queue));
  return pointer;
}

void free_bytes(const Queue& queue, void* pointer) noexcept {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return cuda_runtime::free(queue.state(), pointer);
#else
  (void)queue;
#endif
  std::free(pointer);
}

void copy_bytes(const Queue& queue, void* destination, Device destination_device, const void* source,
                Device source_device, std::size_t bytes) {
  if (bytes == 0) return;
  if (destination_device.kind == DeviceKind::cpu && source_device.kind == DeviceKind::cpu) {
    std::memcpy(destination, source, bytes);
    return;
  }
#ifdef SHOAL_CUDA
  require(!queue.on_cpu(), "copy: from ", to_string(source_device), " to ", to_string(destination_device),
          " needs a CUDA queue, got ", queue.name(), ".");
  if (destination_device.kind == DeviceKind::cpu) return cuda_runtime::fetch(queue.state(), destination, source, bytes);
  cuda_runtime::copy(queue.state(), destination, source, bytes, source_device.kind == DeviceKind::cpu);
#else
  (void)queue;
  no_cuda_in_build();
#endif
}

void fill_bytes(const Queue& queue, void* destination, int value, std::size_t bytes) {
  if (bytes == 0) return;
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return cuda_runtime::fill(queue.state(), destination, value, bytes);
#else
  (void)queue;
#endif
  std::memset(destination, value, bytes);
}

void require_copyable(std::int64_t source_count, bool source_contiguous, std::int64_t destination_count,
                      bool destination_contiguous) {
  require(source_count == destination_count, "copy: the views have ", source_count, " and ", destination_count,
          " elements, expected equal counts.");
  require(source_contiguous && destination_contiguous, "copy: a view is strided, expected contiguous ones.");
}

}  // namespace shoal
