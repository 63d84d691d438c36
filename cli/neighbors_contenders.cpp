// SPDX-License-Identifier: Apache-2.0
#include "neighbors_contenders.hpp"

#include <shoal/neighbors.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "neighbors/paper/paper_neighbors.hpp"

namespace shoal::cli {

using neighbors::paper_configurations;
using neighbors::PaperConfiguration;
using neighbors::PaperNeighbors;

namespace {

struct Particles {
  std::vector<float> x, y, z;
  double radius;

  explicit Particles(std::int64_t n) : radius(2 * 1.2 * std::cbrt(1 / static_cast<double>(n))) {
    std::mt19937_64 random(1);
    const auto place = [&] { return static_cast<float>(random() >> 40) * 0x1p-24f; };  // [0, 1)
    for (std::vector<float>* axis : {&x, &y, &z})
      for (std::int64_t i = 0; i < n; ++i) axis->push_back(place());
  }
  Points<float> points() const { return {x, y, z}; }
};

/// The options that make `Neighbors` give the paper's list.
NeighborsOptions options_of_paper() {
  return {.method = "rows", .predicate = Predicate::inclusive, .include_self = true};
}

/// A plan of shoal, and its points on its queue's device.
struct Rows {
  Particles host;
  Queue queue;
  Array<float> x, y, z;
  Neighbors<float> plan;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;

  Rows(const Queue& on, std::int64_t n)
      : host(n), queue(on), x(on, n), y(on, n), z(on, n), plan(on, host.radius, {}, options_of_paper()) {
    upload();
  }
  void upload() {
    copy<float>(queue, View<const float>(host.x), x.view());
    copy<float>(queue, View<const float>(host.y), y.view());
    copy<float>(queue, View<const float>(host.z), z.view());
  }
  Points<float> points() const { return {x, y, z}; }
  void find() { plan.find(points()); }
  void bin() {
    plan.prepare(points());
    queue.wait();
  }
  void download() {
    offsets.resize(static_cast<std::size_t>(plan.offsets().count));
    indices.resize(static_cast<std::size_t>(plan.indices().count));
    copy<std::int64_t>(queue, plan.offsets(), View<std::int64_t>(offsets));
    copy<std::int32_t>(queue, plan.indices(), View<std::int32_t>(indices));
  }
};

std::string threads_of(const Queue& cpu) {
  return std::to_string(cpu.threads()) + (cpu.threads() == 1 ? " CPU thread" : " CPU threads");
}

/// A contender that does `iterate` with a Rows on a queue.
Contender of_rows(const std::string& name, const Queue& queue, const std::function<void(Rows&)>& iterate) {
  return {name, [=](std::int64_t n) {
            const auto rows = std::make_shared<Rows>(queue, n);
            return [=] { iterate(*rows); };
          }};
}

/// A configuration of the paper that does `iterate`, a member of PaperNeighbors.
Contender of_paper(const PaperConfiguration& configuration, const Queue& queue,
                   void (PaperNeighbors<float>::*iterate)(const Points<float>&), const std::string& name) {
  return {name, [=](std::int64_t n) {
            const auto particles = std::make_shared<Particles>(n);
            const auto search = std::make_shared<PaperNeighbors<float>>(queue, configuration, particles->radius);
            return [=] { ((*search).*iterate)(particles->points()); };
          }};
}

}  // namespace

std::vector<Contender> search_contenders(const std::optional<Queue>& gpu) {
  std::vector<Contender> contenders;
  for (const PaperConfiguration& configuration : paper_configurations()) {
    if (configuration.device() == DeviceKind::cuda && !gpu) continue;
    const Queue queue = configuration.device() == DeviceKind::cuda ? *gpu : Queue::cpu(1);
    contenders.push_back(of_paper(configuration, queue, &PaperNeighbors<float>::find, configuration.name));
  }
  const Queue cpu = Queue::cpu();
  contenders.push_back(of_rows("shoal rows on " + threads_of(cpu), cpu, [](Rows& rows) { rows.find(); }));
  if (!gpu) return contenders;
  contenders.push_back(of_rows("shoal rows on the GPU from and to the host", *gpu, [](Rows& rows) {
    rows.upload();
    rows.find();
    rows.download();
  }));
  contenders.push_back(
      of_rows("shoal rows on the GPU with points and list there", *gpu, [](Rows& rows) { rows.find(); }));
  return contenders;
}

std::vector<Contender> binning_contenders(const std::optional<Queue>& gpu) {
  const auto is_gpu_binning = [](const PaperConfiguration& paper) { return paper.binning == DeviceKind::cuda; };
  const std::vector<PaperConfiguration> papers = paper_configurations();
  const Queue cpu = Queue::cpu();
  constexpr auto bin = &PaperNeighbors<float>::bin;
  std::vector<Contender> contenders = {
      of_paper(papers.front(), Queue::cpu(1), bin, "CPU binning"),
      of_rows("shoal sort by cell on " + threads_of(cpu), cpu, [](Rows& rows) { rows.bin(); }),
  };
  if (!gpu) return contenders;
  const auto on_gpu = std::find_if(papers.begin(), papers.end(), is_gpu_binning);
  contenders.insert(contenders.begin() + 1, of_paper(*on_gpu, *gpu, bin, "GPU binning"));
  contenders.push_back(of_rows("shoal sort by cell on the GPU", *gpu, [](Rows& rows) { rows.bin(); }));
  return contenders;
}

std::vector<std::string> gpu_configurations() {
  std::vector<std::string> names;
  for (const PaperConfiguration& configuration : paper_configurations())
    if (configuration.device() == DeviceKind::cuda) names.push_back(configuration.name);
  return names;
}

}  // namespace shoal::cli
