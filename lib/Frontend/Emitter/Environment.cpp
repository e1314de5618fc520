//===- Environment.cpp - The variables of a function ----------------------===//
#include "Environment.h"

using namespace tsc;

const Type *Frame::typeHere(StringRef name) const {
  auto it = types.find(std::string_view(name));
  return it == types.end() ? nullptr : it->second;
}

SugaredValue *Frame::sugaredHere(StringRef name) const {
  auto it = sugared.find(std::string_view(name));
  return it == sugared.end() ? nullptr : it->second;
}

std::string Environment::nameHere(StringRef name) const {
  auto found = renamed.find(std::string_view(name));
  return found == renamed.end() ? name.str() : found->second;
}

std::unique_ptr<Frame> Environment::pop() {
  std::unique_ptr<Frame> frame = std::move(top);
  top = std::move(frame->parent);
  if (top && frame->forgetsPaths)
    forgetPaths();
  return frame;
}

const Type *Environment::typeOfPath(StringRef path) const {
  for (const Frame *frame = top.get(); frame; frame = frame->parent.get()) {
    if (auto it = frame->paths.find(std::string_view(path)); it != frame->paths.end())
      return it->second;
    if (frame->forgetsPaths)
      return nullptr;
  }
  return nullptr;
}

void Environment::forgetPaths() {
  if (!top)
    return;
  top->paths.clear();
  top->forgetsPaths = true;
}

void Environment::forgetPathsOf(StringRef root) {
  const std::string prefix = root.str() + ".";
  std::vector<std::string> known;
  for (const Frame *frame = top.get(); frame; frame = frame->parent.get())
    for (auto it = frame->paths.lower_bound(prefix);
         it != frame->paths.end() && StringRef(it->first).starts_with(prefix); ++it)
      known.push_back(it->first);
  for (const std::string &path : known)
    top->paths[path] = nullptr;
}

void Environment::forgetAttribute(StringRef name) {
  std::vector<std::string> known;
  for (const Frame *frame = top.get(); frame; frame = frame->parent.get())
    for (auto &[path, type] : frame->paths) {
      llvm::SmallVector<StringRef, 4> parts;
      StringRef(path).split(parts, '.');
      if (llvm::is_contained(llvm::drop_begin(parts), name))
        known.push_back(path);
    }
  for (const std::string &path : known)
    top->paths[path] = nullptr;
}

static const Type *typeFrom(const Frame *frame, StringRef name) {
  for (; frame; frame = frame->parent.get()) {
    if (const Type *type = frame->typeHere(name))
      return type;
    if (frame->sugaredHere(name) || frame->deleted.contains(std::string_view(name)))
      return nullptr;
  }
  return nullptr;
}

static SugaredValue *sugaredFrom(const Frame *frame, StringRef name) {
  for (; frame; frame = frame->parent.get()) {
    if (SugaredValue *value = frame->sugaredHere(name))
      return value;
    if (frame->typeHere(name) || frame->deleted.contains(std::string_view(name)))
      return nullptr;
  }
  return nullptr;
}

const Type *Environment::typeOf(StringRef name) const { return typeFrom(top.get(), name); }
SugaredValue *Environment::sugaredOf(StringRef name) const { return sugaredFrom(top.get(), name); }
const Type *Environment::typeInParents(StringRef name) const { return typeFrom(top->parent.get(), name); }
SugaredValue *Environment::sugaredInParents(StringRef name) const { return sugaredFrom(top->parent.get(), name); }

const PathError *Environment::errorOf(StringRef name) const {
  for (const Frame *frame = top.get(); frame; frame = frame->parent.get()) {
    auto it = frame->errors.find(std::string_view(name));
    if (it != frame->errors.end())
      return &it->second;
  }
  return nullptr;
}

bool tsc::isMeaningfulName(StringRef name) {
  if (name.empty() || name[0] == '$')
    return false;
  if (name[0] != '_')
    return true;
  return name.drop_front().find_first_not_of("0123456789") != StringRef::npos;
}

Value *Environment::load(StringRef name, const Type *type, SourceRange range) {
  Node *node = graph.create(prim::Load);
  node->setAttribute(attr::name, name.str());
  node->setRange(range);
  graph.insertNodeHere(node);
  node->output()->setType(type);
  if (isMeaningfulName(name))
    node->output()->setName(name);
  return node->output();
}

void Environment::store(StringRef name, Value *value, SourceRange range, const Type *declared) {
  Node *node = graph.create(prim::Store, {value}, 0);
  node->setAttribute(attr::name, name.str());
  if (declared && declared != value->type())
    node->setAttribute(attr::types, declared);
  node->setRange(range);
  graph.insertNodeHere(node);
}

void Environment::setType(StringRef name, const Type *type) {
  top->sugared.erase(name.str());
  top->errors.erase(name.str());
  top->deleted.erase(name.str());
  top->types[name.str()] = type;
}

const Type *Environment::widerType(StringRef name) const {
  Frame *frame = top->parent.get();
  while (frame && !frame->typeHere(name))
    frame = frame->sugaredHere(name) || frame->deleted.contains(std::string_view(name)) ? nullptr : frame->parent.get();
  if (!frame)
    return nullptr;
  auto narrowed = frame->wider.find(std::string_view(name));
  if (narrowed == frame->wider.end())
    return nullptr;
  for (Block *block = top->block; block != frame->block;) {
    Node *control = block->owner();
    if (!control || control->kind() != prim::If)
      return nullptr;
    block = control->block();
  }
  return narrowed->second;
}

void Environment::setSugared(StringRef name, SugaredValue *value) {
  top->types.erase(name.str());
  top->errors.erase(name.str());
  top->deleted.erase(name.str());
  top->sugared[name.str()] = value;
}

void Environment::setError(StringRef name, std::string why, SourceRange range, bool isLoop) {
  top->errors[name.str()] = {std::move(why), range, isLoop};
}

void Environment::forgetChoice(StringRef name, SourceRange range, bool isLoop) {
  erase(name);
  std::string why = std::string("is no value, and what it stands for depends on a ") + (isLoop ? "loop" : "condition") +
                    ": only values can be chosen when the program runs";
  top->errors[name.str()] = {std::move(why), range, isLoop, /*isChoice=*/true};
}

void Environment::erase(StringRef name) {
  top->types.erase(name.str());
  top->sugared.erase(name.str());
  if (isDefined(name))
    top->deleted.insert(name.str());
}

void Environment::eraseDeleted(const Frame &inner) {
  for (const std::string &name : inner.deleted)
    if (!inner.defines(name))
      erase(name);
}
