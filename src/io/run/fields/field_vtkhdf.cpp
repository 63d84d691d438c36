// SPDX-License-Identifier: Apache-2.0
// Temporal PolyData in VTKHDF 2.0: one vertex per particle, one part per state.
//
// While no particle leaves, all states share one part entry, its cells and the constant arrays. Otherwise a new part
// entry begins. The file appears under its name with the first whole state, and is flushed after each state. Flushes
// take place as a whole, so that the file on disk is always that of the last flush, and viewers can open it during the
// run. SWMR is no alternative, because viewers do not open files in SWMR mode (decision 0013). Arrays are written in the
// pieces of RankRows, or by all ranks into space that a flush has added to the file; the next flush counts the state. The
// bytes of the file depend neither on that nor on the number of ranks.
#include <algorithm>
#include <map>
#include <numeric>

#include "core/text.hpp"
#include "io/formats/disk_space.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/fields/poly_data.hpp"

namespace shoal::io {

namespace {

using hdf5::Rows;

/// Arrays that files of earlier versions lack. A run that continues such a file writes the arrays that it has.
constexpr const char* later_arrays[] = {"wall_number", "body"};
constexpr hsize_t largest_chunk = 65536;  // number of rows; a chunk of float points is 768 KiB

class VtkHdf : public FieldWriter {
 public:
  VtkHdf(const std::filesystem::path& folder, const sph::Case& simulation, std::int64_t kept_states)
      : name_(folder / "fields.vtkhdf"),
        path_(kept_states > 0 ? name_ : std::filesystem::path(name_.string() + ".partial")),
        arrays_(simulation),
        points_as_double_(simulation.precision == sph::Precision::double_),
        compression_(simulation.output.compression),
        continues_(kept_states > 0) {
    const hdf5::Quiet quiet;
    if (continues_)
      continue_after(kept_states);
    else
      create(simulation.text);
  }

  ~VtkHdf() override {
    std::error_code ignored;
    if (path_ != name_) std::filesystem::remove(path_, ignored);  // no state was written
  }

  void write(const FieldState& state) override {
    const hdf5::Quiet quiet;
    std::map<std::string, hsize_t> before;
    naming_file(path_, [&] {
      try {
        reserve_space(path_, bytes_of_state(state));
        if (!opened_) open_datasets(state.part(), state.count());
        for (const auto& [path, dataset] : rows_) before[path] = dataset.count();
        if (!can_share_) can_share_ = compression_ == 0 && state.arrays().can_share(path_);
        targets_.clear();
        if (!is_last_part(state)) begin_part(state);
        append_state(state);
        write_targets(state);
        finish_state();
      } catch (const Error&) {
        take_back(before);
        throw;
      }
    });
    if (path_ != name_) {
      rename_file(path_, name_);
      path_ = name_;
    }
    start_sync_to_disk(path_);  // a restart waits until all states are on the disk
  }

  std::int64_t count() const override {
    return opened_ ? static_cast<std::int64_t>(rows_.at("Steps/Values").count()) : 0;
  }

  void sync() override {
    if (path_ == name_) sync_to_disk(path_);
  }

 private:
  void create(const std::string& case_text) {
    std::filesystem::remove(name_);
    create_partial(path_);
    file_ = create_poly_data(path_, case_text);
  }

  Rows& rows(const std::string& path) { return rows_.at(path); }

  template <class T>
  void append(const std::string& path, std::initializer_list<T> values) {
    rows(path).append(std::vector<T>(values));
  }

  void add(const std::string& path, const Rows::Shape& shape) {
    rows_.emplace(path, continues_ ? Rows(file_, "VTKHDF/" + path) : Rows(file_, "VTKHDF/" + path, shape));
  }

  /// Returns true for an array that the continued file lacks, because an earlier version wrote it.
  bool is_missing(const std::string& name) const {
    const bool is_later = std::find(std::begin(later_arrays), std::end(later_arrays), name) != std::end(later_arrays);
    return continues_ && is_later && !hdf5::exists(file_, "VTKHDF/PointData/" + name);
  }

  /// Calls `visit(name, values)` for the constant arrays that the file has.
  template <class Visit>
  void for_each_stored_fixed_array(const sph::Fields& fields, const Visit& visit) const {
    for_each_fixed_array(fields, [&](const std::string& name, const auto& values, int) {
      if (rows_.contains("PointData/" + name)) visit(name, values);
    });
  }

