// SPDX-License-Identifier: Apache-2.0
// Transforms of n³ values in two passes over memory: planes of x and y in shared memory, then columns along z. What makes the
// values is part of the first pass, and what adds up functions of the transforms is part of the second, so that a transform
// is written once and read once. cuFFT passes memory three times, and needs two passes more for both ends.
//
// The forward transform of real values is the conjugate of the inverse one, and half of its columns give all of it.
#pragma once
#include "collision/fourier/line_transform.cuh"

namespace shoal::collision {

/// Sizes of the kernels' blocks for n³ nodes.
/// @tparam across  columns along x that are wanted: n, or those of a half spectrum
template <class Real, int n, int across>
struct PlaneBlocks {
  using Complex = CufftComplex<Real>;
  using Line = LineTransform<Real, n>;
  static constexpr int planes = n == 24 ? 2 : 1;  ///< Planes of a block: their lines fill warps.
  static constexpr int plane_threads = n == 64 ? 256 : planes * n * Line::threads;
  static constexpr int plane_lines = plane_threads / Line::threads;  ///< Lines that a block has at a time.
  static constexpr int columns = planes * across;                    ///< Wanted columns of a block.
  /// Columns that a block transforms: whole warps. Those beyond the wanted ones are others of the last plane.
  static constexpr int warp_columns = (columns + Line::warp_lines - 1) / Line::warp_lines * Line::warp_lines;
  static constexpr int column_threads = n < 32 ? 64 : 128;
  static constexpr int block_columns = column_threads / Line::threads;                    ///< Columns of a block.
  static constexpr int column_blocks = (n * across + block_columns - 1) / block_columns;  ///< Blocks of a transform.
  static constexpr int stride = n + 4;  ///< Values between rows in shared memory: columns are in different banks.
  static_assert(across + warp_columns - columns <= n);
  static constexpr std::size_t plane_bytes = sizeof(Complex) * (planes * n * stride + n);
  static constexpr std::size_t column_bytes = sizeof(Complex) * (block_columns * n + n);
};

/// Share of a thread in columns whose neighbors are next to each other in memory: consecutive threads have consecutive
/// columns.
template <class Real, int n>
struct WarpColumn {
  using Line = LineTransform<Real, n>;
  int number = static_cast<int>(threadIdx.x) % Line::warp_lines;  ///< Number of the column in the warp.
  int t = static_cast<int>(threadIdx.x) % 32 / Line::warp_lines;  ///< Number of the thread in the column's group.
  int warp = static_cast<int>(threadIdx.x) / 32;
  int column = warp * Line::warp_lines + number;  ///< Number of the column in the block.
};

/// Inverse transforms along x and y. A block has some planes of one transform.
/// @param values  values(transform, x, y, z) is a value to transform
/// @param planes  [transforms][n][n][across] overwritten
template <class Real, int n, int across, class Values>
__global__ void __launch_bounds__(PlaneBlocks<Real, n, across>::plane_threads)
    transform_planes(Values values, CufftComplex<Real>* __restrict__ planes) {
  using Complex = CufftComplex<Real>;
  using Line = LineTransform<Real, n>;
  using Blocks = PlaneBlocks<Real, n, across>;
  constexpr int blocks = n / Blocks::planes;
  extern __shared__ double2 shared[];
  auto* roots = reinterpret_cast<Complex*>(shared);
  Complex* rows = roots + n;
  const int first_z = static_cast<int>(blockIdx.x % blocks) * Blocks::planes;
  const std::int64_t transform = blockIdx.x / blocks;
  fill_roots<Real, n>(roots);
  __syncthreads();
  Complex a[Line::values];
  const int t = static_cast<int>(threadIdx.x) % Line::threads;
  for (int line = static_cast<int>(threadIdx.x) / Line::threads; line < Blocks::planes * n;
       line += Blocks::plane_lines) {
    const int y = line % n, z = first_z + line / n;
    for (int j = 0; j < Line::values; ++j) a[j] = values(transform, Line::input(t, j), y, z);
    Complex* row = rows + line * Blocks::stride;
    Line::inverse(a, t, roots, [&](int k) -> Complex& { return row[k]; });
    for (int m = 0; m < Line::values; ++m) row[Line::output(t, m)] = a[m];
  }
  __syncthreads();
  const WarpColumn<Real, n> own_column;
  for (int number = own_column.column; number < Blocks::warp_columns; number += Blocks::plane_lines) {
    const bool is_wanted = number < Blocks::columns;
    const int plane = is_wanted ? number / across : Blocks::planes - 1, x = number - plane * across;
    Complex* column = rows + plane * n * Blocks::stride + x;
    for (int j = 0; j < Line::values; ++j) a[j] = column[Line::input(own_column.t, j) * Blocks::stride];
    __syncwarp();
    Line::inverse(a, own_column.t, roots, [&](int k) -> Complex& { return column[k * Blocks::stride]; });
    if (!is_wanted) continue;
    Complex* out = planes + (transform * n + first_z + plane) * n * across + x;
    for (int m = 0; m < Line::values; ++m) out[Line::output(own_column.t, m) * across] = a[m];
  }
}

/// Inverse transforms along z, and sums over the transforms of each sum. A block has some columns of one sum.
/// @param planes  [sums][count][n][n][across]
/// @param sum_of  sum_of.add(total, sum, k, h, x, y, z) adds what the value h of transform k gives to a sum, and
///                sum_of.store(sum, x, y, z, total) takes the sum
template <class Real, int n, int across, class SumOf>
__global__ void __launch_bounds__(PlaneBlocks<Real, n, across>::column_threads)
    sum_columns(const CufftComplex<Real>* __restrict__ planes, int count, SumOf sum_of) {
  using Complex = CufftComplex<Real>;
  using Line = LineTransform<Real, n>;
  using Blocks = PlaneBlocks<Real, n, across>;
  constexpr int columns = n * across;
  extern __shared__ double2 shared[];
  auto* roots = reinterpret_cast<Complex*>(shared);
  fill_roots<Real, n>(roots);
  __syncthreads();
  const WarpColumn<Real, n> own_column;
  Complex* places = roots + n + own_column.warp * Line::warp_lines * n + own_column.number;
  const std::int64_t sum = blockIdx.x / Blocks::column_blocks;
  const int number = static_cast<int>(blockIdx.x % Blocks::column_blocks) * Blocks::block_columns + own_column.column;
  const int column = number < columns ? number : columns - 1, x = column % across, y = column / across;
  planes += sum * count * n * columns + column;
  typename SumOf::Total total[Line::values] = {};
  for (int k = 0; k < count; ++k, planes += n * columns) {
    Complex a[Line::values];
    for (int j = 0; j < Line::values; ++j) a[j] = planes[Line::input(own_column.t, j) * columns];
    Line::inverse(a, own_column.t, roots, [&](int place) -> Complex& { return places[place * Line::warp_lines]; });
    for (int m = 0; m < Line::values; ++m) sum_of.add(total[m], sum, k, a[m], x, y, Line::output(own_column.t, m));
  }
  if (number >= columns) return;
  for (int m = 0; m < Line::values; ++m) sum_of.store(sum, x, y, Line::output(own_column.t, m), total[m]);
}

/// Runs both passes.
template <class Real, int n, int across, class Values, class SumOf>
void sum_by_planes(const Queue& queue, std::int64_t sums, int count, const Values& values, CufftComplex<Real>* planes,
                   const SumOf& sum_of) {
  using Blocks = PlaneBlocks<Real, n, across>;
  launch_with<Blocks::plane_threads>(queue, sums * count * (n / Blocks::planes) * Blocks::plane_threads,
                                     Blocks::plane_bytes, transform_planes<Real, n, across, Values>, values, planes);
  launch_with<Blocks::column_threads>(queue, sums * Blocks::column_blocks * Blocks::column_threads,
                                      Blocks::column_bytes, sum_columns<Real, n, across, SumOf>, planes, count, sum_of);
}

}  // namespace shoal::collision
