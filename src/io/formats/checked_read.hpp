// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "core/text.hpp"

namespace shoal::io {

/// Checks that a file is not almost only a hole: such a file claims any size and takes no room on the disk.
/// @throws Error  less than 1/1100 of the file is stored, and the file has more than 1 MiB
void require_not_sparse(const std::filesystem::path& file);

/// Printable text of a message that may quote a file, cut if it is long.
std::string safe_message(const std::string& message);

/// @throws OutOfMemory  names a file whose content exhausted the memory
[[noreturn]] void refuse_memory(const std::filesystem::path& file);

/// Returns `read()`, the content of a file from anywhere. Messages of errors become safe to print. Exhausted memory
/// becomes an error that names the file.
template <class Read>
auto checked_read(const std::filesystem::path& file, Read&& read) {
  try {
    require_not_sparse(file);
    return read();
  } catch (const OutOfMemory& error) {
    throw OutOfMemory(safe_message(error.what()));
  } catch (const Error& error) {
    throw Error(safe_message(error.what()));
  } catch (const std::bad_alloc&) {
    refuse_memory(file);
  } catch (const std::length_error&) {
    refuse_memory(file);
  }
}

}  // namespace shoal::io
