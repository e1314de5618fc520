//===- ModulesTest.cpp - Methods and archives of a host, from C -----------===//
#include "../Support/FilesOfTests.h"
#include "Hosts.h"
#include <algorithm>
#include <cstring>

using namespace host;

static const char source[] = "import torch\n"
                             "from torch import nn, Tensor\n"
                             "class Inner(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.w = nn.Parameter(torch.full((2,), 3.0))\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return x * self.w\n"
                             "class Net(nn.Module):\n"
                             "    def __init__(self):\n"
                             "        super().__init__()\n"
                             "        self.inner = Inner()\n"
                             "    def forward(self, x: Tensor) -> Tensor:\n"
                             "        return self.inner(x) + 1.0\n"
                             "model = Net()\n";

/// The first element of what a method gives for two ones.
static float firstOf(const Program &program, const char *method) {
  float ones[] = {1, 1};
  return elements<float>(run(program, method, list(tensor(ones, {2}))))[0];
}

TEST_CASE("a host adds methods to an archive's module and saves it") {
  Program program = load(savedModel(source), "net.pt");
  CHECK(firstOf(program, "forward") == 4.0f);
  ok(tsc_program_define(program.get(), nullptr, "def twice(self, x):\n  return self.forward(self.forward(x))\n"));
  CHECK(firstOf(program, "twice") == 13.0f);
  ok(tsc_program_define(program.get(), "inner", "def half(self, x):\n  return self.forward(x) / 2.0\n"));
  ok(tsc_program_define(program.get(), "", "def halved(self, x):\n  return self.inner.half(x)\n"));
  CHECK(firstOf(program, "halved") == 1.5f);

  tsc::test::ScratchFolder folder;
  const std::string file = folder / "saved.pt";
  ok(tsc_program_save(program.get(), file.c_str()));
  tsc_program *read = nullptr;
  ok(tsc_program_load(file.c_str(), options().get(), &read));
  Program saved(read);
  CHECK(firstOf(saved, "twice") == 13.0f);
  CHECK(firstOf(saved, "halved") == 1.5f);
}

