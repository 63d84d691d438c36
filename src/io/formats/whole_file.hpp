// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

namespace shoal::io {

/// Content of a file.
/// @throws Error  if the file cannot be read
std::string read_whole(const std::filesystem::path& file);

/// Forces the content of a file, or the entries of a folder, to the disk.
/// @throws Error  the disk is full or failed
void sync_to_disk(const std::filesystem::path& file);

/// Lets the system write the content of a file to the disk beside what follows, so that a later sync_to_disk() waits for
/// less. It returns at once, and leaves errors to that call.
void start_sync_to_disk(const std::filesystem::path& file) noexcept;

/// Creates an empty temporary file for write_whole(). An entry of that name is removed first, so that no symbolic link
/// is followed.
/// @throws Error  the folder cannot be written
void create_partial(const std::filesystem::path& partial);

/// Renames a file; replaces an existing one.
/// @throws Error  if the file cannot be renamed
void rename_file(const std::filesystem::path& source, const std::filesystem::path& target);

/// Name of the temporary file of write_whole().
inline std::filesystem::path partial_of(const std::filesystem::path& file) { return file.string() + ".partial"; }

/// Writes a file that appears under its name only when it is complete and on the disk: `write(path)` writes a temporary
/// file beside `file`, which is then forced to the disk and renamed. If `write` throws, the temporary file is removed and
/// an existing `file` stays unchanged.
/// @param sync  false: leaves the time at which the file reaches the disk to the system
template <class Write>
void write_whole(const std::filesystem::path& file, Write&& write, bool sync = true) {
  const std::filesystem::path partial = partial_of(file);
  try {
    create_partial(partial);
    write(partial);
    if (sync) sync_to_disk(partial);
    rename_file(partial, file);
    if (sync) sync_to_disk(file.has_parent_path() ? file.parent_path() : ".");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);  // frees the disk space
    throw;
  }
}

/// Writes a text file with write_whole().
/// @throws Error  if the file cannot be written
void write_whole_text(const std::filesystem::path& file, const std::string& content, bool sync = true);

}  // namespace shoal::io
