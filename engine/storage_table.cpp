#include "engine/storage_table.h"

namespace pothole {
namespace {

class SpareBlocks {
 public:
  SpareBlocks(std::size_t size, std::align_val_t alignment) : size_(size), alignment_(alignment) {}
  SpareBlocks(const SpareBlocks&) = delete;
  SpareBlocks& operator=(const SpareBlocks&) = delete;
  ~SpareBlocks() {
    for (void* block : blocks_) ::operator delete(block, alignment_);
  }

  void* take() {
    if (blocks_.empty()) return ::operator new(size_, alignment_);
    void* block = blocks_.back();
    blocks_.pop_back();
    return block;
  }
  void give(void* block) {
    if (blocks_.size() < kMost)
      blocks_.push_back(block);
    else
      ::operator delete(block, alignment_);
  }

 private:
  static constexpr std::size_t kMost = 256;
  std::size_t size_;
  std::align_val_t alignment_;
  std::vector<void*> blocks_;
};

SpareBlocks& spare_blocks(std::size_t size, std::align_val_t alignment) {
  thread_local SpareBlocks blocks(size, alignment);
  return blocks;
}

}  // namespace

void* StorageTable::Chunk::operator new(std::size_t size, std::align_val_t alignment) {
  return spare_blocks(size, alignment).take();
}

void StorageTable::Chunk::operator delete(void* chunk, std::align_val_t alignment) {
  spare_blocks(sizeof(Chunk), alignment).give(chunk);
}

// Sum of products of words with two keys added: the products do not wait for each other (NH; Black et
// al., "UMAC", CRYPTO 1999).
std::uint64_t StorageTable::hash_of(std::span<const Item> items, std::uint32_t index) {
  std::uint64_t key = mixed(index), hash = 0;
  for (const Item& item : items) {
    const StorageState& s = item.state;
    key += 0xd1342543de82ef95u;
    hash += (static_cast<std::uint64_t>(s.last_access) + key) *
            ((std::uint64_t{s.evictions} << 40 ^ std::uint64_t{s.locks} << 8 ^ s.seen) + (key >> 7 | 1));
  }
  return mixed(hash);
}

std::uint64_t StorageTable::digest() const {
  for (std::uint32_t index : changed_) {
    Entry& entry = chunks_[index];
    digest_ -= entry.hash;
    entry.hash = hash_of(items_of(entry, index), index);
    digest_ += entry.hash;
    entry.changed = false;
  }
  changed_.clear();
  return digest_;
}

bool operator==(const StorageTable& a, const StorageTable& b) {
  if (a.chunks_.size() != b.chunks_.size()) return false;
  for (std::size_t c = 0; c < a.chunks_.size(); ++c) {
    const StorageTable::Entry &x = a.chunks_[c], &y = b.chunks_[c];
    if (x.chunk == y.chunk) continue;
    for (std::uint32_t i = 0; i < StorageTable::kChunkSize; ++i)
      if (!(x.chunk->items[i].state == y.chunk->items[i].state)) return false;
  }
  return true;
}

}  // namespace pothole
