#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""idioms.py [--list] [PATH...]: counts phrases that a reader has to read twice. It reads the comments and documents
of the files and folders PATH, or of the whole tree. It prints one line: the number of such phrases in 1,000 words.
With --list, it first prints where each phrase occurs, and what to write instead. It exits with 1 if there is at least
one such phrase in 1,000 words."""
import os
import re
import subprocess
import sys

# A sentence begins at the start of a comment or paragraph and after a full stop.
BEGIN = r"(?:^|(?<=[.;:!?] ))"
NOT_A_QUESTION = r"(?=[^.?!]*(?:[.!]|$))"
IDIOMS = [
    (BEGIN + r"Of (?:an?|the|each|every|those|these|it|what|this|that|all|two|its|one|several|many|which|them)\b",
     "begin with the subject, not with 'Of ...'"),
    (BEGIN + r"What (?!if\b|about\b|does\b|do\b|happens\b)" + NOT_A_QUESTION, "begin with a noun, not with 'What ... is'"),
    (BEGIN + r"(?:Who|Whoever|Whom|Whose) " + NOT_A_QUESTION, "'callers that', 'the integrator', a noun"),
    (r"\b(?:is|are|was|were) of (?:an?|the|it|its|this|that|these|those|each|one|another|which|no|other|our|their)\b",
     "'belongs to', 'comes from'"),
    (r"\b(?:is|are|was|were|be|been|being) (?:said|told|had)\b", "'reports', 'prints', 'available'"),
    (r"\b(?:what|which|that|it) is to be (?:had|said|told)\b|\bto be had\b", "'available', 'reported'"),
    (r"\bso (?:many|much|often|few)\b(?! that)", "'this many', 'at most N'"),
    (r"\bnobody (?:knows|else)\b", "'unknown', 'no other code'"),
    (r"\b(?:that|this) one's\b|\bof that one\b|\bthe like\b|\bwhat is so\b", "name the thing"),
    (r"(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|matter\b)", "'is not a'"),
    (r"\bof (?:which|whom)\b", "'whose', or a sentence of its own"),
    (r"\b(?:goes|go|went) by\b", "'uses', 'is chosen by'"),
    (r"\bbehind (?:it|them|that|this|the|a|each|which|those|its)\b", "'after', where something follows in memory or a file"),
    (r"\bbut (?:with|by|in|at|from|of|through|where|what|for|on|to) ", "'except', 'only'"),
    (r"\b(?:is|are) (?:all )?that (?:there )?(?:is|are)\b|\ball that (?:is|are|was|were)\b", "name the things"),
]
COMPILED = [(re.compile(pattern, re.I if "Of (" not in pattern and "What" not in pattern and "Who" not in pattern else 0), advice)
            for pattern, advice in IDIOMS]


def paragraphs_of_comment(text):
    """Returns the paragraphs of a comment, without its decoration. An empty line or a list item begins a new
    paragraph."""
    lines = [re.sub(r"^\s*(?:\*(?!/)|//+!?|#+|;|/\*+!?)?\s?", "", line.replace("*/", "")).rstrip() for line in text.split("\n")]
    return split_lines(lines)


def split_lines(lines):
    part = []
    for line in lines + [""]:
        stripped = line.strip()
        if part and (not stripped or re.match(r"[-*|] |\d+\. |@\w+\b", stripped)):
            yield " ".join(part)
            part = []
        if stripped:
            part.append(stripped)


def paragraphs_of_document(text):
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m.group().count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"`[^`\n]*`", "`x`", text)
    lines = []
    for line in text.split("\n"):
        if line.startswith("|"):
            lines += [""] + [cell.strip() for cell in line.split("|")] + [""]
        elif line.startswith(("#", ".TH", ".SH", ".SS")):
            lines += ["", line.lstrip("#. "), ""]
        else:
            lines.append(re.sub(r"^\.(?:TP|PP|BR?|I|IP|RB|BI|RI|nf|fi|RS|RE)\b", "", line))
    return split_lines(lines)


def comments(path, text):
    """Yields a pair for each comment: the line at which it starts, and its text."""
    if path.endswith((".c", ".h", ".cc", ".S", ".rs", ".lds", ".ld", ".in")):
        pattern = r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|(?:^[ \t]*//[^\n]*\n?)+|//[^\n]*'
    elif path.endswith(".py"):
        pattern = r'""".*?"""|(?:^[ \t]*#[^\n]*\n?)+'
    else:
        pattern = r"(?:^[ \t]*#(?!!)[^\n]*\n?)+"
    for match in re.finditer(pattern, text, re.S | re.M):
        if match.group()[0] != '"' or match.group().startswith('"""'):
            yield text.count("\n", 0, match.start()) + 1, match.group().replace('"""', "")


def texts(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (UnicodeDecodeError, OSError):
        return
    if path.endswith((".md", ".1.in")):
        # A document is one text, so its paragraphs have no line number. To find a phrase in the document, search for
        # it.
        for paragraph in paragraphs_of_document(text):
            yield path, paragraph
        return
    text = re.sub(r"^(\W*)SPDX-License-Identifier:.*", r"\1", text, count=1, flags=re.M)
    for line, comment in comments(path, text):
        for paragraph in paragraphs_of_comment(comment):
            if not paragraph.startswith("!/"):
                yield f"{path}:{line}", paragraph


def main():
    arguments = sys.argv[1:]
    wanted = "--list" in arguments
    paths = [a for a in arguments if a != "--list"]
    files = [path for path in paths if os.path.isfile(path)]
    folders = [path for path in paths if path not in files]
    if folders or not paths:
        listed = subprocess.run(["git", "ls-files", "-z", "--"] + folders, capture_output=True, check=True, text=True)
        files += listed.stdout.split("\0")
    words = found = 0
    for path in files:
        if not path or path.startswith("tests/vectors/") or path.endswith((".json", ".yml", ".txt", ".tsv", ".dict", "LICENSE")):
            continue
        if path == "tests/idioms.py" or path.startswith("tests/host/samples/"):
            continue
        for place, paragraph in texts(path):
            words += len(paragraph.split())
            for pattern, advice in COMPILED:
                for match in pattern.finditer(paragraph):
                    found += 1
                    if wanted:
                        around = paragraph[max(0, match.start() - 40):match.end() + 40]
                        print(f"{place}: ...{around}...\n    instead: {advice}")
    rate = 1000 * found / max(words, 1)
    print(f"{found} in {words} words of comments and documents: {rate:.2f} in 1,000")
    return rate >= 1


sys.exit(main())
