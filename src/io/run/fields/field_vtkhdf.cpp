// SPDX-License-Identifier: Apache-2.0
// Temporal PolyData in VTKHDF 2.0: one vertex per particle, one part per state.
//
// While no particle leaves, all states share one part entry, its cells and the constant arrays. Otherwise a new part
// entry begins. Arrays are written in the pieces of RankRows, or by all ranks into space that a flush has added to the file;
// the next flush counts the state. The bytes of the file depend neither on that nor on the number of ranks.
#include <algorithm>
#include <numeric>

#include "io/run/fields/field_writer.hpp"
#include "io/run/fields/poly_data_file.hpp"

namespace shoal::io {

namespace {

using hdf5::Rows;

/// Arrays that files of earlier versions lack. A run that continues such a file writes the arrays that it has.
constexpr const char* later_arrays[] = {"wall_number", "body"};
constexpr hsize_t largest_chunk = 65536;  // number of rows; a chunk of float points is 768 KiB

class VtkHdf : public FieldWriter {
 public:
  VtkHdf(const std::filesystem::path& folder, const sph::Case& simulation, std::int64_t kept_states)
      : file_(folder / "fields.vtkhdf", simulation.text, kept_states),
        arrays_(simulation),
        points_as_double_(simulation.precision == sph::Precision::double_),
        compression_(simulation.output.compression) {
    if (file_.continues()) continue_after(kept_states);
  }

  void write(const FieldState& state) override {
    try {
      file_.append_state(bytes_of_state(state), [&] {
        if (!opened_) open_datasets(state.part(), state.count());
        if (!can_share_) can_share_ = compression_ == 0 && state.arrays().can_share(file_.path());
        targets_.clear();
        if (!is_last_part(state)) begin_part(state);
        append_state(state);
        write_targets(state);
      });
    } catch (const Error&) {
      last_part_.reset();
      throw;
    }
  }

  std::int64_t count() const override { return file_.count(); }

  void sync() override { file_.sync(); }

 private:
  Rows& rows(const std::string& path) { return file_.rows(path); }

  template <class T>
  void append(const std::string& path, std::initializer_list<T> values) {
    rows(path).append(std::vector<T>(values));
  }

  /// Returns true for an array that the continued file lacks, because an earlier version wrote it.
  bool is_missing(const std::string& name) const {
    const bool is_later = std::find(std::begin(later_arrays), std::end(later_arrays), name) != std::end(later_arrays);
    return file_.continues() && is_later && !hdf5::exists(file_.handle(), "VTKHDF/PointData/" + name);
  }

  /// Calls `visit(name, values)` for the constant arrays that the file has.
  template <class Visit>
  void for_each_stored_fixed_array(const sph::Fields& fields, const Visit& visit) const {
    for_each_fixed_array(fields, [&](const std::string& name, const auto& values, int) {
      if (file_.has("PointData/" + name)) visit(name, values);
    });
  }

  /// Opens the datasets of a continued file, or creates new ones.
  /// @param fields     shows the names and types of arrays
  /// @param particles  number of particles, to which the sizes of chunks are fitted
  void open_datasets(const sph::Fields& fields, std::int64_t particles) {
    opened_ = true;
    const hsize_t chunk = std::clamp<hsize_t>(static_cast<hsize_t>(particles), 1, largest_chunk);
    const bool is_shared = compression_ == 0;
    file_.add("Points", {points_as_double_ ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, 3, chunk, compression_, is_shared});
    const auto add_point_data = [&]<class T>(const std::string& name, const std::vector<T>&, int columns) {
      const hsize_t shown = columns > 1 ? static_cast<hsize_t>(columns) : 0;
      file_.add("PointData/" + name, {hdf5::type_of<T>(), shown, chunk, compression_, is_shared});
    };
    for_each_changing_array(fields, arrays_, add_point_data);
    for_each_fixed_array(fields, [&](const std::string& name, const auto& values, int columns) {
      if (is_missing(name)) return;
      add_point_data(name, values, columns);
      file_.add("Steps/PointDataOffsets/" + name, {H5T_NATIVE_INT64});
    });
    file_.add_steps_and_cells([&](const std::string& path) -> Rows::Shape {
      if (!path.starts_with(cell_groups[0])) return {H5T_NATIVE_INT64, 0, 1024, compression_};
      return {H5T_NATIVE_INT64, 0, path.ends_with("/Offsets") ? chunk + 1 : chunk, compression_, is_shared};
    });
  }