  /// Opens the datasets of a continued file, or creates new ones.
  /// @param fields     shows the names and types of arrays
  /// @param particles  number of particles, to which the sizes of chunks are fitted
  void open_datasets(const sph::Fields& fields, std::int64_t particles) {
    opened_ = true;
    const hsize_t chunk = std::clamp<hsize_t>(static_cast<hsize_t>(particles), 1, largest_chunk);
    const bool is_shared = compression_ == 0;
    add("Points", {points_as_double_ ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, 3, chunk, compression_, is_shared});
    const auto add_point_data = [&]<class T>(const std::string& name, const std::vector<T>&, int columns) {
      const hsize_t shown = columns > 1 ? static_cast<hsize_t>(columns) : 0;
      add("PointData/" + name, {hdf5::type_of<T>(), shown, chunk, compression_, is_shared});
    };
    for_each_changing_array(fields, arrays_, add_point_data);
    for_each_fixed_array(fields, [&](const std::string& name, const auto& values, int columns) {
      if (is_missing(name)) return;
      add_point_data(name, values, columns);
      add("Steps/PointDataOffsets/" + name, {H5T_NATIVE_INT64});
    });
    add("NumberOfPoints", {H5T_NATIVE_INT64});
    for (const std::string group : cell_groups) {
      const bool filled = group == cell_groups[0];
      add(group + "/NumberOfCells", {H5T_NATIVE_INT64});
      add(group + "/NumberOfConnectivityIds", {H5T_NATIVE_INT64});
      const bool filled_by_all = filled && is_shared;
      add(group + "/Offsets", {H5T_NATIVE_INT64, 0, filled ? chunk + 1 : 1024, compression_, filled_by_all});
      add(group + "/Connectivity", {H5T_NATIVE_INT64, 0, filled ? chunk : 1024, compression_, filled_by_all});
    }
    add("Steps/Values", {H5T_NATIVE_DOUBLE});
    for (const char* name : {"Steps/PartOffsets", "Steps/NumberOfParts", "Steps/PointOffsets"})
      add(name, {H5T_NATIVE_INT64});
    for (const char* name : {"Steps/CellOffsets", "Steps/ConnectivityIdOffsets"}) add(name, {H5T_NATIVE_INT64, 4});
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
    flush();
    state.arrays().write_shared(path_, targets_);
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

  void finish_state() {
    write_step_count(file_, count());
    flush();
  }

  void flush() { hdf5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flushing"); }

  /// Restores the earlier states after a write that failed in the middle.
  void take_back(const std::map<std::string, hsize_t>& counts) noexcept {
    last_part_.reset();
    try {
      for (const auto& [path, count] : counts) rows(path).keep(count);
      if (!counts.empty()) finish_state();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the first error is the one to report
    }
  }

  /// Opens the datasets of the existing file and removes the states behind the first `count`.
  void continue_after(std::int64_t count) {
    try {
      file_ = hdf5::open_journaled(path_);
      open_datasets({}, 0);
      keep_states(static_cast<hsize_t>(count));
    } catch (const Error& error) {
      throw Error(text(path_.string(), ": this file does not have the ", count,
                       " states that the run had written when its restart was made: ", error.what(),
                       " Put the whole file back, or run the case again."));
    }
    continues_ = false;
  }

  void keep_states(hsize_t kept) {
    const auto points = rows("Steps/PointOffsets").read<std::int64_t>(0, kept);
    const auto parts = rows("Steps/PartOffsets").read<std::int64_t>(0, kept);
    const auto kept_parts = static_cast<hsize_t>(parts.back() + 1);
    const auto counts = rows("NumberOfPoints").read<std::int64_t>(0, kept_parts);
    const auto kept_points = static_cast<hsize_t>(points.back() + counts.back());
    const auto kept_fixed = static_cast<hsize_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    for (auto& [path, dataset] : rows_) {
      const hsize_t number = rows_to_keep(path, kept, kept_parts, kept_points, kept_fixed);
      dataset.require_rows(number);
      dataset.keep(number);
    }
    write_step_count(file_, count());
    part_ = static_cast<std::int64_t>(kept_parts) - 1;
    first_fixed_ = first_cell_ = static_cast<std::int64_t>(kept_fixed) - counts.back();
    last_part_ = {counts.back(), digest_of_ids(first_fixed_, counts.back())};
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
        is_point_data && rows_.contains("Steps/PointDataOffsets/" + path.substr(std::size("PointData/") - 1));
    if (path == "Vertices/Connectivity" || is_fixed_array) return fixed;
    if (path == "Points" || is_point_data) return points;
    if (path.ends_with("/Connectivity")) return 0;
    return parts;
  }

  std::filesystem::path name_;  ///< final name of the file
  std::filesystem::path path_;  ///< present name of the file
  CaseArrays arrays_;
  bool points_as_double_;
  int compression_;
  bool continues_ = false, opened_ = false;
  std::optional<bool> can_share_;      ///< all ranks write their rows; empty: not known yet
  std::vector<SharedTarget> targets_;  ///< rows of the present state that all ranks write
  hdf5::Handle file_;
  std::map<std::string, Rows> rows_;
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
