// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Networks that sort few keys in registers: which keys are compared, computed by the compiler.
namespace shoal::sort_network {

/// Comparisons of a network for n keys, in order; each leaves the smaller key at the lower index.
template <int n>
struct Comparisons {
  int count = 0;
  int low[12 * n] = {};
  int high[12 * n] = {};

  constexpr void add(int a, int b) {
    low[count] = a < b ? a : b;
    high[count++] = a < b ? b : a;
  }
};

/// Sort of n keys in any order. Halves are sorted and merged, by Batcher's odd-even merge (1968) of runs of any length. Ten
/// keys have a network of 29 comparisons, the fewest (Codish et al. 2014), where halves would need 31.
template <int n>
class SortNetwork {
 public:
  constexpr SortNetwork() { sort(0, n); }
  constexpr const Comparisons<n>& comparisons() const { return comparisons_; }

 private:
  /// Indices of the keys of a run, ascending.
  struct Run {
    int length = 0;
    int index[n] = {};

    constexpr void add(int key) { index[length++] = key; }
    /// Every second key, from the first or the second on.
    constexpr Run every_second(int first) const {
      Run result;
      for (int i = first; i < length; i += 2) result.add(index[i]);
      return result;
    }
    constexpr Run followed_by(const Run& next) const {
      Run result = *this;
      for (int i = 0; i < next.length; ++i) result.add(next.index[i]);
      return result;
    }
  };

  constexpr Run sort(int first, int length) {
    constexpr int ten_keys[29][2] = {{0, 8}, {1, 9}, {2, 7}, {3, 5}, {4, 6}, {0, 2}, {1, 4}, {5, 8}, {7, 9}, {0, 3},
                                     {2, 4}, {5, 7}, {6, 9}, {0, 1}, {3, 6}, {8, 9}, {1, 5}, {2, 3}, {4, 8}, {6, 7},
                                     {1, 2}, {3, 5}, {4, 6}, {7, 8}, {2, 3}, {4, 5}, {6, 7}, {3, 4}, {5, 6}};
    if (length > 1 && length != 10) {
      const Run left = sort(first, length / 2);
      const Run right = sort(first + length / 2, length - length / 2);
      merge(left, right);
      return left.followed_by(right);
    }
    if (length == 10)
      for (const auto& pair : ten_keys) comparisons_.add(first + pair[0], first + pair[1]);
    Run run;
    for (int i = 0; i < length; ++i) run.add(first + i);
    return run;
  }

  constexpr void merge(const Run& left, const Run& right) {
    if (left.length == 0 || right.length == 0) return;
    if (left.length == 1 && right.length == 1) return comparisons_.add(left.index[0], right.index[0]);
    merge(left.every_second(0), right.every_second(0));
    merge(left.every_second(1), right.every_second(1));
    const Run odd = left.every_second(0).followed_by(right.every_second(0));
    const Run even = left.every_second(1).followed_by(right.every_second(1));
    for (int i = 0; i < even.length && i + 1 < odd.length; ++i) comparisons_.add(even.index[i], odd.index[i + 1]);
  }

  Comparisons<n> comparisons_;
};

/// Sort of n keys that ascend and then descend, or descend and then ascend, also after a rotation: Batcher's bitonic merge
/// (1968) by halves while their number is even, then networks for three and five such keys.
template <int n>
class BitonicNetwork {
 public:
  constexpr BitonicNetwork() { sort(0, n); }
  constexpr const Comparisons<n>& comparisons() const { return comparisons_; }

 private:
  static constexpr bool is_possible(int length) {
    while (length % 2 == 0) length /= 2;
    return length <= 5;
  }
  static_assert(is_possible(n));

  constexpr void sort(int first, int length) {
    constexpr int three_keys[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    constexpr int five_keys[8][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 3}, {2, 4}, {1, 2}, {3, 4}};
    if (length % 2 == 0) {
      for (int i = 0; i < length / 2; ++i) comparisons_.add(first + i, first + length / 2 + i);
      sort(first, length / 2);
      sort(first + length / 2, length / 2);
    }
    if (length == 3)
      for (const auto& pair : three_keys) comparisons_.add(first + pair[0], first + pair[1]);
    if (length == 5)
      for (const auto& pair : five_keys) comparisons_.add(first + pair[0], first + pair[1]);
  }

  Comparisons<n> comparisons_;
};

template <int n>
inline constexpr Comparisons<n> sort_comparisons = SortNetwork<n>().comparisons();
template <int n>
inline constexpr Comparisons<n> bitonic_comparisons = BitonicNetwork<n>().comparisons();

}  // namespace shoal::sort_network