  /// Returns the uncompressed size of a state in bytes, including an incomplete chunk per dataset.
  std::uint64_t bytes_of_state(const FieldState& state) const {
    const auto n = static_cast<std::uint64_t>(state.count());
    const std::uint64_t chunk = std::clamp<std::uint64_t>(n, 1, largest_chunk);
    const std::uint64_t bytes_each = (points_as_double_ ? 24 : 12) + 20 + 4 * arrays_.columns();
    const std::uint64_t bytes_of_part = is_last_part(state) ? 0 : 34;
    constexpr std::uint64_t metadata = 1 << 20;
    return (n + chunk) * (bytes_each + bytes_of_part) + metadata;
  }

  /// Returns true if the particles of a state are those of the last part.
  bool is_last_part(const FieldState& state) const {
    return last_part_ && last_part_->count == state.count() && last_part_->id_digest == state.id_digest();
  }

  /// Adds rows to a dataset, in which all ranks write them. Returns false if rank 0 must write them.
  bool share(const std::string& path, hsize_t first, const std::string& array, std::int64_t extra) {
    if (!*can_share_ || !rows(path).is_shared()) return false;
    targets_.push_back({array, "VTKHDF/" + path, static_cast<std::int64_t>(first), extra});
    return true;
  }

  /// Appends an array of a state to a dataset.
  template <class T>
  void append_array(const std::string& path, const FieldState& state, const std::string& name, const std::vector<T>&) {
    const std::int64_t count = state.arrays().count(name);
    if (count == 0) return;
    hsize_t first = rows(path).grow(static_cast<hsize_t>(count));
    if (share(path, first, name, 0)) return;
    state.arrays().for_each_piece(name, [&](const void* values, std::int64_t piece) {
      rows(path).write(values, hdf5::type_of<T>(), first, static_cast<hsize_t>(piece));
      first += static_cast<hsize_t>(piece);
    });
  }

  /// Appends 0, 1, 2, ... to a dataset.
  /// @param count  number of particles
  /// @param extra  count of numbers behind those of the particles
  void append_numbers(const std::string& path, std::int64_t count, std::int64_t extra) {
    const std::int64_t last = count + extra;
    if (last == 0) return;
    const hsize_t begin = rows(path).grow(static_cast<hsize_t>(last));
    if (share(path, begin, {}, extra)) return;
    for (std::int64_t first = 0; first < last; first += RankRows::most_rows) {
      std::vector<std::int64_t> numbers(static_cast<std::size_t>(std::min(RankRows::most_rows, last - first)));
      std::iota(numbers.begin(), numbers.end(), first);
      rows(path).write(numbers.data(), H5T_NATIVE_INT64, begin + static_cast<hsize_t>(first), numbers.size());
    }
  }

  /// Lets all ranks write their rows, into space that the file on disk has.
  void write_targets(const FieldState& state) {
    if (targets_.empty()) return;
    file_.flush();
    state.arrays().write_shared(file_.path(), targets_);
  }

  void begin_part(const FieldState& state) {
    const std::int64_t n = state.count();
    last_part_ = {n, state.id_digest()};
    part_ = static_cast<std::int64_t>(rows("NumberOfPoints").count());
    first_cell_ = static_cast<std::int64_t>(rows("Vertices/Connectivity").count());
    first_fixed_ = static_cast<std::int64_t>(rows("PointData/id").count());
    append<std::int64_t>("NumberOfPoints", {n});
    for (const std::string group : cell_groups) {
      const std::int64_t cells = group == cell_groups[0] ? n : 0;
      append<std::int64_t>(group + "/NumberOfCells", {cells});
      append<std::int64_t>(group + "/NumberOfConnectivityIds", {cells});
      append_numbers(group + "/Offsets", cells, 1);
      append_numbers(group + "/Connectivity", cells, 0);
    }
    for_each_stored_fixed_array(state.part(), [&](const std::string& name, const auto& values) {
      append_array("PointData/" + name, state, name, values);
    });
  }

