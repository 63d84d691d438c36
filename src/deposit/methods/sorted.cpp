// SPDX-License-Identifier: Apache-2.0
// sorted: eight particles of a cell at a time, in vector instructions.
//
// idea           lane l of a vector takes particles l, l + 8, ... of a cell and adds them up for each of the cell's
//                corners; lanes are added as a butterfly; then each node adds the parts of the cells around it
// source         shoal; the CPU's side of Zhao's method, Larson, Carver and Zhao (2015), which has lanes of threads
// memory         8 K numbers a cell, and 8 K a 512 particles of cells with more than 8192
// atomics        none
// deterministic  yes: the canonical sum, whatever the number of threads
// wins when      there are several particles a cell, or several threads
// loses when     one thread has about one particle a cell, or most cells have none: all are visited
// differs        cut into chunks, so that one full cell is shared by all threads
#include "core/cpu_variants.hpp"
#include "deposit/cell_parts.hpp"
#include "deposit/methods/methods.hpp"

namespace shoal {

namespace {

constexpr std::int64_t most_chunks_for_one_thread = 16;  ///< of a cell; more are shared
constexpr std::int64_t most_for_one_thread = most_chunks_for_one_thread * sum_chunk;

constexpr std::int64_t most_few = 4;  ///< particles of a cell that are not worth lanes

/// The lanes' sums for each corner of a cell, for one value.
template <class Real>
struct LaneSums {
  Real at[part_corners][sum_lanes];
};

/// The weights of particles first, first + 1, ... in lanes; those past the last one are of no use.
template <class Real>
SHOAL_HD void weigh(const DepositCall<Real>& call, std::int64_t cell, std::int64_t first, int lanes,
                    LaneSums<Real>& weight) {
  const BinnedParticles<Real>& particles = call.particles;
  const int corners = call.space.corners();
  if (!call.space.is_all_open(cell)) {
    for (int lane = 0; lane < lanes; ++lane) {
      const CornerWeights<Real> own = particles.weights(call.space, cell, first + lane);
      for (int c = 0; c < corners; ++c) weight.at[c][lane] = own[c];
    }
    return;
  }
  const Real* x = particles.offset[0] + first;
  const Real* y = particles.offset[1] + first;
  for (int lane = 0; lane < sum_lanes; ++lane) {
    weight.at[0][lane] = (1 - x[lane]) * (1 - y[lane]);
    weight.at[1][lane] = x[lane] * (1 - y[lane]);
    weight.at[2][lane] = (1 - x[lane]) * y[lane];
    weight.at[3][lane] = x[lane] * y[lane];
  }
  if (corners == 4) return;
  const Real* z = particles.offset[2] + first;
  for (int c = 0; c < 4; ++c)
    for (int lane = 0; lane < sum_lanes; ++lane) {
      weight.at[c + 4][lane] = weight.at[c][lane] * z[lane];
      weight.at[c][lane] = weight.at[c][lane] * (1 - z[lane]);
    }
}

/// Adds a value of `lanes` particles to their lanes.
template <class Real>
SHOAL_HD void add(const LaneSums<Real>& weight, const Real (&value)[sum_lanes], int corners, int lanes,
                  LaneSums<Real>& sum) {
  if (lanes == sum_lanes) {
    for (int c = 0; c < corners; ++c)
      for (int lane = 0; lane < sum_lanes; ++lane)
        sum.at[c][lane] = std::fma(weight.at[c][lane], value[lane], sum.at[c][lane]);
    return;
  }
  for (int c = 0; c < corners; ++c)
    for (int lane = 0; lane < sum_lanes; ++lane) {
      const Real more = std::fma(weight.at[c][lane], value[lane], sum.at[c][lane]);
      sum.at[c][lane] = lane < lanes ? more : sum.at[c][lane];
    }
}

/// The parts of a cell with so few particles that lanes would stay empty: the eight corners are in the vector instead.
/// Each lane has at most one particle, and those without one hold +0.
template <class Real>
SHOAL_HD void sum_few(const DepositCall<Real>& call, std::int64_t cell, Range few, Real* part) {
  CornerWeights<Real> weight[most_few];
  for (std::int64_t p = few.begin; p < few.end; ++p)
    weight[p - few.begin] = call.particles.weights(call.space, cell, p);
  for (int k = 0; k < call.value_count(); ++k) {
    Real lane[most_few][part_corners] = {};
    for (std::int64_t l = 0; l < few.count(); ++l) {
      const Real value = call.values.at(k, call.particles.number(few.begin + l));
      for (int c = 0; c < part_corners; ++c) lane[l][c] = std::fma(weight[l][c], value, Real(0));
    }
    // Lanes 4 to 7 hold +0; l0 + 0 is not l0 where that is -0.
    for (int c = 0; c < part_corners; ++c)
      part[k * part_corners + c] = ((lane[0][c] + 0) + (lane[2][c] + 0)) + ((lane[1][c] + 0) + (lane[3][c] + 0));
  }
}

/// The parts of a chunk of a cell, for all values.
/// @param part  [values][8]
template <class Real>
SHOAL_HD void sum_chunk_of(const DepositCall<Real>& call, std::int64_t cell, Range chunk, Real* part) {
  const int values = call.value_count();
  const int corners = call.space.corners();
  LaneSums<Real> sum[Fields<Real>::most];
  for (int k = 0; k < values; ++k) sum[k] = {};
  for (std::int64_t first = chunk.begin; first < chunk.end; first += sum_lanes) {
    const int lanes = static_cast<int>(std::min<std::int64_t>(sum_lanes, chunk.end - first));
    LaneSums<Real> weight;
    weigh(call, cell, first, lanes, weight);
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
    for (int c = 0; c < corners; ++c) part[k * part_corners + c] = sum_of_lanes(sum[k].at[c]);
}

Range range_of_chunk(Range all, std::int64_t chunk) {
  const std::int64_t begin = all.begin + chunk * sum_chunk;
  return {begin, std::min(begin + sum_chunk, all.end)};
}

/// The parts of a cell from those of its chunks, of which there are several: step 4 of the canonical sum.
/// @param of_chunks  [chunks][width]
template <class Real>
SHOAL_HD void add_chunks(const Real* of_chunks, std::int64_t chunks, std::int64_t width, Real* part) {
  for (std::int64_t i = 0; i < width; ++i) {
    Real lane[chunk_lanes] = {};
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      lane[chunk % chunk_lanes] = lane[chunk % chunk_lanes] + of_chunks[chunk * width + i];
    for (int half = chunk_lanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
    part[i] = lane[0];
  }
}

/// The parts of a range of cells but the full ones.
template <class Real>
SHOAL_CPU_VARIANTS void sum_cells(const DepositCall<Real>& call, Range cells, Real* parts) {
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * part_corners;
  Real of_chunks[most_chunks_for_one_thread * Fields<Real>::most * part_corners];
  for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
    Real* part = parts + cell * width;
    const Range all = call.particles.of_cell(cell);
    if (all.count() > most_for_one_thread) continue;
    if (all.count() <= 0) {
      std::fill_n(part, width, Real(0));
      continue;
    }
    if (all.count() <= most_few) {
      sum_few(call, cell, all, part);
      continue;
    }
    const std::int64_t chunks = chunk_count(all.count());
    if (chunks == 1) {
      sum_chunk_of(call, cell, all, part);
      continue;
    }
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      sum_chunk_of(call, cell, range_of_chunk(all, chunk), of_chunks + chunk * width);
    add_chunks(of_chunks, chunks, width, part);
  }
}

/// One chunk of a full cell.
template <class Real>
SHOAL_CPU_VARIANTS void sum_one_chunk(const DepositCall<Real>& call, std::int64_t cell, Range chunk, Real* part) {
  sum_chunk_of(call, cell, chunk, part);
}

/// The parts of cells with so many particles that all threads share them.
template <class Real>
void sum_full_cells(const DepositCall<Real>& call, Real* parts) {
  if (call.particles.count <= most_for_one_thread) return;
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * part_corners;
  ScratchFrame frame(call.scratch);
  Real* chunk_parts = frame.array<Real>((call.particles.count / sum_chunk + 1) * width).data;
  for (std::int64_t cell = 0; cell < call.space.cell_count(); ++cell) {
    const Range all = call.particles.of_cell(cell);
    if (all.count() <= most_for_one_thread) continue;
    const std::int64_t chunks = chunk_count(all.count());
#pragma omp parallel for num_threads(call.queue().threads())
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      sum_one_chunk(call, cell, range_of_chunk(all, chunk), chunk_parts + chunk * width);
    add_chunks(chunk_parts, chunks, width, parts + cell * width);
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void add_row(const DepositCall<Real>& call, const Real* parts, std::int32_t y, std::int32_t z) {
  add_parts_of_row(call, parts, y, z, [](int, Real sum) { return sum; });
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const DepositSpace<Real>& space = call.space;
  const std::int64_t cells = space.cell_count();
  ScratchFrame frame(call.scratch);
  Real* parts = frame.array<Real>(cells * call.value_count() * part_corners).data;
  const std::int64_t runs = run_count(call.queue(), cells);
#pragma omp parallel for num_threads(call.queue().threads()) schedule(dynamic)
  for (std::int64_t i = 0; i < runs; ++i)
    sum_cells(call, cells_of_run(call.particles.cell_start, cells, i, runs), parts);
  sum_full_cells(call, parts);
  const std::int32_t rows_y = space.axes[1].node_count();
  const std::int64_t rows = static_cast<std::int64_t>(rows_y) * space.z_nodes();
#pragma omp parallel for num_threads(call.queue().threads())
  for (std::int64_t row = 0; row < rows; ++row)
    add_row(call, parts, static_cast<std::int32_t>(row % rows_y), static_cast<std::int32_t>(row / rows_y));
}

}  // namespace

const DepositMethod deposit_sorted_cpu{
    {"sorted", DeviceKind::cpu, true, "shoal; Larson, Carver and Zhao (2015)"}, true, run<float>, run<double>};

}  // namespace shoal
