// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "io/formats/text/file_cursor.hpp"

namespace shoal::io {

/// Header of a file of OpenFOAM.
struct FoamHeader {
  std::string class_name;   ///< such as "faceList"
  bool is_binary = false;   ///< true: lists of numbers are raw
  bool is_swapped = false;  ///< true: raw numbers have the other byte order
  int label_bytes = 0;      ///< size of a raw integer, 4 or 8; 0: the file does not state it
  int scalar_bytes = 8;     ///< size of a raw floating-point number, 4 or 8
  bool is_compressed = false;
};

/// Content of a file of OpenFOAM that is a part of another file.
struct FoamBlock {
  std::string name;  ///< name for messages
  std::string content;
  FoamHeader header;  ///< header of the content, if it does not begin with one
};

/// Entries that a list of integers may have.
struct LabelRange {
  std::string_view length;    ///< name of the length in messages: "the number of owners"
  std::int64_t most_entries;  ///< largest length of the list
  std::string_view item;      ///< name of an entry in messages: "the owner of a face"
  std::int64_t limit;         ///< upper bound of an entry, exclusive
  std::int64_t least = 0;     ///< smallest entry
};

/// File of OpenFOAM: its header, tokens, and lists in text or binary.
///
/// Tokens are words, numbers, text in quotes, and the characters ( ) { } ; each. Comments of C++ may stand between them.
/// Directives and macros (#include, $name) are errors, because their meaning depends on other files.
class FoamFile {
 public:
  /// Reads `file`, or `file`.gz if there is no `file`.
  /// @param classes  classes that the header may state
  /// @throws Error  no such file, damaged compression, no header, or another class
  FoamFile(const std::filesystem::path& file, std::span<const std::string_view> classes);

  /// File with the content of a block. Its header is that at the begin of the content, else `block.header`.
  FoamFile(const FoamBlock& block, std::span<const std::string_view> classes);

  const FoamHeader& header() const { return header_; }
  const std::string& name() const { return file_.name(); }

  /// Next token.
  /// @param what  expected item, for the message if the file ends here
  std::string_view token(std::string_view what);
  /// Takes the next token if it is this character.
  bool take(char character);
  /// Takes the next token.
  /// @throws Error  if it is not this character; `where` ends the message
  void expect(char character, std::string_view where);
  /// Next token as an integer.
  std::int64_t integer(std::string_view what);
  /// Length of a list.
  /// @throws Error  negative, or more than `most`
  std::int64_t count(std::string_view what, std::int64_t most);
  /// Next bytes, raw in parentheses after their number: N(...).
  std::string raw_bytes(std::string_view what);
  /// Returns true if only comments are left.
  bool at_end();
  /// Requires that only comments are left.
  void expect_end();

  /// Appends a list of integers, also a uniform one, N{value}. Returns its length.
  std::int64_t append_labels(const LabelRange& range, std::vector<std::int64_t>& values);
  /// Appends a list of vectors to three arrays.
  void append_vectors(std::vector<double>& x, std::vector<double>& y, std::vector<double>& z);

  /// Number of entries that the file can hold: each takes one byte or more.
  std::int64_t most_entries() const { return static_cast<std::int64_t>(file_.content().size()); }

  /// Throws "file:line:column: ..." for the token that was read last, "file: byte n: ..." for a raw number.
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    if (is_raw_) file_.refuse_byte(last_, parts...);
    file_.refuse(last_, parts...);
  }

 private:
  void read_header(std::span<const std::string_view> classes);
  void require_class(std::span<const std::string_view> classes) const;
  void read_entry(std::string_view key);
  void read_arch(std::string_view arch);
  void skip_blanks();
  bool take_empty(std::int64_t entries);
  std::int64_t label(const LabelRange& range);
  std::int64_t raw_label();
  double scalar();
  void require_label_size(std::int64_t entries);
  /// Returns true if a raw list of so many bytes, which begins here, would end with ")".
  bool ends_after(std::uint64_t bytes) const;

  FileCursor file_;
  FoamHeader header_;
  std::size_t last_ = 0;  ///< position of the token or raw number that was read last
  bool is_raw_ = false;   ///< true: `last_` is that of a raw number
};

}  // namespace shoal::io
