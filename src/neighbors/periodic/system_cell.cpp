// SPDX-License-Identifier: Apache-2.0
#include "neighbors/periodic/system_cell.hpp"

#include "core/text.hpp"

namespace shoal::neighbors {

namespace {

/// Returns a number rounded to `Real`. In loops that g++ 12 vectorizes it leaves out the rounding of a value that is not
/// volatile.
template <class Real>
double rounded_to(double value) {
  const volatile Real rounded = static_cast<Real>(value);
  return static_cast<double>(rounded);
}

std::string vector_text(const std::array<double, 3>& a) { return text("(", a[0], ", ", a[1], ", ", a[2], ")"); }

/// Returns the message about a fault of a cell.
std::string cell_message(const PeriodicCell& cell, int fault, std::int64_t system) {
  if (fault != dependent_vectors)
    return text(MessageStart{system}, "cell vector ", fault, " is ",
                vector_text(cell.vectors[static_cast<std::size_t>(fault)]),
                " m, expected a finite vector that is not 0. Pass the vector, or make this direction open.");
  std::vector<std::string> vectors;
  for (std::size_t k = 0; k < 3; ++k)
    if (cell.periodic[k]) vectors.push_back(vector_text(cell.vectors[k]));
  return text(MessageStart{system}, "the cell vectors ", join(vectors),
              " m are linearly dependent, expected vectors that span a cell. Correct them, or make a direction open.");
}

}  // namespace

std::ostream& operator<<(std::ostream& out, MessageStart start) {
  out << "neighbors: ";
  if (start.system >= 0) out << "system " << start.system << ": ";
  return out;
}

template <class Real>
CellVectors cell_vectors(const PeriodicCell& cell) {
  CellVectors result{};
  for (std::size_t k = 0; k < 3; ++k) {
    result.periodic[k] = cell.periodic[k];
    if (!cell.periodic[k]) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      result.vectors[k].component[axis] = rounded_to<Real>(cell.vectors[k][axis]);
  }
  return result;
}

template <class Real>
SystemCell system_cell(const PeriodicCell& cell, std::int64_t system) {
  SystemCell result;
  const int fault = invert_cell(cell_vectors<Real>(cell), result);
  if (fault != no_cell_fault) throw Error(cell_message(cell, fault, system));
  return result;
}

template CellVectors cell_vectors<float>(const PeriodicCell&);
template CellVectors cell_vectors<double>(const PeriodicCell&);
template SystemCell system_cell<float>(const PeriodicCell&, std::int64_t);
template SystemCell system_cell<double>(const PeriodicCell&, std::int64_t);

}  // namespace shoal::neighbors
