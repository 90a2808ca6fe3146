// OpenSSL's EVP interface. Its calls fail only without memory.
#include "corpus/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace pothole {

Sha256::Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
  if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
}

void Sha256::add(std::string_view piece) {
  if (EVP_DigestUpdate(context_.get(), piece.data(), piece.size()) != 1) throw std::bad_alloc();
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int count = 0;
  if (EVP_DigestFinal_ex(context_.get(), bytes.data(), &count) != 1) throw std::bad_alloc();
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < count; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

}  // namespace pothole
