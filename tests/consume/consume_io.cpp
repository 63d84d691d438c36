// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>

#include <string>

int main() {
  try {
    shoal::io::parse_case("kind = \"sph\"\n[run]\nduratoin = 1\n", "case.toml");
  } catch (const shoal::Error& error) {
    return std::string(error.what()).find("duration") == std::string::npos ? 1 : 0;
  }
  return 1;
}
