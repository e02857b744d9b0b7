#include "search/core/node_store.h"

#include <algorithm>
#include <bit>

#include "util/hash.h"

namespace pushworld {
namespace {

constexpr size_t kFirstBuckets = 512;
constexpr uint64_t kBytes = 0x0101010101010101;  // one in each

// The bytes of the word that equal the tag: their highest bits. Some others may be set, too.
uint64_t equal_bytes(uint64_t word, uint64_t tag) {
  const uint64_t difference = word ^ (tag * kBytes);
  return (difference - kBytes) & ~difference & (0x80 * kBytes);
}

}  // namespace

NodeStore::NodeStore(const std::vector<size_t>& sizes, LimitGuard& guard, int label_bits)
    : guard_(guard),
      chunks_(&guard.memory()),
      num_buckets_(kFirstBuckets),
      buckets_(num_buckets_, guard.memory()) {
  int words = 0;  // of 64 bits
  int used = 64;
  for (const size_t size : sizes) {
    const int bits = std::max(1, static_cast<int>(std::bit_width(size - 1)));
    if (used + bits > 64) {
      ++words;
      used = 0;
    }
    fields_.push_back(
        {static_cast<uint16_t>(words - 1), static_cast<uint8_t>(used), static_cast<uint8_t>(bits)});
    used += bits;
  }
  key_words_ = static_cast<size_t>(words);
  last_key_mask_ = UINT64_MAX >> (64 - used);
  label_mask_ = (uint64_t{1} << label_bits) - 1;
  if (used + label_bits > 64) {
    ++words;
    used = 0;
  }
  label_word_ = static_cast<size_t>(words) - 1;
  label_shift_ = label_bits > 0 ? used : 0;
  parent_at_ = 8 * label_word_ + static_cast<size_t>(used + label_bits + 7) / 8;
  record_bytes_ = parent_at_ + sizeof(NodeId);
  while (chunk_bits_ > 0 && chunk_nodes() * record_bytes_ > kMaxChunkBytes) --chunk_bits_;
  scratch_.resize(key_words_);
}

uint64_t NodeStore::hash_of(const uint8_t* record) const {
  uint64_t hash = 0;
  for (size_t k = 0; k < key_words_; ++k) hash = combine(hash, word(record, k) & mask_of_word(k));
  return hash;
}

uint64_t NodeStore::hash(const uint64_t* packed) const {
  uint64_t hash = 0;
  for (size_t k = 0; k < key_words_; ++k) hash = combine(hash, packed[k]);
  return hash;
}

uint64_t NodeStore::pack(const PositionId* state, uint64_t* packed) const {
  std::fill_n(packed, key_words_, 0);
  for (size_t i = 0; i < fields_.size(); ++i) {
    packed[fields_[i].word] |= uint64_t{state[i]} << fields_[i].shift;
  }
  return hash(packed);
}

NodeId NodeStore::find(const uint64_t* packed, uint64_t hash) const {
  for (size_t b = bucket_of(hash);; b = b + 1 == num_buckets_ ? 0 : b + 1) {
    const Bucket& bucket = buckets_[b];
    const uint32_t count = bucket.count();
    for (uint32_t half = 0; half < 2; ++half) {
      for (uint64_t equal = equal_bytes(bucket.tags[half], hash & 0xff); equal;
           equal &= equal - 1) {
        const uint32_t at = 8 * half + static_cast<uint32_t>(std::countr_zero(equal)) / 8;
        if (at >= count) break;
        // States are short, so a loop is faster than memcmp.
        const uint8_t* known = record(bucket.nodes[at]);
        const size_t last = key_words_ - 1;
        uint64_t difference = (word(known, last) ^ packed[last]) & last_key_mask_;
        for (size_t k = 0; k < last; ++k) difference |= word(known, k) ^ packed[k];
        if (difference == 0) return bucket.nodes[at];
      }
    }
    if (count < Bucket::kNodes) return kNoNode;
  }
}

NodeStore::Inserted NodeStore::insert(const uint64_t* packed, uint64_t hash, NodeId parent,
                                      uint32_t label) {
  const NodeId known = find(packed, hash);
  if (known != kNoNode) return {known, false};
  if ((size_ + 1) * 5 > num_buckets_ * Bucket::kNodes * 4) grow_table();
  const NodeId node = static_cast<NodeId>(size_++);
  if (node >> chunk_bits_ == chunks_.size()) add_chunk();
  std::memcpy(record(node), packed, std::min(8 * key_words_, parent_at_));
  set_parent(node, parent, label);
  add_to_table(node, hash);
  return {node, true};
}

void NodeStore::set_parent(NodeId node, NodeId parent, uint32_t label) {
  uint8_t* const at = record(node);
  std::memcpy(at + parent_at_, &parent, sizeof(parent));
  if (label_mask_ == 0) return;
  const uint64_t others = word(at, label_word_) & ~(label_mask_ << label_shift_);
  const uint64_t changed = others | uint64_t{label} << label_shift_;
  std::memcpy(at + 8 * label_word_, &changed, sizeof(changed));
}

void NodeStore::read(NodeId node, PositionId* state) const {
  const uint8_t* const from = record(node);
  size_t at = 0;
  uint64_t packed = word(from, 0);
  for (size_t i = 0; i < fields_.size(); ++i) {
    const Field field = fields_[i];
    if (field.word != at) packed = word(from, at = field.word);
    state[i] = static_cast<PositionId>(packed >> field.shift & ((uint64_t{1} << field.bits) - 1));
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
  // A word of the last record may reach beyond it.
  chunks_.emplace_back(chunk_nodes() * record_bytes_ + sizeof(uint64_t), guard_.memory());
}

void NodeStore::add_to_table(NodeId node, uint64_t hash) {
  size_t b = bucket_of(hash);
  while (buckets_[b].count() == Bucket::kNodes) b = b + 1 == num_buckets_ ? 0 : b + 1;
  buckets_[b].add(node, hash & 0xff);
}

// The records hold all that the new table needs, so the old one is freed first.
void NodeStore::grow_table() {
  buckets_ = {};
  num_buckets_ += num_buckets_ / 2;
  buckets_ = {num_buckets_, guard_.memory()};
  constexpr size_t kAhead = 16;
  std::array<uint64_t, kAhead> hashes{};
  for (size_t i = 0; i < size_ + kAhead; ++i) {
    guard_.count_work(8);
    uint64_t& hash = hashes[i % kAhead];
    if (i >= kAhead) add_to_table(static_cast<NodeId>(i - kAhead), hash);
    if (i >= size_) continue;
    hash = hash_of(record(static_cast<NodeId>(i)));
    prefetch(hash);
  }
}

}  // namespace pushworld
