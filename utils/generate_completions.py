#!/usr/bin/env python3
"""Writes completions of the five tools' command lines for bash, zsh and fish.

usage: generate_completions.py BIN_DIR OUT_DIR

OUT_DIR gets bash/tsc-run, zsh/_tsc-run, fish/tsc-run.fish and the same for each other tool in BIN_DIR. All that is offered
comes from what the tool prints with --help: options, the words that an option takes (`eager|background|off`), files by the
ending that stands there (`F.pt`), and passes, with commas between them. The files run no tool: completing takes no longer
than reading them. Equal tools give equal bytes.
"""
import argparse
import pathlib
import re

import tool_help

HEAD = """# Completion of the command line of {tool}, for {shell}.
# Written by utils/generate_completions.py from what {tool} --help prints.
"""
BASH = r"""
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous='' option='' prefix=''
  local -a words=()
{locals}  COMPREPLY=()
  (( COMP_CWORD > 0 )) && previous=${{COMP_WORDS[COMP_CWORD-1]}}
  # --name=value is three words where COMP_WORDBREAKS has the equals sign, as it has by default, and else one.
  if [[ $word == -*=* ]]; then
    option=${{word%%=*}} prefix=${{word%%=*}}= word=${{word#*=}}
  elif [[ $word == = ]]; then
    option=$previous word=''
  elif [[ $previous == = ]] && (( COMP_CWORD > 1 )); then
    option=${{COMP_WORDS[COMP_CWORD-2]}}
{separate}  fi
  word=${{word#[\'\"]}} # bash replaces what stands behind the quote
  case $option in
    "")
      if [[ $word == -* ]]; then
        words=({options})
{arguments}      fi ;;
{cases}  esac
{kinds}  if (( ${{#words[@]}} )); then
    mapfile -t COMPREPLY < <(compgen -W "${{words[*]}}" -- "$word")
  fi
  if [[ -n $prefix ]]; then
    COMPREPLY=("${{COMPREPLY[@]/#/$prefix}}")
  fi
  if [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *= ]]; then
    compopt -o nospace 2>/dev/null # the value follows
  fi
}}
complete -F {function} {tool}
"""
BASH_KINDS = {
    "passes": r"""    passes) # the last of several, unless it is within the brackets of another one's options
      [[ ${word##*>} == *"<"* ]] && return
      if [[ $word == *,* ]]; then
        prefix+=${word%,*}, word=${word##*,}
      fi
      compopt -o nospace 2>/dev/null ;; # a comma may follow
""",
    "files": r"""    files)
      compopt -o filenames 2>/dev/null
      if (( ${#endings[@]} )); then
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; for ending in "${endings[@]}"; do compgen -f -X "!*$ending" -- "$word"; done)
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
""",
    "program": r"""    program)
      mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word") ;;
""",
}
FISH_FILES = r"""
# Folders, and files with one of the endings; all files where no ending is given.
function {function}_files
    set -l word (commandline -ct | string replace -r '^-[^=]*=' '')
    set -l pattern '.*'
    set -q argv[1]; and set pattern '.*(?:/|'(string join '|' -- (string escape --style=regex -- $argv))')(?:\t.*)?'
    complete -C "__fish_command_without_completions $word" | string match -r -- "^$pattern\$"
end
"""
FISH_PASSES = r"""
# Passes, each behind what the word has up to its last comma.
function {function}_{kind}
    set -l word (commandline -ct | string replace -r '^-[^=]*=' '' | string replace -r '^["\']' '')
    string match -qr '<[^>]*$' -- $word; and return # within the options of a pass
    set -l before (string match -r '.*,' -- $word)
    for pass in {items}
        echo "$before$pass"
    end
end
"""


def plain(words, separator=" "):
    """Joins words that need no quotes in any of the shells."""
    words = list(words)
    for word in words:
        if not re.fullmatch(r"[\w.=+-]+", word):
            raise tool_help.HelpError(f"the help has '{word}' where a shell wants a plain word; let utils/generate_completions.py quote it")
    return separator.join(words)


def quoted(text):
    """Text in single quotes, as bash and zsh read them."""
    return "'" + text.replace("'", "'\\''") + "'"


def spellings(help, option):
    """The names of an option: as the help has them, and with one dash where the tool takes that too."""
    short = [name[1:] for name in option.names if name.startswith("--")] if help.has_short_dashes else []
    return option.names + short


def function_name(help):
    return "_" + help.tool.replace("-", "_")


def named_options(help):
    """Each option with each of its names."""
    return [(option, name) for option in help.options() for name in spellings(help, option)]


def pass_lists(help):
    """The kinds of pass lists that options take, each with its passes and their texts."""
    kinds = sorted({option.kind() for option in help.options()} & {"passes", "pipeline"})
    return {kind: [(plain([name]), text) for name, text in help.names_in(kind)] for kind in kinds}


def bash_files(endings):
    return f"kind=files endings=({plain(endings)})"


def bash_value(help, option):
    """What sets the variables of the function for the value of an option."""
    passes = plain(name for name, _ in pass_lists(help).get(option.kind(), []))
    return {
        "choice": f"words=({plain(option.choices())})",
        "passes": f"kind=passes words=({passes})",
        "pipeline": f"kind=passes words=({passes})",
        "file": bash_files(option.endings),
        "program": "kind=program",
    }.get(option.kind(), "")


