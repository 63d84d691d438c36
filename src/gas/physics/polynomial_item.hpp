// SPDX-License-Identifier: Apache-2.0
// Polynomials of the scaled velocity c, and the linear systems that correct a distribution by them.
#pragma once
#include <shoal/item/host_device.hpp>

#include "collision/distribution/positive_definite_item.hpp"

namespace shoal::gas {

/// Monomial c_x^x c_y^y c_z^z.
struct Monomial {
  int x, y, z;
};

/// Sum of up to three monomials.
struct BasisPolynomial {
  int terms;
  Monomial term[3];
};

/// Coefficients α of the basis φ that give G = W Σ α_b φ_b the moments ∫ φ_a G = target_a.
/// @param moment    moment(x, y, z) is the moment of W of the monomial
/// @param solution  [Count] the targets; overwritten with α
/// @return          false if the nodes do not determine α
template <int Count, class Moment>
SHOAL_HD bool solve_moments(const BasisPolynomial* basis, Moment moment, double* solution) {
  double matrix[Count * Count];
  for (int a = 0; a < Count; ++a)
    for (int b = 0; b <= a; ++b) {
      double sum = 0;
      for (int i = 0; i < basis[a].terms; ++i)
        for (int j = 0; j < basis[b].terms; ++j) {
          const Monomial p = basis[a].term[i], q = basis[b].term[j];
          sum += moment(p.x + q.x, p.y + q.y, p.z + q.z);
        }
      matrix[a * Count + b] = sum;
    }
  return collision::solve_positive_definite(matrix, solution, Count);
}

}  // namespace shoal::gas
