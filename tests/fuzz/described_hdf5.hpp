// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "targets.hpp"

// HDF5 files that an input describes: which types, ranks, sizes, chunks, filters, storage and links the datasets and
// attributes have. A mutation of the input changes a choice, not a byte of a file that HDF5 itself would refuse. An
// input of zeros describes a valid file.
namespace shoal::fuzz {

void write_described_vtkhdf(const std::filesystem::path& file, Bytes input);
void write_described_restart(const std::filesystem::path& file, Bytes input);
void write_described_distribution(const std::filesystem::path& file, Bytes input);
void write_described_cgns(const std::filesystem::path& file, Bytes input);

}  // namespace shoal::fuzz
