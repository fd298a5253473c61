#pragma once
// NumPy's .npy files, read with every claim of the header checked against the file before anything is
// allocated. Format: NumPy Enhancement Proposal 1, versions 1.0, 2.0 and 3.0.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "perp/base/array.hpp"
#include "perp/io/byte_source.hpp"
#include "perp/io/stored_table.hpp"

namespace perp {

/// Reads the dictionary that a header is: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, its
/// keys in any order; where the array begins is left open, and a one-dimensional one is one row. `name` (usually the file)
/// goes into messages. Throws Error{Exit::unusable} for anything
/// else: other types, no or more than two dimensions, an empty array, a shape whose bytes do not fit 63 bits.
StoredTable parse_npy_header(std::string_view dictionary, const std::string& name);

/// Whether these bytes begin as a .npy file does.
bool is_npy(std::string_view beginning);

/// How the array lies in the file. Throws Error{Exit::unusable} when the file is not exactly as long as its
/// header promises, and as `parse_npy_header`.
StoredTable npy_table(const ByteSource& source);

/// The array, rows x cols, converted to T (float or double) from f2, f4, f8, i1 … i8 or u1 … u8 in either
/// byte order and either memory order. Values are not judged: they may be infinite or NaN. Throws as
/// `npy_table`.
template <class T>
Matrix<T> read_npy(const std::filesystem::path& path);
extern template Matrix<float> read_npy<float>(const std::filesystem::path&);
extern template Matrix<double> read_npy<double>(const std::filesystem::path&);

/// Writes the matrix as version 1.0, '<f4' or '<f8' (this machine's byte order), whole or not at all.
void write_npy(const std::filesystem::path& path, View<float> values);
void write_npy(const std::filesystem::path& path, View<double> values);

}  // namespace perp
