// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace shoal {

/// Doubt about a case or a run: it can be computed, but the result may be wrong.
struct Warning {
  std::string name;     ///< quantity in doubt, as in "sound_speed"
  double value = 0;     ///< value of the quantity
  double limit = 0;     ///< value up to which, or from which, the quantity is not in doubt
  std::string message;  ///< one sentence with the numbers
  std::string remedy;   ///< one sentence in the imperative

  /// Returns message and remedy.
  std::string text() const { return message + ' ' + remedy; }
};

/// Returns the text of each warning.
inline std::vector<std::string> warning_texts(const std::vector<Warning>& warnings) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(warning.text());
  return texts;
}

}  // namespace shoal
