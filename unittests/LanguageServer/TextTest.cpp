#include "tsc/LanguageServer/Text.h"
#include <catch2/catch.hpp>

using namespace tsc::lsp;

TEST_CASE("Positions count UTF-16 code units") {
  const Text text("ab\n\xC3\xA9\xF0\x9F\x98\x80x\r\nz\rlast"); // é, a face of two units
  REQUIRE(text.numLines() == 4);
  CHECK(text.position(0) == Position{0, 0});
  CHECK(text.position(2) == Position{0, 2});
  CHECK(text.position(3) == Position{1, 0});
  CHECK(text.position(5) == Position{1, 1}); // behind é
  CHECK(text.position(9) == Position{1, 3}); // behind the face
  CHECK(text.position(7) == Position{1, 1}); // within it
  CHECK(text.position(12) == Position{2, 0});
  CHECK(text.position(14) == Position{3, 0});
  CHECK(text.position(1000) == Position{3, 4});
  for (size_t offset : {0, 2, 3, 5, 9, 10, 12, 14, 18})
    CHECK(text.offset(text.position(offset)) == offset);
  CHECK(text.offset({1, 2}) == 5);   // between the two units
  CHECK(text.offset({1, 99}) == 10); // the end of the line
  CHECK(text.offset({99, 0}) == 18);
  CHECK(utf16Length("\xC3\xA9\xF0\x9F\x98\x80x") == 4);
}

TEST_CASE("Bytes that are no UTF-8 count one each") {
  const Text text("\xFF\xF0\x9F\x80\xC3\n\xE2\x82");
  CHECK(text.position(5) == Position{0, 5});
  CHECK(text.position(8) == Position{1, 2});
  CHECK(text.offset({0, 3}) == 3);
}

TEST_CASE("Parts of a text are replaced") {
  Text text("one\ntwo\n");
  text.replace({4, 7}, "2\n3");
  CHECK(text.str() == "one\n2\n3\n");
  CHECK(text.numLines() == 4);
  text.replace({100, 200}, "end"); // behind it
  CHECK(text.str() == "one\n2\n3\nend");
  text.replace({0, 1000}, "");
  CHECK(text.str().empty());
  CHECK(text.numLines() == 1);
}

TEST_CASE("Places are found in an earlier text") {
  const EditMap map("abc def ghi", "abc d123f ghi");
  size_t at = 0;
  CHECK((map.toEarlier(2, at) && at == 2));
  CHECK((map.toEarlier(9, at) && at == 7));
  CHECK((map.toEarlier(13, at) && at == 11));
  CHECK(!map.toEarlier(7, at)); // what was written since
  CHECK(!map.toEarlier(14, at));
  CHECK((map.toNow(7, at) && at == 9));
  const EditMap same("x", "x");
  CHECK((same.toEarlier(1, at) && at == 1));
  const EditMap repeated("aaa", "aaaa"); // the same letters are not counted twice
  CHECK((repeated.toEarlier(4, at) && at == 3));
}
