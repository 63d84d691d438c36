// SPDX-License-Identifier: Apache-2.0
#include "papers/neighbors/neighbors_configurations.hpp"

#include <shoal/neighbors.hpp>

#include <algorithm>
#include <memory>

#include "neighbors/paper/paper_neighbors.hpp"

namespace shoal::benchmarks {

using neighbors::paper_configurations;
using neighbors::PaperConfiguration;
using neighbors::PaperNeighbors;

namespace {

/// Options with which `Neighbors` makes the list of the paper.
NeighborsOptions paper_options() { return {.method = "rows", .predicate = Predicate::inclusive, .include_self = true}; }

/// Plan with the method "rows" and its points on the device of its queue.
struct RowsPlan {
  SharedParticles host;
  Queue queue;
  Array<float> x, y, z;
  Neighbors<float> plan;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;

  RowsPlan(const Queue& queue_, const SharedParticles& particles)
      : host(particles),
        queue(queue_),
        x(queue, host->count()),
        y(queue, host->count()),
        z(queue, host->count()),
        plan(queue, host->radius, {}, paper_options()) {
    upload();
  }
  void upload() {
    copy<float>(queue, View<const float>(host->x), x.view());
    copy<float>(queue, View<const float>(host->y), y.view());
    copy<float>(queue, View<const float>(host->z), z.view());
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

/// Configuration whose iteration is `iterate` with a plan on a queue.
Configuration rows_configuration(const std::string& name, const Queue& queue,
                                 const std::function<void(RowsPlan&)>& iterate) {
  return {name, [=](const SharedParticles& particles) {
            const auto rows = std::make_shared<RowsPlan>(queue, particles);
            return [=] { iterate(*rows); };
          }};
}

/// Configuration of the paper whose iteration is a member function of PaperNeighbors.
Configuration paper_configuration(const PaperConfiguration& configuration, const Queue& queue,
                                  void (PaperNeighbors<float>::*iterate)(const Points<float>&),
                                  const std::string& name) {
  return {name, [=](const SharedParticles& particles) {
            const auto search = std::make_shared<PaperNeighbors<float>>(queue, configuration, particles->radius);
            return [=] { ((*search).*iterate)(particles->points()); };
          }};
}

}  // namespace

std::vector<Configuration> search_configurations(const std::optional<Queue>& gpu) {
  std::vector<Configuration> configurations;
  for (const PaperConfiguration& configuration : paper_configurations()) {
    if (configuration.device() == DeviceKind::cuda && !gpu) continue;
    const Queue queue = configuration.device() == DeviceKind::cuda ? *gpu : Queue::cpu(1);
    configurations.push_back(
        paper_configuration(configuration, queue, &PaperNeighbors<float>::find, configuration.name));
  }
  const Queue cpu = Queue::cpu();
  configurations.push_back(
      rows_configuration("shoal rows on " + threads_of(cpu), cpu, [](RowsPlan& rows) { rows.find(); }));
  if (!gpu) return configurations;
  configurations.push_back(rows_configuration("shoal rows on the GPU from and to the host", *gpu, [](RowsPlan& rows) {
    rows.upload();
    rows.find();
    rows.download();
  }));
  configurations.push_back(rows_configuration("shoal rows on the GPU with points and list there", *gpu,
                                              [](RowsPlan& rows) { rows.find(); }));
  return configurations;
}

std::vector<Configuration> binning_configurations(const std::optional<Queue>& gpu) {
  const auto is_gpu_binning = [](const PaperConfiguration& configuration) {
    return configuration.binning == DeviceKind::cuda;
  };
  const std::vector<PaperConfiguration> paper = paper_configurations();
  const Queue cpu = Queue::cpu();
  constexpr auto bin = &PaperNeighbors<float>::bin;
  std::vector<Configuration> configurations = {
      paper_configuration(paper.front(), Queue::cpu(1), bin, "CPU binning"),
      rows_configuration("shoal sort by cell on " + threads_of(cpu), cpu, [](RowsPlan& rows) { rows.bin(); }),
  };
  if (!gpu) return configurations;
  const auto on_gpu = std::find_if(paper.begin(), paper.end(), is_gpu_binning);
  configurations.insert(configurations.begin() + 1, paper_configuration(*on_gpu, *gpu, bin, "GPU binning"));
  configurations.push_back(
      rows_configuration("shoal sort by cell on the GPU", *gpu, [](RowsPlan& rows) { rows.bin(); }));
  return configurations;
}

std::vector<std::string> gpu_configurations() {
  std::vector<std::string> names;
  for (const PaperConfiguration& configuration : paper_configurations())
    if (configuration.device() == DeviceKind::cuda) names.push_back(configuration.name);
  return names;
}

}  // namespace shoal::benchmarks
