#include "search/optimal/pattern.h"

namespace pushworld {

Pattern::Pattern(const World& world, const ObjectClasses& classes, Contacts& contacts, int first,
                 int second, LimitGuard& guard)
    : guard_(guard),
      objects_{0, first, second},
      overlaps_{Table(&guard.memory()), Table(&guard.memory()), Table(&guard.memory())} {
  for (size_t body = 0; body < 3; ++body) {
    const bool is_there = objects_[body] != kNone;
    classes_of_[body] = is_there ? classes.of(objects_[body]) : kNone;
    indices_[body] = is_there ? &classes.index_of(objects_[body]) : nullptr;
    sizes_[body] = is_there ? indices_[body]->size() : 1;
  }
  for (size_t pusher = 0; pusher < 3; ++pusher) {
    for (size_t pushed = 1; pushed < 3; ++pushed) {
      relations_.emplace_back(pusher == pushed ? 0 : sizes_[pusher], sizes_[pushed],
                              guard.memory());
    }
  }
  for (int other = 1; other < 3; ++other) {
    for (int one = 0; one < other; ++one) find_overlaps(world, classes, one, other);
  }
  const int bodies = second == kNone ? 2 : 3;
  for (int pusher = 0; pusher < bodies; ++pusher) {
    for (int pushed = 1; pushed < bodies; ++pushed) {
      if (pushed != pusher) find_contacts(contacts, pusher, pushed);
    }
    find_chains(world, classes, contacts, pusher);
  }
}

uint64_t Pattern::num_states(const ObjectClasses& classes, int first, int second) {
  const uint64_t both = uint64_t{classes.index(0).size()} * classes.index_of(first).size();
  return second == kNone ? both : both * classes.index_of(second).size();
}

void Pattern::find_overlaps(const World& world, const ObjectClasses& classes, int one, int other) {
  Table& table = overlaps_[one + other - 1];
  table.assign(sizes_[one] * sizes_[other], 0);
  if (objects_[other] == kNone) return;
  const Shape& a = world.shape(classes.shape_id(classes_of_[other]));
  const Shape& b = world.shape(classes.shape_id(classes_of_[one]));
  overlaps(a, b, guard_.checkpoint()).for_each([&](Point cell) {
    const Point offset = cell - Point{b.width, b.height};
    guard_.count_work(sizes_[other]);
    for (PositionId q = 0; q < sizes_[other]; ++q) {
      const PositionId p = indices_[one]->id(indices_[other]->point(q) + offset);
      if (p != kNoPosition) table[p * sizes_[other] + q] = 1;
    }
  });
}

void Pattern::find_contacts(Contacts& contacts, int pusher, int pushed) {
  Relation& relation = relations_[pusher * 2 + pushed - 1];
  for (PositionId q = 0; q < sizes_[pushed]; ++q) {
    for (int action = 0; action < kNumActions; ++action) {
      contacts.for_each(classes_of_[pusher], classes_of_[pushed], q, action, [&](PositionId p) {
        guard_.count_work(4);
        relation.add_direct(p, q, action);
      });
    }
  }
}

void Pattern::find_chains(const World& world, const ObjectClasses& classes, Contacts& contacts,
                          int pusher) {
  std::vector<int> others(classes.count(), 0);  // how many of each class
  int count = 0;
  for (int object = 1; object < world.num_objects(); ++object) {
    if (object == objects_[1] || object == objects_[2]) continue;
    ++others[classes.of(object)];
    ++count;
  }
  if (count == 0) return;
  const size_t words = (sizes_[pusher] + 63) / 64;
  using Sets = std::pmr::vector<uint64_t>;
  // For each class, position and action: the positions of the pusher from which it pushes an object
  // of this class there through others.
  std::vector<Sets> pushers;
  for (int c = 0; c < classes.count(); ++c) {
    const size_t size = others[c] ? classes.index(c).size() : 0;
    Sets& sets = pushers.emplace_back(size * kNumActions * words, 0, &guard_.memory());
    for (PositionId q = 0; q < size; ++q) {
      for (int action = 0; action < kNumActions; ++action) {
        if (classes.index(c).neighbour(q, action) == kNoPosition) continue;
        uint64_t* const set = &sets[(q * kNumActions + action) * words];
        contacts.for_each(classes_of_[pusher], c, q, action, [&](PositionId p) {
          guard_.count_work(4);
          set[p >> 6] |= uint64_t{1} << (p & 63);
        });
      }
    }
  }
  // Adds to `to` what pushes an object of class `c` at `q` through one of class `via` next to it.
  const auto join = [&](int via, int c, PositionId q, int action, uint64_t* to) {
    uint64_t added = 0;
    contacts.for_each(via, c, q, action, [&](PositionId p) {
      guard_.count_work(words);
      const uint64_t* const from = &pushers[via][(p * kNumActions + action) * words];
      for (size_t w = 0; w < words; ++w) {
        added |= from[w] & ~to[w];
        to[w] |= from[w];
      }
    });
    return added != 0;
  };
  bool changed = true;
  for (int length = 1; length < count && changed; ++length) {
    changed = false;
    for (int c = 1; c < classes.count(); ++c) {
      for (int via = 1; via < classes.count() && others[c]; ++via) {
        if (others[via] < (via == c ? 2 : 1)) continue;
        for (PositionId q = 0; q < classes.index(c).size(); ++q) {
          for (int action = 0; action < kNumActions; ++action) {
            if (classes.index(c).neighbour(q, action) == kNoPosition) continue;
            changed |= join(via, c, q, action, &pushers[c][(q * kNumActions + action) * words]);
          }
        }
      }
    }
  }
  std::vector<uint64_t> all(words);
  for (int pushed = 1; pushed < 3; ++pushed) {
    if (pushed == pusher || objects_[pushed] == kNone) continue;
    Relation& relation = relations_[pusher * 2 + pushed - 1];
    for (PositionId q = 0; q < sizes_[pushed]; ++q) {
      for (int action = 0; action < kNumActions; ++action) {
        guard_.count_work(sizes_[pusher] / 4);
        std::fill(all.begin(), all.end(), 0);
        for (int via = 1; via < classes.count(); ++via) {
          if (others[via]) join(via, classes_of_[pushed], q, action, all.data());
        }
        for (PositionId p = 0; p < sizes_[pusher]; ++p) {
          if (all[p >> 6] >> (p & 63) & 1) relation.add_through_others(p, q, action);
        }
      }
    }
  }
}

std::pmr::vector<uint16_t> distances_from_start(const Pattern& pattern, PositionId agent,
                                                const std::vector<PositionId>& starts,
                                                Minimize minimize, LimitGuard& guard) {
  using State = std::pair<PositionId, PositionId>;  // the agent, the movable
  std::pmr::vector<uint16_t> distances(pattern.num_states(), kUnreachable, &guard.memory());
  std::pmr::vector<State> now(&guard.memory()), later(&guard.memory());
  int distance = 0;
  const auto reach = [&](PositionId at, PositionId movable, int cost) {
    uint16_t& known = distances[pattern.index(at, movable, 0)];
    const int reached = std::min(distance + cost, kUnreachable - 1);
    if (known <= reached) return;
    known = static_cast<uint16_t>(reached);
    (cost ? later : now).push_back({at, movable});
  };
  const int cost_of_step = minimize == Minimize::kActions ? 1 : 0;
  for (const PositionId start : starts) reach(agent, start, 0);
  for (; !now.empty(); now.clear(), now.swap(later), ++distance) {
    // Steps without cost add states to those of this distance.
    for (size_t next = 0; next < now.size(); ++next) {
      guard.count_work(16);
      const auto [at, movable] = now[next];
      if (distances[pattern.index(at, movable, 0)] < std::min(distance, kUnreachable - 1)) continue;
      for (int action = 0; action < kNumActions; ++action) {
        const PositionId to = pattern.neighbour(0, at, action);
        if (to == kNoPosition) continue;
        const PositionId moved = pattern.neighbour(1, movable, action);
        if (!pattern.overlap(0, 1, to, movable)) reach(to, movable, cost_of_step);
        const bool pushes = pattern.pushes(0, 1).any(at, movable) >> action & 1;
        if (pushes && moved != kNoPosition) reach(to, moved, 1);
      }
    }
  }
  return distances;
}

}  // namespace pushworld
