#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "bindings/bindings.h"
#include "search/action/action_planners.h"
#include "search/action/evaluators.h"
#include "search/heuristics/lower_bound.h"
#include "search/optimal/push_a_star.h"
#include "search/push/push_portfolio.h"
#include "search/push/strategy.h"
#include "search/shorten/shorten.h"

namespace nb = nanobind;

namespace pushworld {
namespace {

// Runs a search without the GIL.
template <typename Search>
SearchResult run(const Control& control, Search&& search) {
  nb::gil_scoped_release release;
  SearchResult result = search();
  if (result.status == Status::kUnknown) throw std::logic_error("a search ended without a status");
  result.peak_bytes += control.engine_bytes();
  return result;
}

using Names = std::vector<std::string>;
using PyOpenList = std::pair<Names, Names>;  // features, evaluators
using PyOptions = std::vector<std::pair<std::string, uint64_t>>;
using PyStrategy =
    std::tuple<std::string, std::vector<PyOpenList>, std::string, int, bool, bool, PyOptions>;

// Returns the names and meanings of a table.
template <typename Table>
std::vector<std::pair<std::string, std::string>> described(const Table& table) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& entry : table) result.emplace_back(entry.name, entry.meaning);
  return result;
}

Commitment commitment_of(const std::string& name) {
  const auto found = std::find(kCommitmentNames.begin(), kCommitmentNames.end(), name);
  if (found == kCommitmentNames.end()) throw std::invalid_argument("unknown name '" + name + "'");
  return static_cast<Commitment>(found - kCommitmentNames.begin());
}

std::vector<Strategy> strategies_from(const std::vector<PyStrategy>& strategies) {
  std::vector<Strategy> result;
  for (const auto& [name, open_lists, commitment, share, few_objects, goals_in_turn, options] :
       strategies) {
    result.push_back({name, {}, commitment_of(commitment), share, few_objects, goals_in_turn});
    for (const auto& [key, value] : options) {
      result.back().options.*kPushOptions[place_of(key, kPushOptions)].member = value;
    }
    for (const auto& [features, evaluators] : open_lists) {
      result.back().open_lists.push_back(open_list(features, evaluators));
    }
  }
  return result;
}

// The options that differ from their defaults.
PyOptions python_options(const PushOptions& options) {
  PyOptions result;
  for (const PushOption& option : kPushOptions) {
    const uint64_t value = options.*option.member;
    if (value != PushOptions{}.*option.member) result.emplace_back(option.name, value);
  }
  return result;
}

std::vector<PyStrategy> python_strategies(const std::vector<Strategy>& strategies) {
  std::vector<PyStrategy> result;
  for (const Strategy& strategy : strategies) {
    std::vector<PyOpenList> open_lists;
    for (const OpenListSpec& list : strategy.open_lists) {
      auto& [features, evaluators] = open_lists.emplace_back();
      for (const FeatureId each : list.features) {
        features.emplace_back(kPushFeatureInfos[each].name);
      }
      for (const EvaluatorId each : list.evaluators) {
        evaluators.emplace_back(kPushEvaluators[each].name);
      }
    }
    result.emplace_back(strategy.name, std::move(open_lists),
                        kCommitmentNames[static_cast<size_t>(strategy.commitment)], strategy.share,
                        strategy.few_objects, strategy.goals_in_turn,
                        python_options(strategy.options));
  }
  return result;
}

using PyState = std::vector<PyPoint>;

// Evaluates the heuristics of the action planners for single states.
class Heuristics {
 public:
  Heuristics(const Dynamics& dynamics, Control* control)
      : guard_(control ? *control : unlimited_),
        space_(dynamics, guard_),
        rgd_(space_, guard_),
        context_enhanced_(space_, guard_),
        lower_bound_(space_.dynamics(), space_.classes(), guard_) {}
  Heuristics(const Heuristics&) = delete;

  uint64_t rgd(const PyState& state) { return rgd_.rank(ids(state).data(), {}); }
  uint64_t cea(const PyState& state) { return context_enhanced_.rank(ids(state).data(), {}); }
  int lower_bound(const PyState& state) { return lower_bound_(ids(state).data()); }

 private:
  std::vector<PositionId> ids(const PyState& state) const {
    if (state.size() != space_.num_objects()) {
      throw std::invalid_argument("the state has " + std::to_string(state.size()) +
                                  " positions, but the puzzle has " +
                                  std::to_string(space_.num_objects()) + " objects");
    }
    std::vector<PositionId> result;
    for (size_t object = 0; object < state.size(); ++object) {
      const PositionIndex& index = space_.classes().index_of(static_cast<int>(object));
      result.push_back(index.id({state[object].first, state[object].second}));
      if (result.back() == kNoPosition) {
        throw std::invalid_argument("object " + std::to_string(object) +
                                    " of the state is at a position that it can never reach");
      }
    }
    return result;
  }

