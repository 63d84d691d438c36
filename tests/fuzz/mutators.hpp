// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <random>
#include <string>

namespace shoal::fuzz {

/// Changes one thing of a VTK XML text that keeps it XML: the value of an attribute, a number, a header of binary data,
/// or a whole element.
std::string mutated_xml(std::string xml, std::mt19937& random);

/// Changes bytes of any input: flips, numbers at the edges of their types, cuts, and copies of parts.
std::string mutated_bytes(std::string bytes, std::mt19937& random);

}  // namespace shoal::fuzz
