// O6: 384 dimensions are enough; 768 give twice the room.

#include "perp/base/linalg.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/angles.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/theory/room.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/positions_basis.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 512;    // positions
constexpr std::size_t word_rank = 32;  // dimensions of the word subspace that is held against the positions'

struct Draws {
  std::string measure;
  std::size_t d, draws;
};
PERP_ROW(Draws, measure, d, draws)
struct Room : Draws {
  std::size_t r99;
  Estimate largest;  ///< cosine, mean over draws
};
PERP_ROW_OF(Room, Draws, r99, largest)

struct Reader {
  std::string measure;
  std::size_t d, v, l;  ///< dimension, words, positions
};
PERP_ROW(Reader, measure, d, v, l)
struct ReaderRoom : Reader {
  std::size_t r99;
};
PERP_ROW_OF(ReaderRoom, Reader, r99)

/// Sizes that readers come with: small sentence encoders to wide decoders.
std::vector<Reader> readers(Preset preset) {
  std::vector<Reader> readers{{"reader", 128, 30000, 512},   {"reader", 384, 30000, 512},
                              {"reader", 512, 37000, 512},   {"reader", 768, 30000, 512},
                              {"reader", 768, 50000, 1024},  {"reader", 1024, 50000, 2048},
                              {"reader", 2048, 32000, 2048}, {"reader", 4096, 128000, 8192}};
  if (preset == Preset::quick) std::erase_if(readers, [](const Reader& reader) { return reader.d > 1024; });
  return readers;
}

/// Leading r right singular vectors of the sinusoidal table by way of its L x L Gram matrix: r x d
/// orthonormal rows.
Matrix<double> leading_positions(std::size_t d, std::size_t r) {
  const Matrix<double> table = sinusoidal<double>(length, d);
  return orthonormal_rows(product(perp::leading_directions(gram_rows(table), r), table));
}

void measure_room(const Draws& at, const Streams& streams, Rows& rows) {
  const std::size_t r99 = measured_r99(length, at.d);
  const Matrix<double> positions = leading_positions(at.d, r99);
  MomentSums largest;
  for (std::size_t draw = 0; draw < at.draws; ++draw) {
    const auto words = normal_matrix<double>(word_rank, at.d, streams("words", draw));
    largest.add(principal_cosines(words, positions).front());
  }
  rows.add(Room{at, r99, estimated(largest.moments())});
}

void measure_reader(const Reader& at, const Streams&, Rows& rows) {
  rows.add(ReaderRoom{at, measured_r99(at.l, at.d)});
}

double r99_line(const Room& room) { return theory::sinusoid_r99(length, room.d, usual_base); }

void add_rooms(const std::vector<Room>& rooms, Summary& summary) {
  const auto d = exact("d", "dimension", &Room::d);
  const auto r99 = counted("r99", "dimensions that hold 99% of 512 sinusoidal positions", &Room::r99)
                       .theory("r99_line", "closed form for r99", r99_line)
                       .n(length);
  const auto free_share =
      rounded("free_share", "share of the dimensions that 512 positions leave free", [](const Room& r) {
        return double(r.d - r.r99) / r.d;
      }).theory([](const Room& r) {
          return 1 - r99_line(r) / r.d;
        }).n(length);
  const auto largest =
      sampled("largest",
              "largest principal cosine of a random 32-dimensional subspace with the positions' r99 "
              "dimensions, mean over draws",
              &Room::largest)
          .interval("largest_low", "largest_high", "its 99% interval by Student's t")
          .theory("largest_theory", "Johnstone's approximation, 1 from 32 + r99 = d on",
                  [](const Room& r) { return theory::largest_cosine_expected(r.d, word_rank, r.r99); })
          .n(&Room::draws);
  summary.table("o6_room.csv", rooms,
                {d, r99, counted("free", "d - r99", [](const Room& r) { return r.d - r.r99; }), free_share,
                 largest, exact("draws", "random subspaces", &Room::draws)});
  summary.each(where(rooms, [](const Room& r) { return r.d == 384 || r.d == 768; }), {d},
               {r99.unit("dimensions"), free_share, largest});
  const Room narrow = only(rooms, &Room::d, 384u).at(0), wide = only(rooms, &Room::d, 768u).at(0);
  add_overall(summary, "room_ratio", {}, double(wide.d - wide.r99) / double(narrow.d - narrow.r99), 2,
              "Free dimensions at 768 over free dimensions at 384, 512 positions.",
              (wide.d - r99_line(wide)) / (narrow.d - r99_line(narrow)));
}

void add_readers(const std::vector<ReaderRoom>& readers, Summary& summary) {
  const auto expected = [](const char* name, const char* meaning, double theory::Expectation::*number) {
    return exact(name, meaning,
                 [number](const ReaderRoom& r) { return theory::expect(r.d, r.v, r.l).*number; });
  };
  using theory::Expectation;
  summary.table(
      "practitioner.csv", readers,
      {exact("d", "dimension", &Reader::d), exact("words", "words V", &Reader::v),
       exact("positions", "sinusoidal positions L", &Reader::l),
       expected("chance_cosine", "1/sqrt(d): spread of the cosine of a word with anything unrelated",
                &Expectation::chance_cosine),
       expected("largest_words", "largest |cosine| to expect among all pairs of V unrelated words",
                &Expectation::largest_words),
       expected("largest_word_position", "largest |cosine| to expect among V L unrelated pairs",
                &Expectation::largest_word_position),
       counted("r99", "dimensions that hold 99% of the positions", &ReaderRoom::r99),
       counted("free", "d - r99", [](const ReaderRoom& r) { return r.d - r.r99; })});
}

void conclude(const Cells& cells, Summary& summary) {
  add_rooms(rows_of<Room>(cells), summary);
  add_readers(rows_of<ReaderRoom>(cells), summary);
  // "384 are enough" is no matter of geometry: [a] itself says that it may depend on the task.
  summary.rule = {
      condition(Role::core, "room_ratio", Is::above, 2.0, Evidence::closed_form, {},
                "dimensions that 512 positions leave free at 768, over those at 384"),
      condition(Role::limit, elsewhere, Is::above, 0.0, Evidence::trained, {{"evidence", "trained"}},
                "384 dimensions are enough", "models trained for a task at both widths")};
}

}  // namespace

std::size_t room_draws(Preset preset) { return pick<std::size_t>(preset, 4, 20, 100); }

Experiment room(const Options& options) {
  Experiment claim{"O6", "384 dimensions are enough; 768 give twice the room.", "[a]"};
  const std::vector<std::size_t> usual{64, 128, 256, 384, 512, 768, 1024, 2048, 4096};
  std::vector<std::size_t> dims = pick(options.preset, {128, 384, 768}, usual, usual);
  if (options.preset == Preset::long_) dims.push_back(8192);
  claim.measure(
      grid<Draws>("room", dims, room_draws(options.preset)),
      [](const Draws& at) { return 1e-7 * (at.d * at.draws) + 0.3; }, measure_room);
  claim.measure(readers(options.preset), 0.2, measure_reader);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
