// SPDX-License-Identifier: Apache-2.0
// Tables of alternatives: lists of structs, one for each enumerator.
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/item/host_device.hpp>

#include <cstddef>
#include <utility>

namespace shoal::sph {

/// Structs with a member `kind`, in the order of the enumerators, all of which must be there.
template <class Enumeration, class... Alternative>
struct Alternatives {
  static_assert(sizeof...(Alternative) == enumerator_names<Enumeration>.size(), "an enumerator has no alternative");

  /// Calls visit.operator()<Alternative>() for the alternative of a kind.
  SHOAL_CALLS_ARGUMENT
  template <class Visit>
  SHOAL_HD static constexpr decltype(auto) visit(Enumeration kind, const Visit& visit) {
    return visit_from<Visit, Alternative...>(kind, visit);
  }

  /// Calls visit.operator()<Alternative>() for every alternative.
  template <class Visit>
  static constexpr void for_each(const Visit& visit) {
    (visit.template operator()<Alternative>(), ...);
  }

 private:
  template <std::size_t... number>
  static constexpr bool is_ordered(std::index_sequence<number...>) {
    return ((Alternative::kind == static_cast<Enumeration>(number)) && ...);
  }
  static_assert(is_ordered(std::index_sequence_for<Alternative...>{}), "the order is that of the enumerators");

  SHOAL_CALLS_ARGUMENT
  template <class Visit, class First, class... Rest>
  SHOAL_HD static constexpr decltype(auto) visit_from(Enumeration kind, const Visit& visit) {
    if constexpr (sizeof...(Rest) > 0)
      if (kind != First::kind) return visit_from<Visit, Rest...>(kind, visit);
    return visit.template operator()<First>();
  }
};

}  // namespace shoal::sph
