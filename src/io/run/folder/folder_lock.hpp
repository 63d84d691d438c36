// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace shoal::io {

/// Lock on an output folder, so that two runs cannot write into it at once. The system releases it when the process
/// ends, however it ends. File systems without locks (some network mounts) are used without one.
class FolderLock {
 public:
  /// @throws Error  another run holds the lock; the folder cannot be written
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace shoal::io
