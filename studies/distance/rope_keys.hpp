#pragma once
// Where a model's configuration says what its positions are: which values belong to its text, to one kind of layer, to
// its family; and what it says of rotation that nothing here reads.

#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/config_values.hpp"

namespace perp::distance {

/// Looks values up under any of several names: first in the object of rope parameters of one kind of layer, then in
/// rope_parameters (or rope_scaling where that alone says anything), then of a model of several parts in its text's,
/// then in its family's row of rope_architectures.json, which has the names of Hugging Face's configurations. Whatever
/// is taken from the family is noted. Copies share what was read and noted. Values of another kind than asked for throw
/// Error{unusable}, naming file and key.
class RopeKeys {
 public:
  using Names = std::initializer_list<std::string_view>;

  /// `values` must outlive it.
  explicit RopeKeys(const ConfigValues& values);
  /// The same for a kind of layer ("sliding_attention"), and for the layer of that number where lists have one value for
  /// each.
  RopeKeys of(std::string_view kind, std::optional<std::size_t> layer) const;

  bool has(Names names) const { return find(names, all_).values != nullptr; }
  std::optional<double> number(Names names) const { return number_of(find(names, all_)); }
  std::optional<std::uint64_t> whole(Names names, std::uint64_t most) const;
  std::optional<bool> truth(Names names) const;
  std::optional<std::string> text(Names names) const;
  std::vector<double> list(Names names) const;
  std::vector<std::string> texts(Names names) const;
  /// Of what stands in the rope parameters alone, and in the family's row.
  std::optional<double> scaling(std::string_view name) const { return number_of(find({name}, of_rope_)); }
  /// Of what stands beside the rope parameters.
  std::optional<double> outer(std::string_view name) const { return number_of(find({name}, of_model_)); }
  std::string scaling_type() const;  ///< "default" where nothing says
  std::optional<bool> scaling_truth(std::string_view name) const;
  std::vector<double> scaling_list(std::string_view name) const;

  /// Objects of rope parameters by kind of layer: their names.
  std::vector<std::string> kinds() const;
  /// Whether the file itself, not the family, has one; whether it says null.
  bool says(Names names) const;
  bool is_null(std::string_view name) const;
  bool is_list(std::string_view name) const;
  bool is_text(std::string_view name) const;
  bool has_rope() const { return !rope_.empty(); }
  /// Whether the kind has an object of its own in the file that names a base.
  bool has_own_base() const;

  const std::string& model() const { return model_type_; }
  std::string source() const;  ///< of the family's row; empty without one
  std::string file_name() const { return file_->file; }
  std::string name_of(std::string_view key) const { return std::string(file_->name_of(key)); }

  void note(std::string text) const;
  /// What was noted, and last what the file says of rotation and nobody has read.
  std::vector<std::string> notes() const;

 private:
  struct Place {
    const ConfigValues* values;
    std::string prefix;
    bool is_family;
  };
  struct Found {
    const ConfigValues* values = nullptr;
    std::string key;
    std::string_view name;
    bool is_family = false;
  };
  struct Record {
    std::set<std::string, std::less<>> read;
    std::vector<std::string> notes;
  };

  Found find(Names names, const std::vector<Place>& places) const;
  std::optional<double> number_of(const Found& found) const;
  template <class Kind>
  bool is(std::string_view name) const;
  void note_family(const Found& found, std::string_view value) const;
  void set_places(std::string_view kind);
  std::vector<std::string> unread() const;

  const ConfigValues* file_;
  std::shared_ptr<Record> record_ = std::make_shared<Record>();
  std::string model_, rope_, kind_, own_, family_, model_type_;
  std::optional<std::size_t> layer_;
  std::vector<Place> all_, of_rope_, of_model_;
};

}  // namespace perp::distance
