//===- output-archive.h - Archives of tensors, written -------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_OUTPUT_ARCHIVE_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_OUTPUT_ARCHIVE_H
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/serialization/export.h>

namespace torch {
namespace serialize {
inline namespace tsc_torch {

/// Collects tensors and other values by their names, and writes a module whose attributes they are.
class OutputArchive final {
public:
  OutputArchive() : content(std::make_shared<Content>()) {}
  explicit OutputArchive(std::shared_ptr<jit::CompilationUnit> unit) : OutputArchive() { known = std::move(unit); }
  OutputArchive(OutputArchive &&) = default;
  OutputArchive &operator=(OutputArchive &&) = default;
  OutputArchive(OutputArchive &) = delete;
  OutputArchive &operator=(OutputArchive &) = delete;

  std::shared_ptr<jit::CompilationUnit> compilation_unit() const { return known; }
  void write(const std::string &key, const c10::IValue &ivalue) {
    content->entries.push_back(Entry{key, ivalue, TSC_ATTRIBUTE, nullptr});
  }
  /// Adds a tensor as a parameter, or as a buffer. An undefined one is a c10::Error.
  void write(const std::string &key, const at::Tensor &tensor, bool is_buffer = false) {
    TORCH_CHECK(tensor.defined(), "Cannot access storage of UndefinedTensorImpl");
    content->entries.push_back(Entry{key, tensor, is_buffer ? TSC_BUFFER : TSC_PARAMETER, nullptr});
  }
  /// Adds an archive. What is written to it later belongs to it, too.
  void write(const std::string &key, OutputArchive &nested_archive) {
    content->entries.push_back(Entry{key, c10::IValue(), TSC_SUBMODULE, nested_archive.content});
  }
  /// Writes a file, which is replaced as a whole.
  void save_to(const std::string &filename) { build(jit::Module("__torch__.Module")).save(filename); }
  void save_to(std::ostream &stream) { build(jit::Module("__torch__.Module")).save(stream); }
  /// Hands the bytes to a function, which returns how many of them it took.
  void save_to(const std::function<size_t(const void *, size_t)> &func) {
    std::ostringstream stream;
    save_to(stream);
    const std::string bytes = stream.str();
    TORCH_CHECK(func(bytes.data(), bytes.size()) == bytes.size(), "the archive was not written as a whole");
  }
  template <typename... Args> void operator()(Args &&...args) { write(std::forward<Args>(args)...); }

private:
  struct Content;
  struct Entry {
    std::string key;
    c10::IValue value;
    tsc_attribute_kind kind;
    std::shared_ptr<Content> nested; ///< What a TSC_SUBMODULE holds; null for others.
  };
  struct Content {
    std::vector<Entry> entries;
  };
  /// Adds the entries to a module, and returns it.
  jit::Module build(jit::Module module) const { return fill(std::move(module), *content); }
  static jit::Module fill(jit::Module module, const Content &content) {
    for (const Entry &entry : content.entries)
      if (entry.nested)
        module.register_module(
            entry.key,
            fill(jit::Module(tsc_torch_detail::newModule(module.handle(), "__torch__.Module")), *entry.nested));
      else
        module.register_attribute(entry.key, nullptr, entry.value, entry.kind == TSC_PARAMETER,
                                  entry.kind == TSC_BUFFER);
    return module;
  }

  std::shared_ptr<jit::CompilationUnit> known;
  std::shared_ptr<Content> content;
};

} // namespace tsc_torch
} // namespace serialize
} // namespace torch

#endif
