// Exposes internal parts of the search to Python, so that tests can compare them with independent
// definitions. Only development builds contain this module.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/interchangeable_objects.h"
#include "search/core/limit_guard.h"
#include "search/core/node_store.h"
#include "search/core/open_list.h"
#include "search/core/position_index.h"
#include "search/heuristics/contacts.h"
#include "search/heuristics/pair_novelty.h"
#include "search/heuristics/triple_novelty.h"
#include "search/optimal/pattern_heuristic.h"
#include "search/push/feature_bucket_open_list.h"
#include "search/push/manipulation_heuristic.h"
#include "search/push/push_space.h"

namespace nb = nanobind;

namespace pushworld {
namespace {

class UnlimitedGuard {
 public:
  LimitGuard& guard() { return guard_; }

 private:
  Control control_{1e9, UINT64_MAX, UINT64_MAX};
  LimitGuard guard_{control_};
};

// A table together with its memory account.
template <typename Table>
struct Owned {
  template <typename... Arguments>
  explicit Owned(const Arguments&... arguments) : table(arguments..., owner()) {}
  Owned(const Owned&) = delete;

  auto& owner() {
    if constexpr (std::is_constructible_v<Table, MemoryAccount&>) {
      return unlimited.guard().memory();
    } else {
      return unlimited.guard();
    }
  }

  UnlimitedGuard unlimited;
  Table table;
};

class Novelty {
 public:
  explicit Novelty(const std::vector<size_t>& sizes) : novelty_(sizes, unlimited_.guard()) {}
  Novelty(const Novelty&) = delete;

  int record(const std::vector<PositionId>& state, const std::vector<uint16_t>& changed) {
    return novelty_.record(state.data(), changed);
  }

 private:
  UnlimitedGuard unlimited_;
  TripleNovelty novelty_;
};

using PyPoint = std::pair<int, int>;
using PyState = std::vector<PyPoint>;

// The parts of a push search for one puzzle. A state is a list of positions, the agent's first.
template <int RowWords, int SetWords>
class PushParts {
 public:
  explicit PushParts(const Dynamics& dynamics)
      : classes_(dynamics.world(), unlimited_.guard()),
        n_(dynamics.world().num_objects()),
        space_(dynamics, classes_, unlimited_.guard()),
        contacts_(dynamics, classes_, unlimited_.guard()),
        heuristic_(dynamics, classes_, contacts_, PushOptions{}, unlimited_.guard()),
        interchangeable_(dynamics.world(), classes_),
        novelty_(dynamics.world(), classes_, unlimited_.guard(), SIZE_MAX) {}
  PushParts(const PushParts&) = delete;

  using PyPush = std::tuple<int, PyPoint, PyPoint, std::vector<int>, PyState>;

  // All pushes of a state. Each is the action, the agent's position before the push, the first
  // position of its region after the push, the movables that move, and the state after the push.
  std::vector<PyPush> pushes(const PyState& state) {
    const std::vector<PositionId> ids = to_ids(state);
    std::vector<PyPush> found;
    for (const auto& group : space_.find_push_groups(ids.data())) {
      space_.for_each_push(ids.data(), group, [&](const auto& push, const auto& after) {
        std::vector<int> moved;
        push.moved.for_each([&](int object) { moved.push_back(object); });
        found.emplace_back(push.action, to_point(0, push.from), to_point(0, push.region), moved,
                           to_state(after));
      });
    }
    return found;
  }

  PyPoint region(const PyState& state) {
    return to_point(0, space_.region_of(to_ids(state).data()));
  }

  std::vector<int> walk(const PyState& state, PyPoint to) {
    const std::vector<PositionId> ids = to_ids(state);
    std::vector<uint8_t> actions;
    space_.append_walk(ids.data(), ids[0], id_of(0, to), actions);
    return {actions.begin(), actions.end()};
  }

  // The estimated pushes and blockers of the manipulation heuristic.
  std::pair<int, int> manipulation(const PyState& state) {
    const auto [pushes, blockers] = heuristic_(to_ids(state).data());
    return {pushes, blockers};
  }

  PyState canonical(const PyState& state) {
    std::vector<PositionId> ids = to_ids(state);
    interchangeable_.canonicalize(ids.data());
    return to_state(ids);
  }

  int pair_novelty(const PyState& state, const std::vector<int>& moved) {
    ObjectSet<SetWords> set;
    for (const int object : moved) set.set(object);
    return novelty_.record(to_ids(state).data(), set);
  }

 private:
  PositionId id_of(int object, PyPoint at) const {
    const PositionId id = classes_.index_of(object).id({at.first, at.second});
    if (id == kNoPosition) throw std::invalid_argument("an object can never reach this position");
    return id;
  }
  PyPoint to_point(int object, PositionId id) const {
    const Point p = classes_.index_of(object).point(id);
    return {p.x, p.y};
  }
  std::vector<PositionId> to_ids(const PyState& state) const {
    std::vector<PositionId> ids;
    for (int object = 0; object < n_; ++object) ids.push_back(id_of(object, state.at(object)));
    return ids;
  }
  PyState to_state(const std::vector<PositionId>& ids) const {
    PyState state;
    for (int object = 0; object < n_; ++object) state.push_back(to_point(object, ids[object]));
    return state;
  }

