// SHA-256 of text that arrives in pieces.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>
#include <string_view>

namespace pothole {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view piece);
  // Lower-case; nothing may be added afterwards.
  std::string hex();

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace pothole
