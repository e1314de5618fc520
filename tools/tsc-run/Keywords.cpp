//===- Keywords.cpp - Arguments by name in --args -------------------------===//
#include "Keywords.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/Support/Source.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::run;

namespace {
/// Finds the commas that separate arguments: those outside of brackets and of the parameters of a lambda.
class Separators {
public:
  /// Takes the next token. Returns whether it is such a comma.
  bool take(TokenKind kind) {
    switch (kind) {
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace: ++depth; return false;
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::RightBrace: --depth; return false;
    case TokenKind::KwLambda: openLambdas += depth == 0; return false;
    case TokenKind::Colon: openLambdas -= depth == 0 && openLambdas > 0; return false;
    case TokenKind::Comma: return depth == 0 && openLambdas == 0;
    default: return false;
    }
  }

private:
  int depth = 0, openLambdas = 0;
};
} // namespace

StatusOr<ArgumentText> run::separateKeywords(std::string text, llvm::StringRef origin) {
  SourceManager sources;
  DiagnosticEngine unheard; // the compiler reports the same
  const SourceBuffer &buffer = sources.add(origin.str(), text);
  llvm::FailureOr<TokenStream> stream = lex(buffer, 0, buffer.text().size(), LexMode::Expression, unheard);
  ArgumentText separated{std::move(text), {}};
  if (failed(stream))
    return separated;
  llvm::ArrayRef<Token> tokens = llvm::ArrayRef(stream->tokens).drop_back(); // without Eof
  Separators separators;
  bool begins = true;
  for (size_t i = 0; i != tokens.size(); ++i) {
    const bool isNamed =
        begins && i + 1 < tokens.size() && tokens[i].kind == TokenKind::Ident && tokens[i + 1].kind == TokenKind::Equal;
    if (isNamed) {
      std::string name = buffer.text().slice(tokens[i].begin, tokens[i].end).str();
      if (llvm::is_contained(separated.keywords, name))
        return invalidArgument("the argument '" + name + "' is given twice in " + origin);
      separated.keywords.push_back(std::move(name));
      std::fill(separated.expressions.begin() + tokens[i].begin, separated.expressions.begin() + tokens[i + 1].end,
                ' ');
      ++i;
      begins = false;
      continue;
    }
    if (begins && (tokens[i].kind == TokenKind::Star || tokens[i].kind == TokenKind::StarStar))
      return invalidArgument("'" + tokenKindText(tokens[i].kind) + "' does not stand before arguments in " + origin +
                             ": how many there are has to be written, as in 'x[0], x[1]'");
    if (begins && !separated.keywords.empty())
      return invalidArgument("an argument without a name stands behind '" + separated.keywords.back() + "=' in " +
                             origin);
    begins = separators.take(tokens[i].kind);
  }
  // The comma makes a tuple that is the only value one argument.
  if (!separated.keywords.empty() && !begins)
    separated.expressions.insert(tokens.back().end, ",");
  return separated;
}
