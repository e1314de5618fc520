//===- ReplaceFileTest.cpp - Writers that end, and writers that do not ----===//
#include "tsc/Support/ReplaceFile.h"
#include "FilesOfTests.h"
#include "tsc/Support/TemporaryFile.h"
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
using namespace tsc;
using namespace tsc::test;
using Names = std::vector<std::string>;

namespace {
/// Another process that has begun to write a file and has half of it.
class OtherWriter {
public:
  OtherWriter(const ScratchFolder &folder, const std::string &name) {
    int toParent[2];
    REQUIRE(pipe(toParent) == 0);
    process = fork();
    if (process == 0) {
      const Descriptor place(::open(folder.str().c_str(), O_PATH | O_DIRECTORY));
      auto file = TemporaryFile::create(place.get(), name, 0644);
      const bool good = file && !file->write("half of");
      (void)!::write(toParent[1], good ? "y" : "n", 1);
      while (true)
        pause();
    }
    char answer = 0;
    REQUIRE(::read(toParent[0], &answer, 1) == 1);
    REQUIRE(answer == 'y');
    ::close(toParent[0]);
    ::close(toParent[1]);
  }
  ~OtherWriter() { kill(); }
  void kill() {
    if (process <= 0)
      return;
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    process = 0;
  }

private:
  pid_t process = 0;
};
} // namespace

TEST_CASE("replaceFile: the file is whole or as it was") {
  ScratchFolder folder;
  const std::string path = folder / "model.pt";
  CHECK(replaceFile(path, "one").ok());
  CHECK(replaceFile(path, "two").ok());
  CHECK(readFile(path) == "two");
  CHECK(folder.names() == Names{"model.pt"});
  CHECK(replaceFile(folder / "none/model.pt", "three").code() == StatusCode::InvalidArgument);
  CHECK(replaceFile(folder.str(), "three").code() == StatusCode::InvalidArgument);
}

TEST_CASE("replaceFile: what a killed writer left is swept by the next one of that name, and by no other") {
  ScratchFolder folder;
  OtherWriter writer(folder, "model.pt.tsc-0.tmp"), second(folder, "model.pt.tsc-1.tmp");
  CHECK(replaceFile(folder / "model.pt", "mine").ok());
  CHECK(folder.names() == Names{"model.pt", "model.pt.tsc-0.tmp", "model.pt.tsc-1.tmp"}); // they are at it
  writer.kill();
  CHECK(replaceFile(folder / "other.pt", "mine").ok());
  CHECK(folder.names() == Names{"model.pt", "model.pt.tsc-0.tmp", "model.pt.tsc-1.tmp", "other.pt"});
  CHECK(replaceFile(folder / "model.pt", "mine again").ok());
  CHECK(folder.names() == Names{"model.pt", "model.pt.tsc-1.tmp", "other.pt"});
  second.kill();
  CHECK(replaceFile(folder / "model.pt", "mine again").ok());
  CHECK(folder.names() == Names{"model.pt", "other.pt"});
  CHECK(readFile(folder / "model.pt") == "mine again");
}

TEST_CASE("replaceFile: files that are no writer's stay, whatever their names") {
  ScratchFolder folder;
  const std::string path = folder / "model.pt", target = folder / "target";
  writeFile(target, "precious");
  Names kept{"model.pt",           "model.pt.tmp",     "model.pt.tsc-0.tm", "model.pt.tsc-00.tmp",
             "model.pt.tsc-x.tmp", "model.pt.tsc-.tmp"};
  for (const std::string &name : kept)
    writeFile(folder / name, "kept");
  REQUIRE(symlink("target", (folder / "model.pt.tsc-0.tmp").c_str()) == 0);
  REQUIRE(mkfifo((folder / "model.pt.tsc-1.tmp").c_str(), 0600) == 0);
  REQUIRE(mkdir((folder / "model.pt.tsc-2.tmp").c_str(), 0700) == 0);
  REQUIRE(link(target.c_str(), (folder / "model.pt.tsc-3.tmp").c_str()) == 0);
  for (int i = 0; i != 4; ++i)
    kept.push_back("model.pt.tsc-" + std::to_string(i) + ".tmp");
  if (geteuid() == 0) {
    writeFile(folder / "model.pt.tsc-4.tmp", "another user's");
    REQUIRE(chown((folder / "model.pt.tsc-4.tmp").c_str(), 12345, 12345) == 0);
    kept.push_back("model.pt.tsc-4.tmp");
  }
  kept.push_back("target");
  std::sort(kept.begin(), kept.end());
  CHECK(replaceFile(path, "new").ok());
  CHECK(readFile(path) == "new");
  CHECK(readFile(target) == "precious");
  CHECK(folder.names() == kept);
}

TEST_CASE("replaceFile: names may be as long as names can be") {
  ScratchFolder folder;
  const std::string name(255, 'n');
  CHECK(replaceFile(folder / name, "long").ok());
  CHECK(folder.names() == Names{name});
}

TEST_CASE("replaceFile: writers of one file at once end with the text of one of them") {
  ScratchFolder folder;
  const std::string path = folder / "model.pt";
  std::vector<std::thread> writers;
  std::atomic<unsigned> failures{0};
  for (char c = 'a'; c != 'i'; ++c)
    writers.emplace_back([&, c] {
      for (int round = 0; round != 50; ++round)
        failures += !replaceFile(path, std::string(20000, c)).ok();
    });
  for (std::thread &writer : writers)
    writer.join();
  CHECK(failures == 0);
  const std::string text = readFile(path);
  REQUIRE(text.size() == 20000);
  CHECK(text == std::string(20000, text[0]));
  CHECK(folder.names() == Names{"model.pt"});
}

TEST_CASE("replaceFile: where there is no room the old file stays, and nothing is left") {
  ScratchFolder folder;
  const std::string path = folder / "model.pt";
  REQUIRE(replaceFile(path, "old").ok());
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{}, small{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &usual) == 0);
  small = usual;
  small.rlim_cur = 1000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Status failed = replaceFile(path, std::string(5000, 'x'));
  REQUIRE(setrlimit(RLIMIT_FSIZE, &usual) == 0);
  std::signal(SIGXFSZ, before);
  CHECK(failed.code() == StatusCode::InvalidArgument);
  CHECK(readFile(path) == "old");
  CHECK(folder.names() == Names{"model.pt"});
}

TEST_CASE("TemporaryFile: a file that a sweeper took for one that was left is made again") {
  ScratchFolder folder;
  const Descriptor place(::open(folder.str().c_str(), O_PATH | O_DIRECTORY));
  {
    auto file = TemporaryFile::create(place.get(), "x.tmp", 0600);
    REQUIRE(file);
    CHECK(TemporaryFile::create(place.get(), "x.tmp", 0600).getError() == std::errc::file_exists);
    CHECK_FALSE(removeIfAbandoned(place.get(), "x.tmp"));
    CHECK_FALSE(removeIfAbandoned(place.get(), "none.tmp"));
    CHECK(!file->renameToNew("x"));
    auto next = TemporaryFile::create(place.get(), "x.tmp", 0600);
    REQUIRE(next);
    CHECK(next->renameToNew("x") == std::errc::file_exists);
  }
  CHECK(folder.names() == Names{"x"});
  writeFile(folder / "left.tmp", "half");
  CHECK(removeIfAbandoned(place.get(), "left.tmp"));
  CHECK(folder.names() == Names{"x"});
}
