// The planner for the page: the native planners behind two functions that WebAssembly exports.
#include <emscripten.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/dynamics.h"
#include "engine/world.h"
#include "search/action/action_planners.h"
#include "search/core/control.h"
#include "search/optimal/push_a_star.h"
#include "search/push/push_portfolio.h"
#include "search/push/strategy.h"
#include "search/shorten/shorten.h"

// Implemented by the page: the progress of the search.
extern "C" __attribute__((import_module("page"), import_name("report"))) void report(double seconds,
                                                                                     double states,
                                                                                     double best,
                                                                                     double bytes);

namespace pushworld {
namespace {

using Clock = Control::Clock;
using Solve = std::function<SearchResult(const Dynamics&, Control&)>;

constexpr auto kReportInterval = std::chrono::milliseconds(200);
constexpr std::string_view kLetters = "LRUD";

// The planners by their names in the registry of the package, with its seed.
const std::array<std::pair<std::string_view, Solve>, 6> kPlanners = {{
    {"default",
     [](const auto& dynamics, auto& control) {
       return solve_by_pushes(dynamics, 0, control, 1, default_strategies());
     }},
    {"novelty-rgd",
     [](const auto& dynamics, auto& control) { return solve_novelty_rgd(dynamics, 0, control); }},
    {"rgd", [](const auto& dynamics, auto& control) { return solve_rgd(dynamics, 0, control); }},
    {"cea", [](const auto& dynamics, auto& control) { return solve_cea(dynamics, 0, control); }},
    {"astar", [](const auto& dynamics,
                 auto& control) { return solve_a_star(dynamics, 0, control, Minimize::kActions); }},
    {"bfs",
     [](const auto& dynamics, auto& control) { return solve_breadth_first(dynamics, 0, control); }},
}};

// Reads a world from the numbers that the page writes: width and height; the walls; the walls of
// the agent; of each object its cells, its start, and its goal or no point. A list has its size
// first.
class Reader {
 public:
  explicit Reader(const int32_t* numbers) : next_(numbers) {}

  WorldSpec world() {
    WorldSpec spec;
    spec.width = *next_++;
    spec.height = *next_++;
    spec.walls = points();
    spec.agent_walls = points();
    for (int32_t left = *next_++; left > 0; --left) {
      std::vector<Point> cells = points();
      const Point start = point();
      const std::vector<Point> goal = points();
      spec.objects.push_back(
          {std::move(cells), start, goal.empty() ? std::nullopt : std::optional<Point>(goal[0])});
    }
    return spec;
  }

 private:
  Point point() {
    const Point read{next_[0], next_[1]};
    next_ += 2;
    return read;
  }
  std::vector<Point> points() {
    std::vector<Point> read(*next_++);
    for (Point& each : read) each = point();
    return read;
  }

  const int32_t* next_;
};

// Returns a result as JSON.
std::string json_of(const SearchResult& result) {
  std::string json = "{\"status\":\"";
  json += kStatusNames[static_cast<size_t>(result.status)];
  json += "\",\"plan\":\"";
  for (const uint8_t action : result.plan) json += kLetters[action];
  return json + "\",\"states\":" + std::to_string(result.states) +
         ",\"expanded\":" + std::to_string(result.expanded) +
         ",\"peak_bytes\":" + std::to_string(result.peak_bytes) + "}";
}

// Makes the engine and runs a search, both within the limits. Returns its result as JSON, or why
// there is none.
template <typename Search>
const char* run(const int32_t* world, double seconds, double bytes, double max_states,
                const Search& search) {
  static std::string answer;
  const auto start = Clock::now();
  auto last = start;
  try {
    // A conversion of more than 64 bits would trap.
    Control control(seconds, static_cast<uint64_t>(bytes),
                    static_cast<uint64_t>(std::min(max_states, 0x1p63)));
    control.on_check = [&] {
      const auto now = Clock::now();
      if (now - last < kReportInterval) return;
      last = now;
      report(std::chrono::duration<double>(now - start).count(),
             static_cast<double>(control.states), control.best,
             static_cast<double>(control.used_bytes + control.engine_bytes()));
    };
    const Checkpoint checkpoint = [&](size_t more) {
      control.check();
      if (!control.take_for_engine(more)) throw SearchStopped(Status::kMemoryLimit);
    };
    const Dynamics dynamics(std::make_shared<World>(Reader(world).world(), checkpoint), checkpoint);
    answer = json_of(search(dynamics, control));
  } catch (const SearchStopped& stopped) {
    answer = json_of({.status = stopped.status});
  } catch (const std::bad_alloc&) {
    answer = json_of({.status = Status::kMemoryLimit});
  } catch (const std::exception& error) {  // its text has no quotes
    answer = "{\"error\":\"" + std::string(error.what()) + "\"}";
  }
  return answer.c_str();
}

}  // namespace
}  // namespace pushworld

using namespace pushworld;

extern "C" EMSCRIPTEN_KEEPALIVE const char* solve(const int32_t* world, const char* planner,
                                                  double seconds, double bytes, double max_states) {
  return run(world, seconds, bytes, max_states, [&](const Dynamics& dynamics, Control& control) {
    const auto found = std::find_if(kPlanners.begin(), kPlanners.end(),
                                    [&](const auto& each) { return each.first == planner; });
    if (found == kPlanners.end()) throw std::invalid_argument("the page has no such planner");
    return found->second(dynamics, control);
  });
}

extern "C" EMSCRIPTEN_KEEPALIVE const char* shorten(const int32_t* world, const char* plan,
                                                    double seconds, double bytes,
                                                    double max_states) {
  return run(world, seconds, bytes, max_states, [&](const Dynamics& dynamics, Control& control) {
    std::vector<uint8_t> actions;
    for (; *plan != 0; ++plan) actions.push_back(static_cast<uint8_t>(kLetters.find(*plan)));
    return shorten_plan(dynamics, actions, control);
  });
}