  UnlimitedGuard unlimited_;
  ObjectClasses classes_;
  const int n_;
  PushSpace<RowWords, SetWords> space_;
  Contacts contacts_;
  ManipulationHeuristic<RowWords> heuristic_;
  InterchangeableObjects interchangeable_;
  PairNovelty novelty_;
};

// The heuristic of the optimal planner. States are in canonical form first, as in its search.
class Patterns {
 public:
  Patterns(const Dynamics& dynamics, bool fewest_pushes)
      : classes_(dynamics.world(), unlimited_.guard()),
        interchangeable_(dynamics.world(), classes_),
        heuristic_(dynamics, classes_, fewest_pushes ? Minimize::kPushes : Minimize::kActions,
                   unlimited_.guard()) {}
  Patterns(const Patterns&) = delete;

  void extend(int bound, uint64_t max_steps) { heuristic_.extend(bound, max_steps); }
  int bound(const std::vector<std::pair<int, int>>& positions) {
    std::vector<PositionId> state;
    for (const auto& [x, y] : positions) {
      state.push_back(classes_.index_of(static_cast<int>(state.size())).id({x, y}));
    }
    interchangeable_.canonicalize(state.data());
    return heuristic_(state.data());
  }

 private:
  UnlimitedGuard unlimited_;
  ObjectClasses classes_;
  InterchangeableObjects interchangeable_;
  PatternHeuristic heuristic_;
};

template <int RowWords, int SetWords>
void bind_push_parts(nb::module_& m, const char* name) {
  using Parts = PushParts<RowWords, SetWords>;
  nb::class_<Parts>(m, name)
      .def(nb::init<const Dynamics&>(), nb::keep_alive<1, 2>())
      .def("pushes", &Parts::pushes)
      .def("region", &Parts::region)
      .def("walk", &Parts::walk)
      .def("manipulation", &Parts::manipulation)
      .def("canonical", &Parts::canonical)
      .def("pair_novelty", &Parts::pair_novelty);
}

}  // namespace
}  // namespace pushworld

NB_MODULE(_native_parts, m) {
  using namespace pushworld;
  nb::module_::import_("pushworld._native");  // for the type Dynamics

  using Store = Owned<NodeStore>;
  nb::class_<Store>(m, "NodeStore")
      .def(nb::init<const std::vector<size_t>&>())
      .def("__len__", [](const Store& store) { return store.table.size(); })
      .def("insert",
           [](Store& store, const std::vector<PositionId>& state, NodeId parent, uint32_t label) {
             const auto [node, is_new] = store.table.insert(state.data(), parent, label);
             return std::pair{node, is_new};
           })
      .def("contains",
           [](Store& store, const std::vector<PositionId>& state) {
             return store.table.find(state.data()) != kNoNode;
           })
      .def("read",
           [](const Store& store, NodeId node, size_t entries) {
             std::vector<PositionId> state(entries);
             store.table.read(node, state.data());
             return state;
           })
      .def("path_to", [](const Store& store, NodeId node) { return store.table.path_to(node); })
      .def("actions_to",
           [](const Store& store, NodeId node) {
             const std::vector<uint8_t> actions = store.table.actions_to(node);
             return std::vector<int>(actions.begin(), actions.end());
           })
      .def_prop_ro("bytes", [](Store& store) { return store.unlimited.guard().memory().used(); });
  m.attr("NO_NODE") = kNoNode;

  using List = Owned<OpenList>;
  nb::class_<List>(m, "OpenList")
      .def(nb::init<>())
      .def("empty", [](const List& list) { return list.table.empty(); })
      .def("push", [](List& list, uint64_t rank, NodeId node) { list.table.push(rank, node); })
      .def("pop", [](List& list) { return list.table.pop(); });

  using Buckets = Owned<FeatureBucketOpenList>;
  nb::class_<Buckets>(m, "FeatureBucketOpenList")
      .def(nb::init<>())
      .def("push", [](Buckets& list, size_t size, uint64_t value, uint32_t rank,
                      NodeId node) { list.table.push({size, value}, rank, node); })
      .def("pop", [](Buckets& list) { return list.table.pop(); });

  nb::class_<Novelty>(m, "TripleNovelty")
      .def(nb::init<const std::vector<size_t>&>())
      .def("record", &Novelty::record);

  nb::class_<Patterns>(m, "Patterns")
      .def(nb::init<const Dynamics&, bool>(), nb::keep_alive<1, 2>())
      .def("extend", &Patterns::extend)
      .def("bound", &Patterns::bound);

  // The narrowest and the widest rows and sets.
  bind_push_parts<1, 1>(m, "PushParts");
  bind_push_parts<16, kManyWords>(m, "WidePushParts");
}
