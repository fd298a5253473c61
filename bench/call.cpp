#include "bench/call.hpp"

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

/// The studies' tables are in rows: what a row of the bench times is the call that row-major BLAS makes of it.
BareCall bare_call(const Row& row) {
  const auto& [m, n, k] = row.shape;
  const auto call = [&](std::string_view operation, std::string_view letters, Shape shape) {
    return BareCall{operation, letters, row.type, shape, false};
  };
  if (row.operation.starts_with("gemm")) return call("gemm", "TN", {n, m, k});  // C = A Bᵀ, rows with rows
  if (row.operation.starts_with("syrk")) return call("syrk", "UN", row.shape);  // the lower triangle of AᵀA
  if (row.operation == "gemv") return call("gemv", "T", row.shape);
  if (row.operation == "ger") return call("ger", "-", {n, m, 0});
  if (row.operation == "trsm") return call("trsm", "RUN", {n, m, 0});  // L X = B
  if (row.operation == "qr") return call("geqrf", "-", row.shape);
  if (row.operation == "svd_values") return call("gesdd", "N", row.shape);
  if (row.operation == "svd_thin") return call("gesdd", "S", row.shape);
  return call(row.operation, "U", row.shape);  // potrf, syevd
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size(); at += parts.back().size() + 1)
    parts.push_back(text.substr(at, text.find(separator, at) - at));
  return parts;
}

Type type_from(std::string_view text) { return text == "f32" ? Type::f32 : Type::f64; }

/// The sizes of "55x165", in those places that `like` has.
Shape shape_from(std::string_view text, Shape like) {
  const std::vector<std::string_view> sizes = parts_of(text, 'x');
  auto next = sizes.begin();
  for (std::size_t* size : {&like.m, &like.n, &like.k})
    if (*size != 0 && next != sizes.end())
      *size = static_cast<std::size_t>(std::stoull(std::string(*next++)));
  return like;
}

/// Which sizes a bare call has.
Shape sizes_of(std::string_view operation) {
  if (operation == "gemm") return {1, 1, 1};
  if (operation == "syrk") return {0, 1, 1};
  if (operation == "potrf" || operation == "syevd") return {0, 1, 0};
  return {1, 1, 0};
}

}  // namespace

std::string Check::said() const { return fmt::format("error {:.3g}, bound {:.3g}", error, bound); }

std::string BareCall::name() const {
  return fmt::format("{}/{}/{}/{}/{}", operation, letters, to_text(type), shape.text(),
                     odd ? "shifted" : "aligned");
}

Call make_call(const BareCall& bare) {
  return is_lapack(bare.operation) ? make_lapack(bare) : make_blas(bare);
}

Call make_call(const Row& row) {
  return row.through == Through::own ? make_own(row) : make_call(bare_call(row));
}

std::optional<Row> row_of(std::string_view name) {
  const std::vector<std::string_view> parts = parts_of(name, '/');
  if (parts.size() == 5) return {};
  require(parts.size() == 4, "'{}' is no row", name);
  const Operation& o = operation(parts[0]);
  return Row{o.name, o.through, type_from(parts[2]), shape_from(parts[3], o.shapes.front())};
}

Call make_call(std::string_view name) {
  if (const std::optional<Row> row = row_of(name)) return make_call(*row);
  const std::vector<std::string_view> parts = parts_of(name, '/');
  return make_call(BareCall{parts[0], parts[1], type_from(parts[2]), shape_from(parts[3], sizes_of(parts[0])),
                            parts[4] == "shifted"});
}

}  // namespace perp::bench
