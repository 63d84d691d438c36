// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/json.hpp>

#include <cmath>

#include "core/text.hpp"

namespace shoal::io {

namespace {

std::string json_text(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    constexpr char digits[] = "0123456789abcdef";
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (code < 0x20)
      out += {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15]};
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace

JsonObject& JsonObject::add_raw(std::string_view name, const std::string& json) {
  if (!members_.empty()) members_ += ", ";
  members_ += json_text(name) + ": " + json;
  return *this;
}

JsonObject& JsonObject::add(const JsonObject& object) {
  if (!members_.empty() && !object.members_.empty()) members_ += ", ";
  members_ += object.members_;
  return *this;
}

JsonObject& JsonObject::add(std::string_view name, double value) {
  return add_raw(name, std::isfinite(value) ? text(value) : "null");
}
JsonObject& JsonObject::add(std::string_view name, std::int64_t value) { return add_raw(name, text(value)); }
JsonObject& JsonObject::add(std::string_view name, bool value) { return add_raw(name, value ? "true" : "false"); }
JsonObject& JsonObject::add(std::string_view name, std::string_view value) { return add_raw(name, json_text(value)); }
JsonObject& JsonObject::add(std::string_view name, const JsonObject& value) { return add_raw(name, value.line()); }

JsonObject& JsonObject::add(std::string_view name, const std::vector<std::string>& values) {
  std::vector<std::string> list;
  list.reserve(values.size());
  for (const std::string& value : values) list.push_back(json_text(value));
  return add_raw(name, "[" + join(list) + "]");
}

JsonObject& JsonObject::add(std::string_view name, const std::vector<JsonObject>& values) {
  std::vector<std::string> list;
  list.reserve(values.size());
  for (const JsonObject& value : values) list.push_back(value.line());
  return add_raw(name, "[" + join(list) + "]");
}

std::string json_list(const std::vector<JsonObject>& objects) {
  std::vector<std::string> lines;
  lines.reserve(objects.size());
  for (const JsonObject& object : objects) lines.push_back("  " + object.line());
  return "[\n" + join(lines, ",\n") + "\n]\n";
}

}  // namespace shoal::io
