//===- Hosts.h - What tests of the C interface share ------------*- C++ -*-===//
#ifndef TSC_UNITTESTS_CAPI_HOSTS_H
#define TSC_UNITTESTS_CAPI_HOSTS_H

#include "tsc-c/tsc.h"
#include "tsc/Engine/Program.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/Zip.h"
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

namespace host {

/// The archive that Python would save of `model` in this file, with these methods beside `forward`.
inline std::string savedModel(const std::string &source, const std::vector<std::string> &methods = {}) {
  auto program = tsc::Program::load(tsc::Bytes{source, nullptr}, "made.py");
  REQUIRE(program.ok());
  auto module = program->moduleToSave();
  REQUIRE(module.ok());
  for (const std::string &method : methods)
    REQUIRE(program->find(method).ok());
  auto bytes = program->save(*module, {});
  REQUIRE(bytes.ok());
  return *std::move(bytes);
}

struct Free {
  void operator()(tsc_error *p) const { tsc_error_free(p); }
  void operator()(tsc_options *p) const { tsc_options_free(p); }
  void operator()(tsc_program *p) const { tsc_program_free(p); }
  void operator()(tsc_entry *p) const { tsc_entry_free(p); }
  void operator()(tsc_context *p) const { tsc_context_free(p); }
  void operator()(tsc_value *p) const { tsc_value_free(p); }
  void operator()(tsc_attributes *p) const { tsc_attributes_free(p); }
};
template <typename T> using Handle = std::unique_ptr<T, Free>;
using Error = Handle<tsc_error>;
using Program = Handle<tsc_program>;
using Entry = Handle<tsc_entry>;
using Call = Handle<tsc_context>;
using Value = Handle<tsc_value>;

/// What must have worked.
inline void ok(tsc_error *given) {
  Error error(given);
  INFO(tsc_error_message(error.get()));
  REQUIRE(!error);
}
/// What must have failed like this; gives the message.
inline std::string failure(tsc_error *given, tsc_code code) {
  Error error(given);
  REQUIRE(error);
  INFO(tsc_error_message(error.get()));
  CHECK(tsc_error_code(error.get()) == code);
  CHECK(std::string(tsc_error_message(error.get())) != "");
  return tsc_error_message(error.get());
}

inline Handle<tsc_options> options() {
  Handle<tsc_options> made(tsc_options_new());
  if (tsc_has_cpu_fuser())
    ok(tsc_options_set_cache_folder(made.get(), ""));
  return made;
}
inline Program load(const std::string &text, const char *name, const tsc_options *chosen = nullptr) {
  Handle<tsc_options> defaults = options();
  tsc_program *program = nullptr;
  ok(tsc_program_load_bytes(text.data(), text.size(), name, chosen ? chosen : defaults.get(), nullptr, nullptr,
                            &program));
  return Program(program);
}
inline Entry find(const Program &program, const char *name = nullptr) {
  tsc_entry *entry = nullptr;
  ok(tsc_program_find(program.get(), name, &entry));
  return Entry(entry);
}
inline Call context(const Program &program) {
  tsc_context *made = nullptr;
  ok(tsc_context_new(program.get(), &made));
  return Call(made);
}
inline std::vector<tsc_value *> pointers(const std::vector<Value> &values) {
  std::vector<tsc_value *> handles;
  for (const Value &value : values)
    handles.push_back(value.get());
  return handles;
}
template <typename... V> std::vector<Value> list(V &&...values) {
  std::vector<Value> made;
  (made.push_back(std::move(values)), ...);
  return made;
}
/// A call that is to succeed.
inline Value run(const Program &program, const char *name, const std::vector<Value> &args) {
  Entry entry = find(program, name);
  Call call = context(program);
  tsc_value *result = nullptr;
  ok(tsc_entry_run(entry.get(), call.get(), pointers(args).data(), args.size(), &result));
  return Value(result);
}

template <typename T> int32_t dtypeOf();
template <> inline int32_t dtypeOf<float>() { return TSC_FLOAT32; }
template <> inline int32_t dtypeOf<double>() { return TSC_FLOAT64; }
template <> inline int32_t dtypeOf<int64_t>() { return TSC_INT64; }
template <> inline int32_t dtypeOf<int32_t>() { return TSC_INT32; }

template <typename T>
tsc_tensor describe(T *data, const std::vector<int64_t> &sizes, const std::vector<int64_t> *strides = nullptr,
                    uint32_t flags = 0) {
  return {
      sizeof(tsc_tensor), data, sizes.data(), strides ? strides->data() : nullptr, static_cast<int32_t>(sizes.size()),
      dtypeOf<T>(),       flags};
}
template <typename T>
Value tensor(T *data, const std::vector<int64_t> &sizes, const std::vector<int64_t> *strides = nullptr,
             uint32_t flags = 0, tsc_release release = nullptr, void *user = nullptr) {
  tsc_tensor described = describe(data, sizes, strides, flags);
  tsc_value *value = nullptr;
  ok(tsc_value_new_tensor(&described, release, user, &value));
  return Value(value);
}
/// The elements of a tensor in row-major order.
template <typename T> std::vector<T> elements(const Value &value) {
  tsc_tensor found{};
  found.struct_size = sizeof found;
  ok(tsc_tensor_get(value.get(), &found));
  std::vector<int64_t> sizes(found.sizes, found.sizes + found.rank);
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  std::vector<T> copy(static_cast<size_t>(count));
  tsc_tensor destination = describe(copy.data(), sizes);
  ok(tsc_tensor_copy_to(value.get(), &destination));
  return copy;
}
inline std::string print(const Value &value) {
  tsc_value *made = nullptr;
  ok(tsc_value_print(value.get(), &made));
  Value text(made);
  const char *characters = nullptr;
  ok(tsc_value_get_string(made, &characters, nullptr));
  return characters;
}
inline Value element(const Value &value, size_t index) {
  tsc_value *found = nullptr;
  ok(tsc_value_element(value.get(), index, &found));
  return Value(found);
}

} // namespace host

#endif
