// SPDX-License-Identifier: Apache-2.0
// sorted: vector instructions on eight particles of a cell.
//
// idea           lane l of a vector adds particles l, l + 8, ... of a cell for each of its corners; a butterfly adds the
//                lanes; then each node adds the parts of the cells around it
// source         shoal; on GPUs Zhao's method, Larson, Carver and Zhao (2015), has threads as lanes
// memory         8 K numbers per cell, and 8 K per 512 particles of cells with more than 8192
// atomics        none
// deterministic  yes: the canonical sum, whatever the number of threads
// wins when      there are several particles per cell, or several threads
// loses when     there is one thread and about one particle per cell, or most cells are empty
// deviations     cut into chunks, so that one full cell is shared by all threads
// shapes         tsc and pcs in src/deposit/shapes/sorted_shape.cpp
#include "core/cpu_variants.hpp"
#include "deposit/methods/methods.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/sums/cell_parts.hpp"

namespace shoal::deposit {

namespace {

/// Greatest number of particles of a cell that one thread adds.
constexpr std::int64_t max_of_thread = tuning::max_chunks_of_thread * sum_chunk;

/// Sums of the lanes for each corner of a cell, for one value.
template <class Real>
struct LaneSums {
  Real corner[part_corners][sum_lanes];
};

/// Weights of particles first, first + 1, ... in lanes; lanes from `lanes` on are undefined.
template <class Real>
SHOAL_HD void find_weights(const DepositCall<Real>& call, std::int64_t cell, std::int64_t first, int lanes,
                           LaneSums<Real>& weight) {
  const BinnedParticles<Real>& particles = call.particles;
  const int corners = call.space.corners();
  if (!call.space.is_all_open(cell)) {
    for (int lane = 0; lane < lanes; ++lane) {
      const CornerWeights<Real> weights = particles.weights(call.space, cell, first + lane);
      for (int c = 0; c < corners; ++c) weight.corner[c][lane] = weights[c];
    }
    return;
  }
  const Real* x = particles.offset[0] + first;
  const Real* y = particles.offset[1] + first;
  for (int lane = 0; lane < sum_lanes; ++lane) {
    weight.corner[0][lane] = (1 - x[lane]) * (1 - y[lane]);
    weight.corner[1][lane] = x[lane] * (1 - y[lane]);
    weight.corner[2][lane] = (1 - x[lane]) * y[lane];
    weight.corner[3][lane] = x[lane] * y[lane];
  }
  if (corners == 4) return;
  const Real* z = particles.offset[2] + first;
  for (int c = 0; c < 4; ++c)
    for (int lane = 0; lane < sum_lanes; ++lane) {
      weight.corner[c + 4][lane] = weight.corner[c][lane] * z[lane];
      weight.corner[c][lane] = weight.corner[c][lane] * (1 - z[lane]);
    }
}

/// Adds a value of `lanes` particles to their lanes.
template <class Real>
SHOAL_HD void add(const LaneSums<Real>& weight, const Real (&value)[sum_lanes], int corners, int lanes,
                  LaneSums<Real>& sum) {
  if (lanes == sum_lanes) {
    for (int c = 0; c < corners; ++c)
      for (int lane = 0; lane < sum_lanes; ++lane)
        sum.corner[c][lane] = std::fma(weight.corner[c][lane], value[lane], sum.corner[c][lane]);
    return;
  }
  for (int c = 0; c < corners; ++c)
    for (int lane = 0; lane < sum_lanes; ++lane) {
      const Real next = std::fma(weight.corner[c][lane], value[lane], sum.corner[c][lane]);
      sum.corner[c][lane] = lane < lanes ? next : sum.corner[c][lane];
    }
}

/// Parts of a cell with so few particles that lanes would be empty: the vector holds the eight corners instead. Each lane
/// of the canonical sum has at most one particle; lanes without a particle hold +0.
template <class Real>
SHOAL_HD void sum_few(const DepositCall<Real>& call, std::int64_t cell, Range few, Real* part) {
  CornerWeights<Real> weight[tuning::max_few_particles];
  for (std::int64_t p = few.begin; p < few.end; ++p)
    weight[p - few.begin] = call.particles.weights(call.space, cell, p);
  for (int k = 0; k < call.value_count(); ++k) {
    Real lane[tuning::max_few_particles][part_corners] = {};
    for (std::int64_t l = 0; l < few.count(); ++l) {
      const Real value = call.values.at(k, call.particles.number(few.begin + l));
      for (int c = 0; c < part_corners; ++c) lane[l][c] = std::fma(weight[l][c], value, Real(0));
    }
    // Lanes 4 to 7 hold +0; l0 + 0 is not l0 where that is -0.
    for (int c = 0; c < part_corners; ++c)
      part[k * part_corners + c] = ((lane[0][c] + 0) + (lane[2][c] + 0)) + ((lane[1][c] + 0) + (lane[3][c] + 0));
  }
}

/// Parts of a chunk of a cell, for all values.
/// @param part  [values][8]
template <class Real>
SHOAL_HD void sum_chunk_of(const DepositCall<Real>& call, std::int64_t cell, Range chunk, Real* part) {
  const int values = call.value_count();
  const int corners = call.space.corners();
  LaneSums<Real> sum[Fields<Real>::max_count];
  for (int k = 0; k < values; ++k) sum[k] = {};
  for (std::int64_t first = chunk.begin; first < chunk.end; first += sum_lanes) {
    const int lanes = static_cast<int>(std::min<std::int64_t>(sum_lanes, chunk.end - first));
    LaneSums<Real> weight;
    find_weights(call, cell, first, lanes, weight);
    std::int64_t number[sum_lanes];
    for (int lane = 0; lane < sum_lanes; ++lane)
      number[lane] = call.particles.number(first + (lane < lanes ? lane : 0));
    for (int k = 0; k < values; ++k) {
      Real value[sum_lanes];
      for (int lane = 0; lane < sum_lanes; ++lane) value[lane] = call.values.at(k, number[lane]);
      add(weight, value, corners, lanes, sum[k]);
    }
  }
  for (int k = 0; k < values; ++k)
    for (int c = 0; c < corners; ++c) part[k * part_corners + c] = sum_of_lanes(sum[k].corner[c]);
}

Range range_of_chunk(Range particles, std::int64_t chunk) {
  const std::int64_t begin = particles.begin + chunk * sum_chunk;
  return {begin, std::min(begin + sum_chunk, particles.end)};
}

/// Parts of a cell with several chunks from the parts of the chunks: step 4 of the canonical sum.
/// @param chunk_sums  [chunks][width]
template <class Real>
SHOAL_HD void add_chunks(const Real* chunk_sums, std::int64_t chunks, std::int64_t width, Real* part) {
  for (std::int64_t i = 0; i < width; ++i) {
    Real lane[chunk_lanes] = {};
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      lane[chunk % chunk_lanes] = lane[chunk % chunk_lanes] + chunk_sums[chunk * width + i];
    for (int half = chunk_lanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
    part[i] = lane[0];
  }
}

/// Parts of a range of cells, except full cells, whose particles threads share. Returns true if there are full cells.
template <class Real>
SHOAL_CPU_VARIANTS bool sum_cells(const DepositCall<Real>& call, Range cells, Real* parts) {
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * part_corners;
  Real chunk_sums[tuning::max_chunks_of_thread * Fields<Real>::max_count * part_corners];
  bool has_full_cells = false;
  for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
    Real* part = parts + cell * width;
    const Range particles = call.particles.of_cell(cell);
    if (particles.count() > max_of_thread) {
      has_full_cells = true;
      continue;
    }
    if (particles.count() <= 0) {
      std::fill_n(part, width, Real(0));
      continue;
    }
    if (particles.count() <= tuning::max_few_particles) {
      sum_few(call, cell, particles, part);
      continue;
    }
    const std::int64_t chunks = chunk_count(particles.count());
    if (chunks == 1) {
      sum_chunk_of(call, cell, particles, part);
      continue;
    }
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      sum_chunk_of(call, cell, range_of_chunk(particles, chunk), chunk_sums + chunk * width);
    add_chunks(chunk_sums, chunks, width, part);
  }
  return has_full_cells;
}

/// Parts of one chunk of a full cell.
template <class Real>
SHOAL_CPU_VARIANTS void sum_one_chunk(const DepositCall<Real>& call, std::int64_t cell, Range chunk, Real* part) {
  sum_chunk_of(call, cell, chunk, part);
}

/// Parts of full cells, whose particles threads share.
template <class Real>
void sum_full_cells(const DepositCall<Real>& call, Real* parts) {
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * part_corners;
  ScratchFrame frame(call.scratch);
  Real* chunk_parts = frame.array<Real>((call.particles.count / sum_chunk + 1) * width).data;
  for (std::int64_t cell = 0; cell < call.space.cell_count(); ++cell) {
    const Range particles = call.particles.of_cell(cell);
    if (particles.count() <= max_of_thread) continue;
    const std::int64_t chunks = chunk_count(particles.count());
#pragma omp parallel for num_threads(call.queue().threads())
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      sum_one_chunk(call, cell, range_of_chunk(particles, chunk), chunk_parts + chunk * width);
    add_chunks(chunk_parts, chunks, width, parts + cell * width);
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void add_row(const DepositCall<Real>& call, const Real* parts, std::int32_t y, std::int32_t z) {
  add_parts_of_row(call, call.nodes, parts, y, z, [](int, Real sum) { return sum; });
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const DepositSpace<Real>& space = call.space;
  const std::int64_t cells = space.cell_count();
  ScratchFrame frame(call.scratch);
  Real* parts = frame.array<Real>(cells * call.value_count() * part_corners).data;
  const std::int64_t runs = run_count(call.queue(), cells);
  bool has_full_cells = false;
#pragma omp parallel for num_threads(call.queue().threads()) schedule(dynamic) reduction(|| : has_full_cells)
  for (std::int64_t i = 0; i < runs; ++i)
    has_full_cells = sum_cells(call, cells_of_run(call.particles.cell_start, cells, i, runs), parts) || has_full_cells;
  if (has_full_cells) sum_full_cells(call, parts);
  const std::int32_t rows_y = space.axes[1].node_count();
  const std::int64_t rows = static_cast<std::int64_t>(rows_y) * space.z_nodes();
#pragma omp parallel for num_threads(call.queue().threads())
  for (std::int64_t row = 0; row < rows; ++row)
    add_row(call, parts, static_cast<std::int32_t>(row % rows_y), static_cast<std::int32_t>(row / rows_y));
}

}  // namespace

const DepositMethod sorted_cpu{{"sorted", DeviceKind::cpu, true, "shoal; Larson, Carver and Zhao (2015)"},
                               true,
                               run<float>,
                               run<double>,
                               false,
                               run_sorted_shape<float>,
                               run_sorted_shape<double>};

}  // namespace shoal::deposit
