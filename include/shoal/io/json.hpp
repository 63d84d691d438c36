// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// JSON object on one line, built member by member. Numbers have the shortest form that reads back as the same value.
/// NaN and infinity become null, because JSON lacks them.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, double value);
  JsonObject& add(std::string_view name, std::int64_t value);
  JsonObject& add(std::string_view name, bool value);
  JsonObject& add(std::string_view name, std::string_view value);
  JsonObject& add(std::string_view name, const char* value) { return add(name, std::string_view(value)); }
  JsonObject& add(std::string_view name, const JsonObject& value);
  JsonObject& add(std::string_view name, const std::vector<std::string>& values);
  JsonObject& add(std::string_view name, const std::vector<JsonObject>& values);

  /// Adds all members of another object.
  JsonObject& add(const JsonObject& object);

  std::string line() const { return "{" + members_ + "}"; }

 private:
  JsonObject& add_raw(std::string_view name, const std::string& json);
  std::string members_;
};

/// Returns a JSON list of objects, one object per line.
std::string json_list(const std::vector<JsonObject>& objects);

}  // namespace shoal::io