  Control unlimited_{1e9, UINT64_MAX, UINT64_MAX};
  LimitGuard guard_;
  ActionSpace space_;
  RgdEvaluator rgd_;
  CeaEvaluator context_enhanced_;
  LowerBound lower_bound_;
};

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<SearchResult>(m, "SearchResult")
      .def_prop_ro(
          "status",
          [](const SearchResult& r) { return kStatusNames[static_cast<size_t>(r.status)]; })
      .def_prop_ro("plan", [](const SearchResult& r) { return r.plan; })
      .def_ro("expanded", &SearchResult::expanded)
      .def_ro("generated", &SearchResult::generated)
      .def_ro("evaluated", &SearchResult::evaluated)
      .def_ro("states", &SearchResult::states)
      .def_ro("peak_bytes", &SearchResult::peak_bytes)
      .def_ro("unsuitable", &SearchResult::unsuitable);

  nb::exception<SearchStopped>(m, "SearchStopped");
  nb::class_<Control>(m, "Control")
      .def(nb::init<double, uint64_t, uint64_t>(), nb::arg("seconds"), nb::arg("bytes"),
           nb::arg("max_states") = UINT64_MAX)
      .def("interrupt", [](Control& c) { c.interrupted.store(true); })
      .def("check", &Control::check)
      .def_prop_ro("max_bytes", &Control::max_bytes)
      .def_prop_ro("expanded", [](const Control& c) { return c.expanded.load(); })
      .def_prop_ro("states", [](const Control& c) { return c.states.load(); })
      .def_prop_ro("used_bytes",
                   [](const Control& c) { return c.engine_bytes() + c.used_bytes.load(); })
      .def_prop_ro("best", [](const Control& c) { return c.best.load(); })
      .def_prop_ro("lower_bound", [](const Control& c) { return c.lower_bound.load(); })
      .def_prop_ro("best_plan", &Control::best_plan);

  // All solvers have the same signature. Those over single actions ignore `threads`.
  using Solve = SearchResult (*)(const Dynamics&, uint64_t, Control&);
  const auto define = [&m](const char* name, Solve solve) {
    m.def(
        name,
        [solve](const Dynamics& dynamics, Control& control, uint64_t seed, int) {
          return run(control, [&] { return solve(dynamics, seed, control); });
        },
        nb::arg("dynamics"), nb::arg("control"), nb::kw_only(), nb::arg("seed"),
        nb::arg("threads"));
  };
  define("solve_breadth_first", solve_breadth_first);
  define("solve_rgd", solve_rgd);
  define("solve_novelty_rgd", solve_novelty_rgd);
  define("solve_cea", solve_cea);

  m.def(
      "solve_a_star",
      [](const Dynamics& dynamics, Control& control, uint64_t seed, int, bool fewest_pushes) {
        const Minimize minimize = fewest_pushes ? Minimize::kPushes : Minimize::kActions;
        return run(control, [&] { return solve_a_star(dynamics, seed, control, minimize); });
      },
      nb::arg("dynamics"), nb::arg("control"), nb::kw_only(), nb::arg("seed"), nb::arg("threads"),
      nb::arg("fewest_pushes") = false);

  m.def(
      "solve_by_pushes",
      [](const Dynamics& dynamics, Control& control, uint64_t seed, int threads,
         const std::optional<std::vector<PyStrategy>>& strategies) {
        const auto chosen = strategies ? strategies_from(*strategies) : default_strategies();
        return run(control,
                   [&] { return solve_by_pushes(dynamics, seed, control, threads, chosen); });
      },
      nb::arg("dynamics"), nb::arg("control"), nb::kw_only(), nb::arg("seed"), nb::arg("threads"),
      nb::arg("strategies") = nb::none());
  m.def("default_strategies", [] { return python_strategies(default_strategies()); });
  m.def("strategy_features", [] { return described(kPushFeatureInfos); });
  m.def("strategy_evaluators", [] { return described(kPushEvaluators); });
  m.def("strategy_options", [] {
    std::vector<std::tuple<std::string, uint64_t, uint64_t, uint64_t, std::string>> options;
    for (const auto& [name, member, least, most, meaning] : kPushOptions) {
      options.emplace_back(name, PushOptions{}.*member, least, most, meaning);
    }
    return options;
  });

  m.def(
      "shorten_plan",
      [](const Dynamics& dynamics, const std::vector<uint8_t>& plan, Control& control, int threads,
         bool prove) {
        return run(control, [&] { return shorten_plan(dynamics, plan, control, threads, prove); });
      },
      nb::arg("dynamics"), nb::arg("plan"), nb::arg("control"), nb::arg("threads") = 1,
      nb::arg("prove") = false);
  m.attr("MAX_PLAN_LENGTH") = kMaxPlanLength;

  m.attr("INFINITY") = kInfinity;
  nb::class_<Heuristics>(m, "Heuristics")
      .def(nb::init<const Dynamics&, Control*>(), nb::arg("dynamics"),
           nb::arg("control") = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("rgd", &Heuristics::rgd, nb::arg("state"))
      .def("cea", &Heuristics::cea, nb::arg("state"))
      .def("lower_bound", &Heuristics::lower_bound, nb::arg("state"));
}

}  // namespace pushworld
