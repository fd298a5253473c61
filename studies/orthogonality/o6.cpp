// O6: 768 dimensions leave at least twice the room of 384.

#include "perp/study/claim.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/positions_basis.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 512;  // positions

struct Width {
  std::string measure;
  std::size_t d;
};
PERP_ROW(Width, measure, d)
struct Room : Width {
  std::size_t r99;
};
PERP_ROW_OF(Room, Width, r99)

void measure(const Width& at, const Streams&, Rows& rows) { rows.add(Room{at, measured_r99(length, at.d)}); }

double r99_line(const Room& room) { return theory::sinusoid_r99(length, room.d, usual_base); }

void conclude(const Cells& cells, Summary& summary) {
  const auto rooms = rows_of<Room>(cells);
  summary.each(rooms, {exact("d", "dimension", &Room::d)},
               {counted("r99", "dimensions that hold 99% of 512 sinusoidal positions", &Room::r99)
                    .theory(r99_line)
                    .unit("dimensions")
                    .n(length)});
  const Room &narrow = rooms.at(0), &wide = rooms.at(1);
  add_overall(summary, "room_ratio", {}, double(wide.d - wide.r99) / double(narrow.d - narrow.r99), 2,
              "Free dimensions at 768 over free dimensions at 384, 512 positions.",
              (wide.d - r99_line(wide)) / (narrow.d - r99_line(narrow)));
  // "384 are enough" is no matter of geometry: [a] itself says that it may depend on the task.
  summary.rule = {
      condition(Role::core, "room_ratio", Is::above, 2.0, Evidence::closed_form, {},
                "dimensions that 512 positions leave free at 768, over those at 384"),
      condition(Role::limit, elsewhere, Is::above, 0.0, Evidence::trained, {{"evidence", "trained"}},
                "384 dimensions are enough", "models trained for a task at both widths")};
}

}  // namespace

Experiment room(const Options&) {
  Experiment claim{"O6", "768 dimensions leave at least twice the room of 384.", "[a]"};
  claim.measure(grid<Width>("room", std::vector<std::size_t>{384, 768}), 0.3, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
