#include "generate/push_bound.h"

#include <algorithm>
#include <cstdlib>

namespace pushworld {
namespace {

bool covers(const Cells& shape, Point cell) {
  return std::find(shape.begin(), shape.end(), cell) != shape.end();
}

bool overlaps(const Cells& one, const Cells& other, Point offset) {
  return std::any_of(other.begin(), other.end(),
                     [&](Point cell) { return covers(one, cell + offset); });
}

// The distance between two intervals: 0 if they overlap or touch.
int gap(int begin, int length, int other_begin, int other_length) {
  return std::max({0, other_begin - (begin + length), begin - (other_begin + other_length)});
}

}  // namespace

void PushBound::prepare(const Draft& draft, const std::vector<uint8_t>& is_wall) {
  width_ = draft.width;
  height_ = draft.height;
  num_objects_ = static_cast<int>(draft.objects.size());
  num_goals_ = draft.num_goals;
  for (int action = 0; action < kNumActions; ++action) {
    deltas_[action] = kDeltas[action].y * width_ + kDeltas[action].x;
  }
  points_.clear();
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) points_.push_back({x, y});
  }
  find_legal_positions(draft, is_wall);
  find_contacts(draft);
  costs_by_action_.resize(num_goals_ + 1);
  distances_.resize(num_goals_ + 1);
  for (int object = 1; object <= num_goals_; ++object) find_distances(draft, object);
}

void PushBound::find_legal_positions(const Draft& draft, const std::vector<uint8_t>& is_wall) {
  boxes_.assign(num_objects_, {0, 0});
  legal_.resize(num_objects_);
  for (int object = 0; object < num_objects_; ++object) {
    const Cells& shape = *draft.objects[object].shape;
    Point& box = boxes_[object];
    for (const Point cell : shape) {
      box = {std::max(box.x, cell.x + 1), std::max(box.y, cell.y + 1)};
    }
    legal_[object].assign(points_.size(), 0);
    for (int y = 1; y + box.y < height_; ++y) {
      for (int x = 1; x + box.x < width_; ++x) {
        const int position = y * width_ + x;
        legal_[object][position] = std::none_of(shape.begin(), shape.end(), [&](Point cell) {
          return is_wall[position + cell.y * width_ + cell.x];
        });
      }
    }
  }
}

void PushBound::find_contacts(const Draft& draft) {
  contacts_.assign(static_cast<size_t>(num_objects_) * num_objects_ * kNumActions, {});
  for (int pusher = 0; pusher < num_objects_; ++pusher) {
    for (int pushed = 1; pushed < num_objects_; ++pushed) {
      if (pusher == pushed) continue;
      const Cells& one = *draft.objects[pusher].shape;
      const Cells& other = *draft.objects[pushed].shape;
      for (int action = 0; action < kNumActions; ++action) {
        Contacts& found = contacts_[(pusher * num_objects_ + pushed) * kNumActions + action];
        for (const Point cell : one) {
          for (const Point other_cell : other) {
            const Point offset = cell + kDeltas[action] - other_cell;
            if (!overlaps(one, other, offset) && !covers(found, offset)) found.push_back(offset);
          }
        }
      }
    }
  }
}

bool PushBound::has_place_for_pusher(int object, int position, int action) const {
  const Point at = points_[position];
  for (int pusher = 0; pusher < num_objects_; ++pusher) {
    if (pusher == object) continue;
    for (const Point offset : contacts(pusher, object, action)) {
      const Point p = at - offset;
      if (p.x > 0 && p.y > 0 && p.x < width_ && p.y < height_ &&
          legal_[pusher][p.y * width_ + p.x] &&
          legal_[pusher][p.y * width_ + p.x + deltas_[action]]) {
        return true;
      }
    }
  }
  return false;
}

// A breadth-first search backward from the goal.
void PushBound::find_distances(const Draft& draft, int object) {
  const std::vector<uint8_t>& legal = legal_[object];
  auto& by_action = costs_by_action_[object];
  std::vector<uint16_t>& distances = distances_[object];
  by_action.assign(points_.size(), {kInfinity, kInfinity, kInfinity, kInfinity});
  distances.assign(points_.size(), kInfinity);
  const Point goal = draft.objects[object].goal;
  goals_[object] = static_cast<Position>(goal.y * width_ + goal.x);
  queue_.assign(1, goals_[object]);
  distances[goals_[object]] = 0;
  for (size_t next = 0; next < queue_.size(); ++next) {
    const int position = queue_[next];
    const uint16_t distance = distances[position] + 1;
    for (int action = 0; action < kNumActions; ++action) {
      const int from = position - deltas_[action];
      if (!legal[from] || !has_place_for_pusher(object, from, action)) continue;
      by_action[from][action] = distance;
      if (distances[from] == kInfinity) {
        distances[from] = distance;
        queue_.push_back(static_cast<Position>(from));
      }
    }
  }
}

int PushBound::moves_to_contact(int pusher, int pushed, int action, const State& state) const {
  const Point offset = points_[state[pushed]] - points_[state[pusher]];
  int fewest = kInfinity;
  for (const Point contact : contacts(pusher, pushed, action)) {
    fewest = std::min(fewest, std::abs(contact.x - offset.x) + std::abs(contact.y - offset.y));
  }
  return fewest;
}

int PushBound::moves_to_any_contact(const State& state) const {
  const Point agent = points_[state[0]];
  int fewest = kInfinity;
  for (int object = 1; object < num_objects_; ++object) {
    const Point p = points_[state[object]];
    const int dx = gap(agent.x, boxes_[0].x, p.x, boxes_[object].x);
    const int dy = gap(agent.y, boxes_[0].y, p.y, boxes_[object].y);
    fewest = std::min(fewest, dx + dy);
  }
  return fewest;
}

int PushBound::operator()(const State& state) const {
  const int to_any = moves_to_any_contact(state);
  int bound = 0;
  for (int object = 1; object <= num_goals_; ++object) {
    if (state[object] == goals_[object]) continue;
    const auto& by_action = costs_by_action_[object][state[object]];
    int fewest = kInfinity;
    for (int action = 0; action < kNumActions; ++action) {
      if (by_action[action] >= fewest) continue;
      int to_contact = moves_to_contact(0, object, action, state);
      for (int tool = 1; tool < num_objects_ && to_contact > to_any; ++tool) {
        if (tool == object) continue;
        to_contact = std::min(to_contact, to_any + moves_to_contact(tool, object, action, state));
      }
      fewest = std::min(fewest, by_action[action] + to_contact);
    }
    bound = std::max(bound, fewest);
  }
  return bound;
}

}  // namespace pushworld
