//===- import.h - torch::jit::load ------------------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_IMPORT_H
#define TSC_TORCH_JIT_IMPORT_H
#include <caffe2/serialize/read_adapter_interface.h>
#include <istream>
#include <iterator>
#include <torch/csrc/jit/api/module.h>

namespace tsc_torch_detail {

/// Owns the options of loading: the process's threads, and leave for nothing.
struct LoadOptions {
  LoadOptions() : options(tsc_options_new()) {
    if (!options)
      throw std::bad_alloc();
    check(tsc_options_set_threads(options, 0));
  }
  LoadOptions(const LoadOptions &) = delete;
  LoadOptions &operator=(const LoadOptions &) = delete;
  ~LoadOptions() { tsc_options_free(options); }
  tsc_options *const options;
};
/// Owns a program.
using Program = std::unique_ptr<tsc_program, void (*)(tsc_program *)>;

/// The module of a program that was loaded, on the device, with the extra files that were asked for.
inline torch::jit::Module finishLoading(Program program, const c10::optional<c10::Device> &device,
                                        torch::jit::ExtraFilesMap *extra_files) {
  if (extra_files)
    for (auto &wanted : *extra_files) {
      const void *data = nullptr;
      size_t size = 0;
      tsc_error *error = tsc_program_find_extra_file(program.get(), wanted.first.c_str(), &data, &size);
      if (error && tsc_error_code(error) == TSC_NOT_FOUND) {
        tsc_error_free(error);
        continue;
      }
      check(error);
      wanted.second.assign(static_cast<const char *>(data), size);
    }
  Value root;
  check(tsc_program_attribute(program.get(), "", root.out()));
  torch::jit::Module module(c10::make_intrusive<c10::ivalue::Object>(std::move(root)));
  if (device)
    module.to(*device);
  return module;
}
/// Loads the archive in a file. `extra_files` may be null. c10::Error where it cannot be loaded.
inline torch::jit::Module loadFile(const std::string &path, const c10::optional<c10::Device> &device,
                                   torch::jit::ExtraFilesMap *extra_files) {
  const LoadOptions options;
  tsc_program *program = nullptr;
  check(tsc_program_load(path.c_str(), options.options, &program));
  return finishLoading(Program(program, tsc_program_free), device, extra_files);
}
/// Loads an archive of which these are the bytes; they are copied.
inline torch::jit::Module loadBytes(const std::string &bytes, const c10::optional<c10::Device> &device,
                                    torch::jit::ExtraFilesMap *extra_files) {
  const LoadOptions options;
  tsc_program *program = nullptr;
  check(tsc_program_load_bytes(bytes.data(), bytes.size(), "archive", options.options, nullptr, nullptr, &program));
  return finishLoading(Program(program, tsc_program_free), device, extra_files);
}
/// Reads from the ReadAdapterInterface that `user` points to. It is a tsc_read; 0 where the adapter throws.
inline size_t readFrom(void *user, uint64_t position, void *buffer, size_t size) {
  try {
    return static_cast<caffe2::serialize::ReadAdapterInterface *>(user)->read(position, buffer, size, "archive");
  } catch (...) { // no exception may go through the library, which says that the file is cut short
    return 0;
  }
}
/// Loads an archive that the host reads. Nothing refers to the reader afterwards.
inline torch::jit::Module loadReader(caffe2::serialize::ReadAdapterInterface &reader,
                                     const c10::optional<c10::Device> &device, torch::jit::ExtraFilesMap *extra_files) {
  const LoadOptions options;
  tsc_program *program = nullptr;
  check(tsc_program_load_reader(readFrom, &reader, reader.size(), "archive", options.options, &program));
  return finishLoading(Program(program, tsc_program_free), device, extra_files);
}
/// Returns the rest of a stream. c10::Error where it cannot be read.
inline std::string readAll(std::istream &in) {
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  TORCH_CHECK(!in.bad(), "istream reader failed: the archive cannot be read");
  return bytes;
}

} // namespace tsc_torch_detail

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// Loads an archive of torch.jit.save. c10::Error where it cannot be read, or would run code while it is loaded.
inline Module load(const std::string &filename, c10::optional<c10::Device> device = c10::nullopt,
                   bool load_debug_files = true) {
  (void)load_debug_files;
  return tsc_torch_detail::loadFile(filename, device, nullptr);
}
/// The same. Of `extra_files`, the ones that the archive has are filled in, and others stay.
inline Module load(const std::string &filename, c10::optional<c10::Device> device, ExtraFilesMap &extra_files,
                   bool load_debug_files = true, bool restore_shapes = false) {
  (void)load_debug_files;
  (void)restore_shapes;
  return tsc_torch_detail::loadFile(filename, device, &extra_files);
}
inline Module load(std::istream &in, c10::optional<c10::Device> device = c10::nullopt, bool load_debug_files = true) {
  (void)load_debug_files;
  return tsc_torch_detail::loadBytes(tsc_torch_detail::readAll(in), device, nullptr);
}
inline Module load(std::istream &in, c10::optional<c10::Device> device, ExtraFilesMap &extra_files,
                   bool load_debug_files = true, bool restore_shapes = false) {
  (void)load_debug_files;
  (void)restore_shapes;
  return tsc_torch_detail::loadBytes(tsc_torch_detail::readAll(in), device, &extra_files);
}
inline Module load(std::shared_ptr<caffe2::serialize::ReadAdapterInterface> reader,
                   c10::optional<c10::Device> device = c10::nullopt, bool load_debug_files = true) {
  (void)load_debug_files;
  return tsc_torch_detail::loadReader(*reader, device, nullptr);
}
inline Module load(std::shared_ptr<caffe2::serialize::ReadAdapterInterface> reader, c10::optional<c10::Device> device,
                   ExtraFilesMap &extra_files, bool load_debug_files = true) {
  (void)load_debug_files;
  return tsc_torch_detail::loadReader(*reader, device, &extra_files);
}
namespace script {
using tsc_torch::load;
} // namespace script

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
