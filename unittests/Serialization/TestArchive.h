//===- TestArchive.h - An archive made by hand ------------------*- C++ -*-===//
#ifndef TSC_UNITTESTS_SERIALIZATION_TESTARCHIVE_H
#define TSC_UNITTESTS_SERIALIZATION_TESTARCHIVE_H

#include "tsc/Serialization/Zip.h"
#include <map>

namespace tsc {

/// The files of an archive, by name without prefix; those of a sound one to begin with.
struct TestArchive {
  std::map<std::string, std::string> files;

  TestArchive() {
    files["version"] = "3\n";
    files["constants.pkl"] = std::string("\x80\x02).");
    files["code/__torch__.py"] = code();
    files["data.pkl"] = module("X\x02\x00\x00\x00xs](G?\xf8\x00\x00\x00\x00\x00\x00"
                               "K\x02"
                               "e");
  }
  /// The class M up to its methods.
  static constexpr char head[] = "class M(Module):\n"
                                 "  __parameters__ = []\n"
                                 "  __buffers__ = []\n"
                                 "  n : int\n"
                                 "  xs : List[float]\n";
  /// The class M, with these lines between its attributes and its method, and behind it.
  static std::string code(const std::string &attributes = "", const std::string &methods = "") {
    return head + attributes +
           "  def forward(self: __torch__.M, x: int) -> int:\n"
           "    return torch.add(x, self.n)\n" +
           methods;
  }
  /// An M with n = 5 and one more attribute.
  template <size_t N> static std::string module(const char (&attribute)[N]) {
    std::string head = "\x80\x02"
                       "c__torch__\nM\n)\x81}(X\x01";
    head += std::string("\0\0\0nK\5", 6);
    return head + std::string(attribute, N - 1) + "ub.";
  }
  std::string bytes() const {
    ZipWriter writer;
    for (const auto &[name, content] : files)
      writer.add("model/" + name, content);
    return writer.finish();
  }
};

} // namespace tsc

#endif
