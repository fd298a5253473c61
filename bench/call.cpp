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

}  // namespace

std::string BareCall::name() const {
  return fmt::format("{}/{}/{}/{}/{}", operation, letters, to_text(type), shape.text(),
                     odd ? "shifted" : "aligned");
}

std::unique_ptr<Call> make_call(const BareCall& bare) {
  std::unique_ptr<Call> call = is_lapack(bare.operation) ? make_lapack(bare) : make_blas(bare);
  if (!call) fail("no such call: {}", bare.name());
  return call;
}

std::unique_ptr<Call> make_call(const Row& row) {
  if (row.through == Through::bare) return make_call(bare_call(row));
  std::unique_ptr<Call> call = make_own(row);
  if (!call) fail("no such call: {}", row.name());
  return call;
}

}  // namespace perp::bench
