#pragma once
// Where a model's configuration says what its positions are: which values belong to its text, to one kind of layer, to
// its family; and what it says of rotation that nothing here reads.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/model_config.hpp"

namespace perp::distance {

/// rope_architectures.js: what configurations call a thing, what families take where a file is silent, what lists of
/// layers mean.
const ConfigValues& rope_data();

/// In the rope parameters and the family's row; beside the rope parameters; in both, the first before the second.
enum class Where { in_rope, beside_rope, anywhere };

/// Looks values up by the names of Hugging Face's configurations, and by the others that "names" has for them: first in
/// the object of rope parameters of one kind of layer, then in rope_parameters (or rope_scaling where that alone says
/// anything), then of a model of several parts in its text's, then in its family's row. Whatever number is taken from the
/// family is noted. Copies share what was read and noted. Values of another kind than asked for throw Error{unusable},
/// naming file and key.
class RopeKeys {
 public:
  /// `values` must outlive it.
  explicit RopeKeys(const ConfigValues& values);
  /// The same for a kind of layer ("sliding_attention"), and for the layer of that number where lists have one value for
  /// each.
  RopeKeys of(std::string_view kind, std::optional<std::size_t> layer) const;

  std::optional<double> number(std::string_view name, Where where = Where::anywhere) const;
  std::optional<std::uint64_t> whole(std::string_view name, std::uint64_t most) const;
  template <class Kind>
  std::optional<Kind> get(std::string_view name, Where where = Where::anywhere) const {
    const Found found = find(name, where);
    return found.values ? found.values->template get<Kind>(found.key) : std::nullopt;
  }
  std::vector<double> list(std::string_view name, Where where = Where::anywhere) const {
    return get<std::vector<double>>(name, where).value_or(std::vector<double>{});
  }
  std::string scaling_type() const;  ///< "default" where nothing says

  bool has(std::string_view name) const { return find(name, Where::anywhere).values != nullptr; }
  /// Whether the file itself, not the family, has it; whether what is found is of that kind; whether it says null.
  bool says(std::string_view name) const;
  template <class Kind>
  bool is(std::string_view name) const {
    const Found found = find(name, Where::anywhere);
    return found.values && std::holds_alternative<Kind>(found.values->values.find(found.key)->second);
  }
  bool is_null(std::string_view name) const;
  bool has_rope() const { return !rope_.empty(); }
  /// Whether the kind has an object of its own in the file that names a base.
  bool has_own_base() const { return !own_.empty() && file_->has(own_ + ".rope_theta"); }
  /// Objects of rope parameters by kind of layer: their names.
  std::vector<std::string> kinds() const;

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
    Where where;
    bool is_family;
  };
  struct Found {
    const ConfigValues* values = nullptr;
    std::string key;
    std::string name;
    bool is_family = false;
  };
  struct Record {
    std::set<std::string, std::less<>> read;
    std::vector<std::string> notes;
  };

  Found find(std::string_view name, Where where) const;
  std::optional<double> number_of(const Found& found) const;
  void set_places(std::string_view kind);

  const ConfigValues* file_;
  std::shared_ptr<Record> record_ = std::make_shared<Record>();
  std::string model_, rope_, kind_, own_, family_, model_type_;
  std::optional<std::size_t> layer_;
  std::vector<Place> places_;
};

}  // namespace perp::distance