  void append_state(const FieldState& state) {
    append<double>("Steps/Values", {state.clock().time});
    append<std::int64_t>("Steps/PartOffsets", {part_});
    append<std::int64_t>("Steps/NumberOfParts", {1});
    append<std::int64_t>("Steps/PointOffsets", {static_cast<std::int64_t>(rows("Points").count())});
    append<std::int64_t>("Steps/CellOffsets", {first_cell_, 0, 0, 0});
    append<std::int64_t>("Steps/ConnectivityIdOffsets", {first_cell_, 0, 0, 0});
    for_each_stored_fixed_array(state.part(), [&](const std::string& name, const auto&) {
      append<std::int64_t>("Steps/PointDataOffsets/" + name, {first_fixed_});
    });
    append_array("Points", state, "position", state.part().position);
    for_each_changing_array(state.part(), arrays_, [&](const std::string& name, const auto& values, int) {
      append_array("PointData/" + name, state, name, values);
    });
  }

  /// Opens the datasets of the existing file and removes the states behind the first `kept`.
  void continue_after(std::int64_t kept) {
    const auto steps = static_cast<hsize_t>(kept);
    hsize_t parts = 0, points = 0, fixed = 0;
    std::int64_t count_of_last = 0;
    const auto open = [&] {
      open_datasets({}, 0);
      const auto offsets = rows("Steps/PointOffsets").read<std::int64_t>(0, steps);
      const auto numbers = rows("Steps/PartOffsets").read<std::int64_t>(0, steps);
      parts = static_cast<hsize_t>(numbers.back() + 1);
      const auto counts = rows("NumberOfPoints").read<std::int64_t>(0, parts);
      points = static_cast<hsize_t>(offsets.back() + counts.back());
      fixed = static_cast<hsize_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
      count_of_last = counts.back();
    };
    file_.continue_after(kept, open,
                         [&](const std::string& path) { return rows_to_keep(path, steps, parts, points, fixed); });
    part_ = static_cast<std::int64_t>(parts) - 1;
    first_fixed_ = first_cell_ = static_cast<std::int64_t>(fixed) - count_of_last;
    const hdf5::Quiet quiet;
    last_part_ = {count_of_last, digest_of_ids(first_fixed_, count_of_last)};
  }

  /// Digest of rows of the ids in the file.
  std::uint64_t digest_of_ids(std::int64_t first, std::int64_t count) {
    std::uint64_t digest = 0;
    for (std::int64_t row = 0; row < count; row += RankRows::most_rows) {
      const auto ids = rows("PointData/id")
                           .read<std::int64_t>(static_cast<hsize_t>(first + row),
                                               static_cast<hsize_t>(std::min(RankRows::most_rows, count - row)));
      digest += digest_of(ids.data(), static_cast<std::int64_t>(ids.size()));
    }
    return digest;
  }

  hsize_t rows_to_keep(const std::string& path, hsize_t steps, hsize_t parts, hsize_t points, hsize_t fixed) const {
    if (path.starts_with("Steps/")) return steps;
    if (path == "Vertices/Offsets") return fixed + parts;
    const bool is_point_data = path.starts_with("PointData/");
    const bool is_fixed_array =
        is_point_data && file_.has("Steps/PointDataOffsets/" + path.substr(std::size("PointData/") - 1));
    if (path == "Vertices/Connectivity" || is_fixed_array) return fixed;
    if (path == "Points" || is_point_data) return points;
    if (path.ends_with("/Connectivity")) return 0;
    return parts;
  }

  PolyDataFile file_;
  CaseArrays arrays_;
  bool points_as_double_;
  int compression_;
  bool opened_ = false;
  std::optional<bool> can_share_;      ///< all ranks write their rows; empty: not known yet
  std::vector<SharedTarget> targets_;  ///< rows of the present state that all ranks write
  struct Part {
    std::int64_t count = 0;
    std::uint64_t id_digest = 0;
  };
  std::optional<Part> last_part_;  ///< particles of the current part; empty: none
  std::int64_t part_ = 0, first_cell_ = 0, first_fixed_ = 0;
};

}  // namespace

std::unique_ptr<FieldWriter> open_vtkhdf(const std::filesystem::path& folder, const sph::Case& simulation,
                                         std::optional<std::int64_t> kept_states) {
  return std::make_unique<VtkHdf>(folder, simulation, kept_states.value_or(0));
}

}  // namespace shoal::io
