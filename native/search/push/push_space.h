// The search space over pushes: a node is where the movables stand and which region the agent is
// in.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dynamics.h"
#include "search/core/object_set.h"
#include "search/core/position_index.h"
#include "util/bit_row.h"

namespace pushworld {

// Rows of the world and sets of objects have so many words. The agent walks freely inside its
// region, so only pushes matter; a walk between two pushes is filled in when a plan is written. A
// state holds the position ids of all objects, the agent's first.
template <int RowWords, int SetWords>
class PushSpace {
 public:
  using Row = BitRow<RowWords>;
  using Set = ObjectSet<SetWords>;
  using Rows = std::vector<Row>;

  struct Push {
    int action;
    PositionId from;    // where the agent stands before the push
    PositionId region;  // the first position of the region the agent is in after it
    Set moved;          // the objects that move with the agent
  };

  PushSpace(const Dynamics& dynamics, const ObjectClasses& classes);

  const ObjectClasses& classes() const { return classes_; }
  const World& world() const { return dynamics_.world(); }
  int num_objects() const { return n_; }
  std::vector<PositionId> initial_state() const;

  // Returns the first position of the agent's region.
  PositionId region_of(const PositionId* state);

  // Pushes of one direction that move the same objects, whatever the agent pushes them by.
  struct Contact {
    int action;
    Set moved;
    int top, end;  // the rows in which the agent may stand afterwards, and
    size_t rows;   // where its positions in them are kept
  };

  // Returns the contacts that the agent can reach; they are known until the next call.
  const std::vector<Contact>& find_contacts(const PositionId* state);

  // Calls visit(push, after) for every different outcome of a contact of the state, with the state
  // after the push.
  template <typename Visit>
  void for_each_push(const PositionId* state, const Contact& contact, Visit&& visit);

  // Writes the actions of a shortest walk of the agent between two positions of its region.
  void append_walk(const PositionId* state, PositionId from, PositionId to,
                   std::vector<uint8_t>& actions);

 private:
  struct Mask {  // the agent positions that overlap an object at the origin
    int left, top;
    Rows rows;
  };

  // ORs the agent positions that overlap the object into `rows`.
  void add_obstacle(int object, PositionId position, Row* rows) const;
  void set_free_rows(const PositionId* state, Row* free) const;
  // Sets `child_free_` for `child_`, which differs from `state` in the moved objects.
  void set_free_rows_after(const PositionId* state, const Set& moved);
  // Fills the connected free cells around `from`; returns the first of them.
  PositionId fill(const Row* free, Point from, Row* reach);
  // The objects that the action moves if the agent hits those in `hit`; none if a wall stops one.
  Set closure(const PositionId* state, Set hit, int action) const;
  void add_contact(const PositionId* state, const Set& hit, int action, int top, int end);

  const Dynamics& dynamics_;
  const ObjectClasses& classes_;
  const int n_;
  const int height_;
  const Set movables_;
  Rows agent_legal_;
  std::vector<Mask> masks_;  // of each class
  // `occupied_` holds the agent positions that overlap an object, `shared_` those that overlap two.
  Rows free_, reach_, occupied_, shared_, targets_, group_, child_free_, child_reach_;
  std::vector<Contact> contacts_;
  Rows contact_rows_;
  std::vector<PositionId> child_;
};

extern template class PushSpace<1, 1>;
extern template class PushSpace<4, 1>;
extern template class PushSpace<1, kManyWords>;
extern template class PushSpace<16, kManyWords>;

template <int RowWords, int SetWords>
template <typename Visit>
void PushSpace<RowWords, SetWords>::for_each_push(const PositionId* state, const Contact& contact,
                                                  Visit&& visit) {
  for (int object = 1; object < n_; ++object) {
    const PositionIndex& index = classes_.index_of(object);
    child_[object] =
        contact.moved[object] ? index.neighbour(state[object], contact.action) : state[object];
  }
  set_free_rows_after(state, contact.moved);
  const PositionIndex& agent = classes_.index(0);
  const Point delta = kDeltas[contact.action];
  Row* const group = &contact_rows_[contact.rows];
  for (int y = contact.top; y < contact.end; ++y) {
    while (group[y - contact.top].any()) {
      const Point to{group[y - contact.top].first(), y};
      const PositionId region = fill(child_free_.data(), to, child_reach_.data());
      for (int row = y; row < contact.end; ++row) group[row - contact.top] &= ~child_reach_[row];
      child_[0] = agent.id(to);
      visit(Push{contact.action, agent.id(to - delta), region, contact.moved}, child_);
    }
  }
}

}  // namespace pushworld
