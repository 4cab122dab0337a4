"""What stands in the README, for topics that run it."""

import sys

from checks import REPOSITORY


def blocks():
    """(heading, language, text) of each code block, in order; the heading is the nearest one above."""
    heading, language, lines, found = "", None, [], []
    with open(f"{REPOSITORY}/README.md") as readme:
        for line in readme:
            if language is not None:
                if line.startswith("```"):
                    found.append((heading, language, "".join(lines)))
                    language = None
                else:
                    lines.append(line)
            elif line.startswith("```"):
                language, lines = line[3:].strip(), []
            elif line.startswith("#"):
                heading = line.lstrip("#").strip()
    return found


if __name__ == "__main__":
    # readme.py HEADING [LANGUAGE]: prints the blocks under a heading; without one, all headings.
    if len(sys.argv) == 1:
        print("\n".join(f"{language} {heading}" for heading, language, _ in blocks()))
    for heading, language, text in blocks():
        if [heading, language] == [*sys.argv[1:], "sh"][:2]:
            print(text, end="")
