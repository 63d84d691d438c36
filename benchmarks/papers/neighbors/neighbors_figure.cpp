// SPDX-License-Identifier: Apache-2.0
#include "papers/neighbors/neighbors_figure.hpp"

#include <fmt/format.h>
#include <shoal/error.hpp>

#include <ostream>

#include "io/validation/svg_plot.hpp"
#include "papers/result_csv.hpp"

namespace shoal::benchmarks {

namespace {

void write_heading(const Figure& figure, std::ostream& out) {
  out << figure.title << '\n';
  for (std::size_t k = 0; k < figure.names.size(); ++k) out << fmt::format("{:>4}  {}\n", k + 1, figure.names[k]);
  out << fmt::format("{:>10}", "particles");
  for (std::size_t k = 0; k < figure.names.size(); ++k) out << fmt::format("{:>11}", k + 1);
  out << std::endl;
}

void write_speed_up(const Figure& figure, std::ostream& out) {
  const Timing& base = figure.timings.front().back();
  if (base.iterations == 0) return;
  out << fmt::format("{:>10}", "1 / it");
  for (const std::vector<Timing>& timings : figure.timings)
    out << (timings.back().iterations == 0
                ? fmt::format("{:>11}", "-")
                : fmt::format("{:>11.3g}", figure.total(base) / figure.total(timings.back())));
  out << "   at the largest size\n";
}

}  // namespace

Figure measure_figure(const std::string& title, const std::vector<Configuration>& configurations,
                      const FigureOptions& options, std::ostream& out) {
  Figure figure{title, {}, options, std::vector<std::vector<Timing>>(configurations.size()), {}};
  for (const Configuration& configuration : configurations) figure.names.push_back(configuration.name);
  write_heading(figure, out);
  for (const std::int64_t size : options.sizes) {
    const SharedParticles particles = uniform_particles(size);
    out << fmt::format("{:>10}", size);
    for (std::size_t k = 0; k < configurations.size(); ++k) {
      Timing timing;
      try {
        timing = measure(configurations[k].prepare(particles), options.each);
      } catch (const Error& error) {
        figure.failures.push_back(fmt::format("{} at {} particles: {}", configurations[k].name, size, error.what()));
      }
      figure.timings[k].push_back(timing);
      out << (timing.iterations == 0 ? fmt::format("{:>11}", "-") : fmt::format("{:>11.4g}", figure.total(timing)));
      out << std::flush;
    }
    out << std::endl;
  }
  write_speed_up(figure, out);
  for (const std::string& failure : figure.failures) out << failure << '\n';
  return figure;
}

void write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name) {
  const std::string total = fmt::format("time of {} iterations [s]", figure.options.each.iterations);
  ResultCsv csv(folder / (name + ".csv"),
                {"configuration", "particles", "iterations run", "time of these [s]", total, "time [ms]"});
  io::Plot plot{figure.title, "particles", total, {}};
  for (std::size_t k = 0; k < figure.names.size(); ++k) {
    io::PlotSeries series{figure.names[k], {}, {}};
    for (std::size_t i = 0; i < figure.options.sizes.size(); ++i) {
      const Timing& timing = figure.timings[k][i];
      if (timing.iterations == 0) continue;
      csv.append(figure.names[k], figure.options.sizes[i], timing.iterations, timing.seconds, figure.total(timing),
                 timing.milliseconds());
      series.x.push_back(static_cast<double>(figure.options.sizes[i]));
      series.y.push_back(figure.total(timing));
    }
    plot.series.push_back(std::move(series));
  }
  io::write_svg(folder / (name + ".svg"), plot);
}

}  // namespace shoal::benchmarks