TEST_CASE("methods that are refused, and programs without a module") {
  Program program = load(savedModel(source), "net.pt");
  const std::string message =
      failure(tsc_program_define(program.get(), "", "def f(self, x):\n  return nothing\n"), TSC_INVALID_ARGUMENT);
  CHECK(message.find("undefined value nothing") != std::string::npos);
  failure(tsc_program_define(program.get(), "", "def forward(self, x):\n  return x\n"), TSC_INVALID_ARGUMENT);
  failure(tsc_program_define(program.get(), "none", "def f(self, x):\n  return x\n"), TSC_NOT_FOUND);
  failure(tsc_program_define(program.get(), "", nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_program_define(nullptr, "", "def f(self, x):\n  return x\n"), TSC_INVALID_ARGUMENT);
  failure(tsc_program_save(program.get(), nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_program_save(program.get(), "/nonexistent/folder/saved.pt"), TSC_INVALID_ARGUMENT);
  ok(tsc_program_define(program.get(), "", "def f(self, x):\n  return x + 1.0\n"));
  CHECK(firstOf(program, "f") == 2.0f);

  Program functions = load("def f(x: int) -> int:\n    return x\n", "f.py");
  failure(tsc_program_define(functions.get(), "", "def g(self, x):\n  return x\n"), TSC_NOT_FOUND);
  failure(tsc_program_save(functions.get(), "saved.pt"), TSC_NOT_FOUND);
}

//===----------------------------------------------------------------------===//
// Modules as values
//===----------------------------------------------------------------------===//

static Value attribute(const Value &module, const char *path) {
  tsc_value *found = nullptr;
  ok(tsc_module_attribute(module.get(), path, &found));
  return Value(found);
}
static Value moduleOf(const Program &program) {
  tsc_value *found = nullptr;
  ok(tsc_program_attribute(program.get(), "", &found));
  return Value(found);
}
static Entry method(const Value &module, const char *name = nullptr) {
  tsc_entry *entry = nullptr;
  ok(tsc_module_find(module.get(), name, &entry));
  return Entry(entry);
}
/// The first element of what a method gives for two ones.
static float firstOf(const Entry &entry) {
  float ones[] = {1, 1};
  Value x = tensor(ones, {2});
  tsc_value *args[] = {x.get()}, *result = nullptr;
  ok(tsc_entry_call(entry.get(), args, 1, nullptr, nullptr, 0, &result));
  return elements<float>(Value(result))[0];
}
static std::string names(const Value &module, tsc_listing what, int recurse) {
  tsc_attributes *made = nullptr;
  ok(tsc_module_list(module.get(), what, recurse, &made));
  Handle<tsc_attributes> held(made);
  size_t size = 0;
  ok(tsc_attributes_size(made, &size));
  std::string all;
  for (size_t i = 0; i != size; ++i) {
    const char *name = nullptr;
    tsc_attribute_kind kind = TSC_ATTRIBUTE;
    ok(tsc_attributes_get(made, i, &name, &kind, nullptr));
    all += std::string(all.empty() ? "" : " ") + "'" + name + "'" + std::to_string(kind);
  }
  return all;
}

TEST_CASE("modules within modules are values with methods and attributes") {
  Program program = load(savedModel(source), "net.pt");
  Value net = moduleOf(program), inner = attribute(net, "inner");
  CHECK(tsc_value_is_module(net.get()));
  CHECK(!tsc_value_is_module(attribute(net, "inner.w").get()));
  CHECK(firstOf(method(net)) == 4.0f);
  CHECK(firstOf(method(inner, "forward")) == 3.0f);
  size_t count = 0;
  ok(tsc_module_num_methods(inner.get(), &count));
  REQUIRE(count == 1);
  const char *name = nullptr;
  ok(tsc_module_method_name(inner.get(), 0, &name));
  CHECK(std::string(name) == "forward");
  failure(tsc_module_method_name(inner.get(), 1, &name), TSC_INVALID_ARGUMENT);
  CHECK(names(net, TSC_LIST_PARAMETERS, 1) == "'inner.w'1");
  CHECK(names(net, TSC_LIST_PARAMETERS, 0) == "");
  CHECK(names(net, TSC_LIST_MODULES, 1) == "''3 'inner'3");
  CHECK(names(net, TSC_LIST_MODULES, 0) == "'inner'3");
  CHECK(names(net, TSC_LIST_BUFFERS, 1) == "");
  CHECK(names(net, TSC_LIST_ATTRIBUTES, 1) == "'training'0 'inner'3 'inner.training'0 'inner.w'1");

  float fives[] = {5, 5};
  ok(tsc_module_set_attribute(net.get(), "inner.w", tensor(fives, {2}).get()));
  CHECK(firstOf(method(net)) == 6.0f);
  ok(tsc_module_register(inner.get(), "scale", TSC_BUFFER, tensor(fives, {2}).get()));
  ok(tsc_module_register(net.get(), "names", TSC_ATTRIBUTE, Value(tsc_value_new_string("x", 1)).get()));
  CHECK(names(net, TSC_LIST_BUFFERS, 1) == "'inner.scale'2");
  ok(tsc_module_define(inner.get(), "def scaled(self, x):\n  return x * self.scale\n"));
  CHECK(firstOf(method(inner, "scaled")) == 5.0f);

  int training = -1;
  ok(tsc_module_set_training(net.get(), 0));
  ok(tsc_module_is_training(inner.get(), &training));
  CHECK(training == 0);
  ok(tsc_module_convert(net.get(), TSC_FLOAT64, -1, -1));
  tsc_tensor_info info{};
  info.struct_size = sizeof info;
  ok(tsc_tensor_inspect(attribute(net, "inner.w").get(), &info));
  CHECK(info.dtype == TSC_FLOAT64);
  ok(tsc_module_convert(inner.get(), TSC_FLOAT32, TSC_DEVICE_CPU, -1));
  failure(tsc_module_convert(net.get(), TSC_INT64, -1, -1), TSC_INVALID_ARGUMENT);
  failure(tsc_module_convert(net.get(), 99, -1, -1), TSC_INVALID_ARGUMENT);
  failure(tsc_module_convert(net.get(), -1, 99, -1), TSC_INVALID_ARGUMENT);
  Error cuda(tsc_module_convert(net.get(), -1, TSC_DEVICE_CUDA, 0));
  CHECK(cuda);
  tsc_value *dumped = nullptr;
  ok(tsc_module_dump(inner.get(), TSC_DUMP_NO_METHODS, &dumped));
  CHECK(print(Value(dumped)).find("Inner") != std::string::npos);

  tsc_program *owner = nullptr;
  ok(tsc_module_program(inner.get(), &owner));
  Program same(owner);
  program.reset();
  CHECK(firstOf(method(inner, "forward")) == 5.0f);
}

TEST_CASE("what is no module, and names that there are not") {
  Program program = load(savedModel(source), "net.pt");
  Value net = moduleOf(program), one(tsc_value_new_int(1));
  tsc_value *value = nullptr;
  tsc_entry *entry = nullptr;
  tsc_attributes *listed = nullptr;
  for (tsc_value *wrong : {one.get(), static_cast<tsc_value *>(nullptr)}) {
    failure(tsc_module_find(wrong, "f", &entry), TSC_INVALID_ARGUMENT);
    failure(tsc_module_attribute(wrong, "f", &value), TSC_INVALID_ARGUMENT);
    failure(tsc_module_set_attribute(wrong, "f", one.get()), TSC_INVALID_ARGUMENT);
    failure(tsc_module_list(wrong, TSC_LIST_MODULES, 1, &listed), TSC_INVALID_ARGUMENT);
    failure(tsc_module_set_training(wrong, 1), TSC_INVALID_ARGUMENT);
    failure(tsc_module_copy(wrong, &value), TSC_INVALID_ARGUMENT);
    failure(tsc_module_freeze(wrong, nullptr, 0, nullptr, 0, &value), TSC_INVALID_ARGUMENT);
    failure(tsc_module_define(wrong, "def f(self, x): return x"), TSC_INVALID_ARGUMENT);
    failure(tsc_module_save(wrong, nullptr, 0, nullptr, nullptr), TSC_INVALID_ARGUMENT);
    CHECK(!tsc_value_is_module(wrong));
  }
  failure(tsc_module_find(net.get(), "nothing", &entry), TSC_NOT_FOUND);
  for (const char *path : {"nothing", "inner.nothing", "nothing.w", "inner..w", ".w", "inner.", "", "inner.w.x"})
    failure(tsc_module_attribute(net.get(), path, &value), TSC_NOT_FOUND);
  failure(tsc_module_attribute(net.get(), nullptr, &value), TSC_INVALID_ARGUMENT);
  failure(tsc_module_attribute(net.get(), "inner", nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_module_set_attribute(net.get(), "nothing", one.get()), TSC_NOT_FOUND);
  failure(tsc_module_set_attribute(net.get(), "inner.w", one.get()), TSC_INVALID_ARGUMENT);
  failure(tsc_module_set_attribute(net.get(), "inner.w", nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_module_register(net.get(), "p", TSC_PARAMETER, one.get()), TSC_INVALID_ARGUMENT);
  failure(tsc_module_register(net.get(), "a.b", TSC_ATTRIBUTE, one.get()), TSC_INVALID_ARGUMENT);
  failure(tsc_module_register(net.get(), "p", TSC_SUBMODULE, one.get()), TSC_INVALID_ARGUMENT);
  failure(tsc_module_list(net.get(), static_cast<tsc_listing>(9), 1, &listed), TSC_INVALID_ARGUMENT);
  failure(tsc_module_save(net.get(), nullptr, 1, [](void *, const char *, size_t) {}, nullptr), TSC_INVALID_ARGUMENT);
  failure(tsc_module_save(net.get(), nullptr, 0, nullptr, nullptr), TSC_INVALID_ARGUMENT);
}

TEST_CASE("copies of modules share the code and nothing that is written") {
  Program program = load(savedModel(source), "net.pt");
  Value net = moduleOf(program), inner = attribute(net, "inner");
  tsc_value *made = nullptr;
  ok(tsc_module_copy(net.get(), &made));
  Value copy(made);
  ok(tsc_module_copy(inner.get(), &made));
  Value innerCopy(made);
  tsc_program *copied = nullptr;
  ok(tsc_program_copy(program.get(), &copied));
  Program whole(copied);
  float zeros[] = {0, 0};
  const std::vector<int64_t> sizes{2};
  tsc_tensor from = describe(zeros, sizes);
  ok(tsc_tensor_copy_from(attribute(net, "inner.w").get(), &from));
  CHECK(firstOf(method(net)) == 1.0f);
  CHECK(firstOf(method(copy)) == 4.0f);
  CHECK(firstOf(method(innerCopy)) == 3.0f);
  CHECK(firstOf(method(moduleOf(whole))) == 4.0f);
  ok(tsc_module_set_attribute(copy.get(), "inner", attribute(copy, "inner").get()));
}

TEST_CASE("a frozen module keeps what the host names, and the module stays as it is") {
  Program program = load(savedModel(source), "net.pt");
  Value net = moduleOf(program);
  tsc_value *made = nullptr;
  CHECK(failure(tsc_module_freeze(net.get(), nullptr, 0, nullptr, 0, &made), TSC_INVALID_ARGUMENT)
            .find("training mode") != std::string::npos);
  ok(tsc_module_set_training(net.get(), 0));
  ok(tsc_module_define(net.get(), "def twice(self, x):\n  return self.forward(self.forward(x))\n"));
  const char *methods[] = {"forward", "twice"}, *kept[] = {"inner.w"};
  ok(tsc_module_freeze(net.get(), methods, 2, nullptr, 0, &made));
  Value frozen(made);
  ok(tsc_module_freeze(net.get(), nullptr, 0, kept, 1, &made));
  Value keeping(made);
  CHECK(firstOf(method(frozen)) == 4.0f);
  CHECK(firstOf(method(frozen, "twice")) == 13.0f);
  CHECK(firstOf(method(keeping)) == 4.0f);
  tsc_entry *entry = nullptr;
  failure(tsc_module_find(keeping.get(), "twice", &entry), TSC_NOT_FOUND);
  failure(tsc_module_attribute(frozen.get(), "inner.w", &made), TSC_NOT_FOUND);
  failure(tsc_module_attribute(frozen.get(), "training", &made), TSC_NOT_FOUND);
  CHECK(elements<float>(attribute(keeping, "inner.w"))[0] == 3.0f);
  CHECK(names(frozen, TSC_LIST_ATTRIBUTES, 1) == "");
  CHECK(elements<float>(attribute(net, "inner.w"))[0] == 3.0f);
  CHECK(firstOf(method(net)) == 4.0f);
  failure(tsc_module_freeze(frozen.get(), nullptr, 0, nullptr, 0, &made), TSC_INVALID_ARGUMENT);
  const char *nothing[] = {"nothing"};
  failure(tsc_module_freeze(net.get(), nothing, 1, nullptr, 0, &made), TSC_NOT_FOUND);
  Error noAttribute(tsc_module_freeze(net.get(), methods, 1, nothing, 1, &made));
  CHECK(noAttribute);
  failure(tsc_module_save(frozen.get(), nullptr, 0, [](void *, const char *, size_t) {}, nullptr), TSC_UNIMPLEMENTED);
  // A copy can be frozen, as hosts of PyTorch do.
  ok(tsc_module_copy(net.get(), &made));
  Value copy(made);
  ok(tsc_module_freeze(copy.get(), nullptr, 0, nullptr, 0, &made));
  CHECK(firstOf(method(Value(made))) == 4.0f);
  ok(tsc_program_freeze_keeping(program.get(), methods, 1, kept, 1));
  CHECK(elements<float>(attribute(moduleOf(program), "inner.w"))[0] == 3.0f);
}

namespace {
/// The bytes that a host's callbacks write and read.
struct Store {
  std::string bytes;
  size_t largest = ~size_t{0};
  static void write(void *user, const char *text, size_t length) {
    static_cast<Store *>(user)->bytes.append(text, length);
  }
  static size_t read(void *user, uint64_t position, void *buffer, size_t size) {
    Store &store = *static_cast<Store *>(user);
    const size_t given =
        std::min({size, store.bytes.size() - std::min<size_t>(position, store.bytes.size()), store.largest});
    std::memcpy(buffer, store.bytes.data() + position, given);
    return given;
  }
};
} // namespace

TEST_CASE("extra files are written and read, through callbacks") {
  Program program = load(savedModel(source), "net.pt");
  Value net = moduleOf(program);
  Store store;
  const tsc_file files[] = {{"config.json", "{}", 2}, {"empty", nullptr, 0}, {"zeros", "\0a\0", 3}};
  ok(tsc_module_save(net.get(), files, 3, Store::write, &store));
  store.largest = 100; // as a pipe may
  tsc_program *read = nullptr;
  ok(tsc_program_load_reader(Store::read, &store, store.bytes.size(), "saved.pt", options().get(), &read));
  Program saved(read);
  CHECK(firstOf(method(moduleOf(saved))) == 4.0f);
  size_t count = 0;
  ok(tsc_program_num_extra_files(read, &count));
  CHECK(count == 3);
  const char *name = nullptr;
  const void *data = nullptr;
  size_t size = 0;
  ok(tsc_program_find_extra_file(read, "zeros", &data, &size));
  CHECK(std::string(static_cast<const char *>(data), size) == std::string("\0a\0", 3));
  bool found = false;
  for (size_t i = 0; i != count; ++i) {
    ok(tsc_program_extra_file(read, i, &name, &data, &size));
    found |= std::string(name) == "config.json" && std::string(static_cast<const char *>(data), size) == "{}";
  }
  CHECK(found);
  failure(tsc_program_extra_file(read, 3, &name, &data, &size), TSC_INVALID_ARGUMENT);
  failure(tsc_program_find_extra_file(read, "nothing", &data, &size), TSC_NOT_FOUND);
  CHECK((!data && size == 0));
  failure(tsc_program_find_extra_file(read, nullptr, &data, &size), TSC_INVALID_ARGUMENT);
  failure(tsc_program_num_extra_files(nullptr, &count), TSC_INVALID_ARGUMENT);
  ok(tsc_program_num_extra_files(program.get(), &count));
  CHECK(count == 0);

  failure(tsc_program_load_reader(Store::read, &store, store.bytes.size() + 1, "saved.pt", nullptr, &read),
          TSC_DATA_LOSS);
  failure(tsc_program_load_reader(nullptr, &store, 1, "saved.pt", nullptr, &read), TSC_INVALID_ARGUMENT);
  failure(tsc_program_load_reader(Store::read, &store, 1, nullptr, nullptr, &read), TSC_INVALID_ARGUMENT);

  // The files of the archive themselves.
  tsc_archive *archive = nullptr;
  ok(tsc_archive_open_bytes(store.bytes.data(), store.bytes.size(), nullptr, nullptr, &archive));
  std::unique_ptr<tsc_archive, void (*)(tsc_archive *)> held(archive, tsc_archive_free);
  ok(tsc_archive_num_records(archive, &count));
  REQUIRE(count > 3);
  ok(tsc_archive_record_name(archive, 0, &name));
  CHECK(std::string(name).find("archive/") == 0);
  ok(tsc_archive_record(archive, "extra/config.json", &data, &size));
  CHECK(std::string(static_cast<const char *>(data), size) == "{}");
  ok(tsc_archive_record(archive, "archive/extra/config.json", &data, &size));
  CHECK(size == 2);
  failure(tsc_archive_record(archive, "nothing", &data, &size), TSC_NOT_FOUND);
  failure(tsc_archive_record_name(archive, count, &name), TSC_INVALID_ARGUMENT);
  failure(tsc_archive_open_bytes("no zip", 6, nullptr, nullptr, &archive), TSC_DATA_LOSS);
  failure(tsc_archive_open("/nonexistent/file", &archive), TSC_NOT_FOUND);
  failure(tsc_archive_open(nullptr, &archive), TSC_INVALID_ARGUMENT);
  tsc_archive_free(nullptr);
}

TEST_CASE("the number of a program's threads changes at any time") {
  Handle<tsc_options> chosen = options();
  ok(tsc_options_set_threads(chosen.get(), 0)); // those of the process
  Program program = load(savedModel(source), "net.pt", chosen.get());
  Entry forward = find(program);
  for (int threads : {1, 3, 0, 2, 1}) {
    ok(tsc_program_set_threads(program.get(), threads));
    CHECK(firstOf(forward) == 4.0f);
  }
  failure(tsc_program_set_threads(program.get(), -1), TSC_INVALID_ARGUMENT);
  failure(tsc_program_set_threads(program.get(), 1025), TSC_INVALID_ARGUMENT);
  failure(tsc_program_set_threads(nullptr, 1), TSC_INVALID_ARGUMENT);
  ok(tsc_options_set_parallel(
      chosen.get(), 2,
      [](void *, uint32_t count, void (*task)(void *, uint32_t), void *argument) {
        for (uint32_t i = 0; i != count; ++i)
          task(argument, i);
      },
      nullptr));
  Program lent = load(savedModel(source), "net.pt", chosen.get());
  failure(tsc_program_set_threads(lent.get(), 2), TSC_INVALID_ARGUMENT);
}

TEST_CASE("an entry says what it takes and gives") {
  Program program = load("from typing import Optional, Tuple\n"
                         "from torch import Tensor\n"
                         "def f(x: Tensor, scale: Optional[float] = None, n: int = 3) -> Tuple[Tensor, int]:\n"
                         "    return x, n\n",
                         "f.py");
  Entry f = find(program), forward = method(moduleOf(load(savedModel(source), "net.pt")));
  size_t count = 0;
  ok(tsc_entry_num_arguments(f.get(), &count));
  CHECK(count == 3);
  const char *name = nullptr;
  tsc_value *type = nullptr, *given = nullptr;
  ok(tsc_entry_argument(f.get(), 0, &name, &type, &given));
  CHECK((std::string(name) == "x" && print(Value(type)) == "'Tensor'" && !given));
  ok(tsc_entry_argument(f.get(), 1, nullptr, &type, nullptr));
  CHECK(print(Value(type)) == "'Optional[float]'");
  ok(tsc_entry_argument(f.get(), 2, &name, nullptr, &given));
  CHECK(print(Value(given)) == "3");
  failure(tsc_entry_argument(f.get(), 3, &name, &type, &given), TSC_INVALID_ARGUMENT);
  ok(tsc_entry_result_type(f.get(), &type));
  CHECK(print(Value(type)) == "'Tuple[Tensor, int]'");
  ok(tsc_entry_num_arguments(forward.get(), &count));
  CHECK(count == 1);
  failure(tsc_entry_num_arguments(nullptr, &count), TSC_INVALID_ARGUMENT);
  failure(tsc_entry_result_type(f.get(), nullptr), TSC_INVALID_ARGUMENT);
}