def bash(help):
    values = [(spellings(help, option), bash_value(help, option)) for option in help.options()]
    cases = [f"    {plain(names, ' | ')}) {value} ;;\n" for names, value in values if value]
    separate = [name for option, name in named_options(help) if option.takes_next_word()]
    options = [name + "=" * (option.separator == "=" and option.takes_next_word()) for option, name in named_options(help)]
    arguments = bash_files(help.argument_endings) if help.takes_arguments else ""
    kinds = [text for kind, text in BASH_KINDS.items() if f"kind={kind}" in " ".join([arguments, *cases])]
    return HEAD.format(tool=help.tool, shell="bash") + BASH.format(
        tool=help.tool, function=function_name(help), options=plain(options), cases="".join(cases),
        separate=f"  else\n    case $previous in\n      {plain(separate, ' | ')}) option=$previous ;;\n    esac\n" if separate else "",
        arguments=f"      else\n        {arguments}\n" if arguments else "",
        locals="  local kind='' ending=''\n  local -a endings=()\n" if kinds else "",
        kinds=f"  case $kind in\n{''.join(kinds)}  esac\n" if kinds else "")


def zsh_files(endings):
    return f'_files -g "*({plain(endings, "|")})(-.)"' if endings else "_files"


def zsh_action(help, option):
    return {
        "choice": f"({plain(option.choices())})",
        "passes": f"{function_name(help)}_passes",
        "pipeline": f"{function_name(help)}_pipeline",
        "file": zsh_files(option.endings),
        "program": "{_command_names -e; _files}",
    }.get(option.kind(), " ")


def zsh_specs(help, option):
    """Arguments of _arguments: one for each name, which excludes the others unless the option may be given again."""
    text = re.sub(r"([\[\]\\])", r"\\\1", option.text)
    names = spellings(help, option)
    has_value = option.kind() not in ("none", "arguments")
    value = ""
    if has_value:
        colons = "::" if option.is_value_optional else ":"
        label = re.sub(r"([:\\])", r"\\\1", option.value)
        value = f"{colons}{label}:{zsh_action(help, option)}"
    for name in names:
        form = "=-" if option.is_value_optional else "=" if has_value and len(name) > 2 else ""
        before = "*" if has_value else f"({' '.join(names)})" if len(names) > 1 else ""
        yield quoted(f"{before}{name}{form}[{text}]{value}")


def zsh(help):
    lines = [f"#compdef {help.tool}", HEAD.format(tool=help.tool, shell="zsh")]
    for kind, passes in pass_lists(help).items():
        lines += [f"{function_name(help)}_{kind}() {{", "  local -a passes", "  passes=("]
        lines += [f"    {quoted(name + ':' + text)}" for name, text in passes]
        lines += ["  )", "  compset -P '*,' # passes that the word has already", "  _describe -t passes pass passes -qS ,", "}", ""]
    lines.append("_arguments \\")
    specs = [spec for option in help.options() for spec in zsh_specs(help, option)]
    if help.takes_arguments:
        specs.append(quoted(f"*:input:{zsh_files(help.argument_endings)}"))
    return "\n".join(lines) + "\n" + " \\\n".join(f"  {spec}" for spec in specs) + "\n"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_files(help, endings):
    """What `complete` is told of files."""
    command = f"_{function_name(help)}_files {plain(endings)}".rstrip()
    return f"-k -a '({command})'"


def fish_value(help, option):
    """What `complete` is told of an option's value."""
    require = "" if option.is_value_optional else " -x"
    return {
        "choice": f"{require} -a {fish_quoted(plain(option.choices()))}",
        "passes": f"{require} -a '(_{function_name(help)}_passes)'",
        "pipeline": f"{require} -a '(_{function_name(help)}_pipeline)'",
        "file": f"{require} {fish_files(help, option.endings)}",
        "program": " -r",
        "text": require,
    }.get(option.kind(), "")


def fish_name(name):
    if name.startswith("--"):
        return f"-l {name[2:]}"
    return f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"


def fish(help):
    function = "_" + function_name(help)
    text = HEAD.format(tool=help.tool, shell="fish") + FISH_FILES.format(function=function)
    for kind, passes in pass_lists(help).items():
        items = " ".join(f"{name}\\t{fish_quoted(text)}" for name, text in passes)
        text += FISH_PASSES.format(function=function, kind=kind, items=items)
    lines = [f"complete -c {help.tool} -f"]
    if help.takes_arguments:
        lines.append(f"complete -c {help.tool} {fish_files(help, help.argument_endings)}")
    for option in help.options():
        names = option.names if option.names[0].startswith("-O") else [" ".join(fish_name(name) for name in spellings(help, option))]
        for name in names:
            name = fish_name(name) if name.startswith("-O") else name
            lines.append(f"complete -c {help.tool} {name}{fish_value(help, option)} -d {fish_quoted(option.text)}")
    return text + "\n" + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir", metavar="BIN_DIR", help="folder with the five tools")
    parser.add_argument("out_dir", metavar="OUT_DIR", type=pathlib.Path, help="folder that the completions are written to")
    options = parser.parse_args()
    tool_help.require_tools(parser, options.bin_dir)
    writers = {"bash/{}": bash, "zsh/_{}": zsh, "fish/{}.fish": fish}
    tool_help.write_all({options.out_dir / name.format(help.tool): write(help)
                         for help in tool_help.read_all(options.bin_dir) for name, write in writers.items()})


if __name__ == "__main__":
    tool_help.run_main(main)
