#include "search/push/confinement.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "util/flood_fill.h"

namespace pushworld {
namespace {

constexpr size_t kMaxArrangements = 256;
constexpr size_t kMaxFreeFrames = 8;  // that walls let move

PositionRows rows_of(const BitGrid& grid, int height) {
  PositionRows rows(static_cast<size_t>(height));
  for (int y = 0; y < std::min(height, grid.height()); ++y) {
    rows[static_cast<size_t>(y)] = {{grid.row(y)[0]}};
  }
  return rows;
}

// Adds the positions of `rows`, moved by `by`.
void add_moved(PositionRows& to, RowsView rows, Point by) {
  const int height = static_cast<int>(to.size());
  for (int y = std::max(0, by.y); y < std::min(height, height + by.y); ++y) {
    to[static_cast<size_t>(y)] |= rows[static_cast<size_t>(y - by.y)].shifted(by.x);
  }
}

// The positions of an object that overlap another one.
PositionRows blocked_by(const World& world, int object, const Placed& other) {
  const Shape& shape = world.shape_of(object);
  BitGrid blocked(world.width(), world.height());
  blocked.add_moved(overlaps(world.shape_of(other.object), shape, ignore_checkpoint),
                    other.at - Point{shape.width, shape.height});
  return rows_of(blocked, world.height());
}

// Adds what a flood reaches among free positions.
void flood(std::span<BitRow<1>> rows, RowsView free) {
  for (size_t y = 0; y < rows.size(); ++y) rows[y] = rows[y].filled(free[y]);
  const int height = static_cast<int>(rows.size());
  flood_fill(free.data(), rows.data(), height, 0, height - 1, [](int) {});
}

size_t count(RowsView rows) {
  size_t bits = 0;
  for (const auto& row : rows) bits += row.count();
  return bits;
}

}  // namespace

Confinement::Confinement(const World& world, LimitGuard& guard, bool has_frames)
    : world_(world),
      checkpoint_(guard.checkpoint()),
      reach_(static_cast<size_t>(world.num_objects()), &guard.memory()) {
  find_arrangements({}, arrangements_);
  if (!has_frames) return;
  std::vector<std::pair<size_t, int>> movables;
  for (int object = 1; object < world_.num_objects(); ++object) {
    movables.push_back({count(positions(object)), object});
  }
  std::sort(movables.begin(), movables.end());
  size_t free_frames = 0;
  for (const auto& [num_positions, object] : movables) {
    if (num_positions > 1 && free_frames == kMaxFreeFrames) break;
    // A bound that is quick to find.
    const size_t bound = count(reach(object));
    std::vector<int> frames = frames_;
    frames.push_back(object);
    Arrangements arrangements;
    if (bound > kMaxArrangements || !find_arrangements(frames, arrangements)) continue;
    frames_ = std::move(frames);
    arrangements_ = std::move(arrangements);
    if (num_positions > 1) ++free_frames;
    for (auto& reach : reach_) reach.clear();
  }
}

bool Confinement::is_frame(int object) const {
  return std::find(frames_.begin(), frames_.end(), object) != frames_.end();
}

Confinement::FrameSet Confinement::pushed_frames(const std::vector<int>& frames, size_t first,
                                                 int action, const Arrangement& arrangement) const {
  std::vector<size_t> moving = {first};
  FrameSet moved = FrameSet{1} << first;
  for (size_t m = 0; m < moving.size(); ++m) {
    const size_t i = moving[m];
    const Placed frame = {frames[i], arrangement[i] + kDeltas[action]};
    if (!world_.is_legal(frame.object, frame.at)) return 0;
    for (size_t j = 0; j < frames.size(); ++j) {
      if (moved >> j & 1 || !overlap_at(world_, frame, {frames[j], arrangement[j]})) continue;
      moving.push_back(j);
      moved |= FrameSet{1} << j;
    }
  }
  return moved;
}

bool Confinement::find_arrangements(const std::vector<int>& frames,
                                    Arrangements& arrangements) const {
  std::vector<Arrangement>& all = arrangements.all;
  std::vector<std::vector<Step>>& next = arrangements.next;
  std::map<std::vector<int>, size_t> ids;
  const auto visit = [&](const Arrangement& arrangement) {
    std::vector<int> key;
    for (const Point at : arrangement) key.insert(key.end(), {at.x, at.y});
    const auto [entry, is_new] = ids.try_emplace(std::move(key), all.size());
    if (is_new) all.push_back(arrangement);
    return entry->second;
  };
  Arrangement start;
  for (const int frame : frames) start.push_back(world_.start()[static_cast<size_t>(frame)]);
  visit(start);
  for (size_t k = 0; k < all.size() && all.size() <= kMaxArrangements; ++k) {
    next.emplace_back();
    for (int action = 0; action < kNumActions; ++action) {
      checkpoint_(0);
      // What is between frames may push several of them at once.
      std::set<FrameSet> moves = {0};
      for (size_t i = 0; i < frames.size(); ++i) {
        const FrameSet pushed = pushed_frames(frames, i, action, all[k]);
        for (const FrameSet others : std::vector(moves.begin(), moves.end())) {
          moves.insert(others | pushed);
        }
      }
      moves.erase(0);
      for (const FrameSet moved : moves) {
        Arrangement arrangement = all[k];
        for (size_t i = 0; i < frames.size(); ++i) {
          if (moved >> i & 1) arrangement[i] = arrangement[i] + kDeltas[action];
        }
        next[k].push_back({visit(arrangement), action});
      }
    }
  }
  return all.size() <= kMaxArrangements;
}

const std::pmr::vector<BitRow<1>>& Confinement::reach(int object) {
  std::pmr::vector<BitRow<1>>& reach = reach_[static_cast<size_t>(object)];
  if (!reach.empty()) return reach;
  const auto& [all, next] = arrangements_;
  const PositionRows legal = rows_of(world_.legal(object), world_.height());
  reach.resize(all.size() * legal.size());
  const auto reach_in = [&](size_t k) {
    return std::span(reach).subspan(k * legal.size(), legal.size());
  };
  std::map<std::pair<size_t, std::pair<int, int>>, PositionRows> blocked;
  std::vector<PositionRows> free(all.size(), legal);
  for (size_t k = 0; k < all.size(); ++k) {
    for (size_t i = 0; i < frames_.size(); ++i) {
      const Point at = all[k][i];
      const auto [entry, is_new] = blocked.try_emplace({i, {at.x, at.y}});
      if (is_new) entry->second = blocked_by(world_, object, {frames_[i], at});
      for (size_t y = 0; y < legal.size(); ++y) free[k][y] &= ~entry->second[y];
    }
  }
  const Point start = world_.start()[static_cast<size_t>(object)];
  reach[static_cast<size_t>(start.y)].set(start.x);
  flood(reach_in(0), free[0]);
  std::vector<size_t> stack = {0};
  while (!stack.empty()) {
    const size_t k = stack.back();
    stack.pop_back();
    checkpoint_(0);
    for (const auto& [other, action] : next[k]) {
      bool grows = false;
      PositionRows from(reach_in(k).begin(), reach_in(k).end());
      add_moved(from, reach_in(k), kDeltas[action]);
      for (size_t y = 0; y < legal.size(); ++y) {
        const auto added = from[y] & free[other][y] & ~reach_in(other)[y];
        reach_in(other)[y] |= added;
        grows |= added.any();
      }
      if (!grows) continue;
      flood(reach_in(other), free[other]);
      stack.push_back(other);
    }
  }
  return reach;
}

bool Confinement::admits(const Places& places) {
  for (size_t k = 0; k < arrangements_.all.size(); ++k) {
    const bool fits = std::all_of(places.begin(), places.end(), [&](const Placed& placed) {
      const auto frame = std::find(frames_.begin(), frames_.end(), placed.object);
      if (frame == frames_.end()) return contains(reach(placed.object, k), placed.at);
      return arrangements_.all[k][static_cast<size_t>(frame - frames_.begin())] == placed.at;
    });
    if (fits) return true;
  }
  return false;
}

PositionRows Confinement::positions(int object) {
  PositionRows rows(static_cast<size_t>(world_.height()));
  const auto frame = std::find(frames_.begin(), frames_.end(), object);
  if (frame == frames_.end()) {
    for (size_t k = 0; k < arrangements_.all.size(); ++k) {
      add_moved(rows, reach(object, k), {0, 0});
    }
    return rows;
  }
  for (const Arrangement& arrangement : arrangements_.all) {
    const Point at = arrangement[static_cast<size_t>(frame - frames_.begin())];
    rows[static_cast<size_t>(at.y)].set(at.x);
  }
  return rows;
}

}  // namespace pushworld
