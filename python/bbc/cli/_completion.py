"""``bbc completion``: what the parser knows, as a script for the shell."""

import argparse
from collections.abc import Iterable, Iterator

SHELLS = ("bash", "zsh", "fish")

_BASH = """\
_bbc() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{commands}' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}} $before" in
{values}
  esac
  case "${{COMP_WORDS[1]}}" in
{options}
  esac
}}
complete -o default -F _bbc bbc
"""


def run_completion(arguments: argparse.Namespace) -> None:
    """Print the script."""
    commands = dict(_commands(arguments.parser))
    if arguments.shell == "fish":
        print("\n".join(_fish(commands)))
        return
    if arguments.shell == "zsh":
        print("autoload -U +X bashcompinit && bashcompinit")
    print(_bash(commands), end="")


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _words(action: argparse.Action) -> tuple[str, ...]:
    """What may stand after an option, if that is known."""
    words = getattr(action, "completions", ()) if action.choices is None else action.choices
    return tuple(str(word) for word in words)


def _bash(commands: dict[str, argparse.ArgumentParser]) -> str:
    values, options = [], []
    for name, parser in commands.items():
        own: list[str] = []
        for action in parser._actions:
            own += action.option_strings or _words(action)
            if action.option_strings and _words(action):
                pattern = "|".join(f"'{name} {option}'" for option in action.option_strings)
                values.append(_case(pattern, _words(action)))
        options.append(_case(name, own))
    return _BASH.format(
        commands=" ".join(commands), values="\n".join(values), options="\n".join(options)
    )


def _case(pattern: str, words: Iterable[str]) -> str:
    joined = " ".join(words)
    return f"    {pattern}) COMPREPLY=($(compgen -W '{joined}' -- \"$word\")); return ;;"


def _fish(commands: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    for name, parser in commands.items():
        yield f"complete -c bbc -n __fish_use_subcommand -a {name} -f"
        inside = f"complete -c bbc -n '__fish_seen_subcommand_from {name}'"
        for action in parser._actions:
            words = " ".join(_words(action))
            for option in action.option_strings:
                kind = f"-s {option[1:]}" if len(option) == 2 else f"-l {option[2:]}"
                yield f"{inside} {kind}" + (f" -x -a '{words}'" if words else "")
            if not action.option_strings and words:
                yield f"{inside} -f -a '{words}'"
