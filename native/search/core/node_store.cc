#include "search/core/node_store.h"

#include <algorithm>
#include <bit>

#include "util/hash.h"

namespace pushworld {
namespace {

constexpr uint64_t kEmpty = UINT64_MAX;

}  // namespace

NodeStore::NodeStore(const std::vector<size_t>& sizes, LimitGuard& guard)
    : guard_(guard), chunks_(&guard.memory()), slots_(size_t{1} << 12, kEmpty, &guard.memory()) {
  int used = 64;
  for (const size_t size : sizes) {
    const int bits = std::max(1, static_cast<int>(std::bit_width(size - 1)));
    if (used + bits > 64) {
      ++state_words_;
      used = 0;
    }
    fields_.push_back({static_cast<uint16_t>(state_words_ - 1), static_cast<uint8_t>(used),
                       static_cast<uint8_t>(bits)});
    used += bits;
  }
  record_words_ = state_words_ + 1;
  while (chunk_bits_ > 0 && chunk_nodes() * record_words_ * sizeof(uint64_t) > kMaxChunkBytes) {
    --chunk_bits_;
  }
  packed_.resize(state_words_);
}

uint64_t NodeStore::pack(const PositionId* state) {
  std::fill(packed_.begin(), packed_.end(), 0);
  for (size_t i = 0; i < fields_.size(); ++i) {
    packed_[fields_[i].word] |= uint64_t{state[i]} << fields_[i].shift;
  }
  uint64_t hash = 0;
  for (const uint64_t word : packed_) hash = combine(hash, word);
  return hash;
}

size_t NodeStore::find(uint64_t hash) const {
  const uint64_t tag = hash >> 32 << 32;
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
    if (slots_[slot] >> 32 << 32 != tag) continue;
    // Most states have one or two words, so a loop is faster than memcmp.
    const uint64_t* known = record(static_cast<NodeId>(slots_[slot]));
    uint64_t difference = 0;
    for (size_t i = 0; i < state_words_; ++i) difference |= known[i] ^ packed_[i];
    if (difference == 0) break;
  }
  return slot;
}

bool NodeStore::contains(const PositionId* state) { return slots_[find(pack(state))] != kEmpty; }

NodeStore::Inserted NodeStore::insert(const PositionId* state, NodeId parent, uint32_t label) {
  const uint64_t hash = pack(state);
  const size_t slot = find(hash);
  if (slots_[slot] != kEmpty) return {static_cast<NodeId>(slots_[slot]), false};
  const NodeId node = static_cast<NodeId>(size_++);
  if (node >> chunk_bits_ == chunks_.size()) add_chunk();
  std::copy(packed_.begin(), packed_.end(), record(node));
  record(node)[state_words_] = uint64_t{label} << 32 | parent;
  slots_[slot] = hash >> 32 << 32 | node;
  if (size_ * 10 > slots_.size() * 7) grow();
  return {node, true};
}

void NodeStore::read(NodeId node, PositionId* state) const {
  const uint64_t* words = record(node);
  for (size_t i = 0; i < fields_.size(); ++i) {
    const Field field = fields_[i];
    state[i] = static_cast<PositionId>(words[field.word] >> field.shift &
                                       ((uint64_t{1} << field.bits) - 1));
  }
}

std::vector<NodeId> NodeStore::path_to(NodeId node) const {
  std::vector<NodeId> path;
  for (; node != kNoNode; node = parent(node)) path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<uint8_t> NodeStore::actions_to(NodeId node) const {
  const std::vector<NodeId> path = path_to(node);
  std::vector<uint8_t> actions;
  for (size_t i = 1; i < path.size(); ++i) {
    actions.push_back(static_cast<uint8_t>(action_of(label(path[i]))));
  }
  return actions;
}

void NodeStore::add_chunk() {
  if (chunks_.size() == kNoNode >> chunk_bits_) throw std::bad_alloc();
  chunks_.emplace_back(chunk_nodes() * record_words_, guard_.memory());
}

void NodeStore::grow() {
  std::pmr::vector<uint64_t> larger(slots_.size() * 2, kEmpty, &guard_.memory());
  const size_t mask = larger.size() - 1;
  for (const uint64_t entry : slots_) {
    if (entry == kEmpty) continue;
    guard_.count_work(8);
    uint64_t hash = 0;
    const uint64_t* words = record(static_cast<NodeId>(entry));
    for (size_t i = 0; i < state_words_; ++i) hash = combine(hash, words[i]);
    size_t slot = hash & mask;
    while (larger[slot] != kEmpty) slot = (slot + 1) & mask;
    larger[slot] = entry;
  }
  slots_.swap(larger);
}

}  // namespace pushworld
