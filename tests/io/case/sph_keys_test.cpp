// SPDX-License-Identifier: Apache-2.0
// Table of the keys of cases, and keys that were renamed.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>

#include <algorithm>

#include "io/case/dam_break_case.hpp"
#include "io/case/keys/renamed_keys.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::StartsWith;

TEST(RenamedKeys, AreErrorsThatNameTheNewKey) {
  EXPECT_THAT(message(changed("[run]\n", "[run]\nledger_every = 0.1\n")),
              HasSubstr(": `run.ledger_every` is called `run.balance_every` now. Rename it."));
  EXPECT_THAT(message_of_set("run.checkpoint_every=5"),
              StartsWith("--set run.checkpoint_every: `run.checkpoint_every` is called `run.restart_every` now."));
  EXPECT_THAT(message(changed("", "") + "[[heat]]\nradius = 1\n"), HasSubstr(": `heat` is called `heat_pulse` now."));
}

TEST(CaseKeys, RenamedKeysLeadToKeysThatExist) {
  for (const RenamedKey& renamed : renamed_keys) {
    const auto exists = [&](const KeyInfo& key) {
      const bool of_section = key.section == "[[" + std::string(renamed.section) + "]]" ||
                              key.section == "[" + std::string(renamed.section) + "]";
      const bool is_section = renamed.section.empty() && key.section == "[[" + std::string(renamed.now) + "]]";
      return key.kind == renamed.kind && (is_section || (of_section && key.name == renamed.now));
    };
    const std::vector<KeyInfo> keys = case_keys();
    EXPECT_TRUE(std::any_of(keys.begin(), keys.end(), exists)) << renamed.before;
  }
}

TEST(CaseKeys, EachHasAMeaningAndAType) {
  for (const KeyInfo& key : case_keys()) {
    EXPECT_FALSE(key.meaning.empty()) << key.section << key.name;
    EXPECT_FALSE(key.type.empty()) << key.section << key.name;
    EXPECT_FALSE(key.required && !key.default_value.empty()) << key.section << key.name;
  }
}

}  // namespace
}  // namespace shoal::io
