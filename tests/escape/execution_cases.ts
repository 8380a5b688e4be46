/** Ways to start a program that `run` does not list. The text of these is in a script, where no parse tree sees it. */
import type { Case } from "./attempt.ts";

/** What a policy lists for these cases; `id` is not among them. The parse tree takes a shell's file for the program. */
export const LISTED = [
  ...["bash", "sh", "timeout", "mkdir", "cp", "ln", "mv", "chmod", "cat", "find", "xargs", "env"],
  ...["git", "make", "perl", "/usr/bin/python3", "$WORKSPACE/jailed.sh", "$WORKSPACE/loaded.sh"],
];

/** Bash says so of what it may not execute. */
const REFUSED = [126];
const PYTHON = "/usr/bin/python3 -c";
/** The interpreter's own copy, whatever its name. */
const COPY = "cp /usr/bin/id";

function python(code: string): string {
  return `${PYTHON} 'import os, subprocess, sys; ${code}'`;
}

/** Refused by Landlock's EXECUTE. */
export const EXECUTION_CASES: readonly Case[] = [
  { in: "a program by its name", try: "id", want: REFUSED },
  { in: "a program by its path", try: "/usr/bin/id", want: REFUSED },
  { in: "a path with dots and slashes", try: "//usr/./bin/../bin//id", want: REFUSED },
  { in: "a path by /proc/self/root", try: "/proc/self/root/usr/bin/id", want: REFUSED },
  { in: "a path by /proc/self/cwd", try: "cd /usr/bin && /proc/self/cwd/id", want: REFUSED },
  { in: "exec", try: "exec /usr/bin/id", want: REFUSED },
  { in: "command", try: "command id", want: REFUSED },
  { in: "a name that is put together", try: "a=i; b=d; $a$b", want: REFUSED },
  { in: "a link", try: "ln -s /usr/bin/id l && ./l", want: REFUSED },
  { in: "a link of a listed name", try: "ln -s /usr/bin/id git && PATH=$PWD git", want: REFUSED },
  { in: "a copy", try: `${COPY} x && ./x`, want: REFUSED },
  { in: "a copy of a listed name", try: `${COPY} git && PATH=$PWD git`, want: REFUSED },
  { in: "a copy of a listed program", try: "cp /usr/bin/git x && ./x version", want: REFUSED },
  { in: "a copy in the temporary directory", try: `${COPY} $TMPDIR/x && $TMPDIR/x`, want: REFUSED },
  {
    in: "a copy that is moved",
    try: `mkdir d && ${COPY} d/x && mv d e && e/x`,
    want: REFUSED,
  },
  {
    in: "a script of a listed interpreter",
    try: "printf '#!/bin/sh\\nexit 0\\n' >s && chmod +x s && ./s",
    want: REFUSED,
  },
  {
    in: "a script of another interpreter",
    try: "printf '#!/usr/bin/tail\\n' >s && chmod +x s && ./s",
    want: REFUSED,
  },
  {
    in: "a script in place of a listed one",
    try: "printf '#!/bin/sh\\nexit 0\\n' >env && chmod +x env && PATH=$PWD env",
    want: REFUSED,
  },
  { in: "find -exec", try: "find . -maxdepth 0 -exec id ';' -quit | { read -r line; }" },
  { in: "xargs", try: "echo | xargs id", want: REFUSED },
  { in: "env", try: "env id", want: REFUSED },
  { in: "timeout", try: "timeout 9 id", want: REFUSED },
  { in: "a shell of a shell", try: "sh -c 'sh -c id'", want: REFUSED },
  { in: "eval", try: "eval id", want: REFUSED },
  { in: "a trap", try: "trap 'id; exit $?' EXIT; exit 1", want: REFUSED },
  { in: "process substitution", try: "read -r line < <(id)" },
  { in: "command substitution", try: "x=$(id)", want: REFUSED },
  { in: "a coprocess", try: "coproc id; wait $COPROC_PID", want: REFUSED },
  { in: "git's alias", try: "git -c alias.x='!id' x" },
  {
    in: "git's external diff",
    try: "echo >a; echo b >b; git -c diff.external=true diff --no-index a b",
    want: [128],
    // The files differ.
    bare: [0, 1],
  },
  { in: "make", try: "printf 'all:\\n\\tid\\n' >Makefile && make", want: [2] },
  { in: "perl's exec", try: 'perl -e \'exec {"/usr/bin/id"} "id" or exit 1\'', want: [1] },
  { in: "perl's system", try: "perl -e 'exit(system(\"/usr/bin/id\") == 0 ? 0 : 1)'", want: [1] },
  { in: "execv", try: python('os.execv("/usr/bin/id", ["id"])'), want: [1] },
  {
    in: "posix_spawn",
    try: python('sys.exit(os.waitpid(os.posix_spawn("/usr/bin/id", ["id"], {}), 0)[1])'),
    want: [1],
  },
  { in: "a child of a program", try: python('subprocess.run(["id"], check=True)'), want: [1] },
  {
    in: "an open file",
    try: python('os.execve(os.open("/usr/bin/id", os.O_RDONLY), ["id"], {})'),
    want: [1],
  },
  {
    in: "a place without reading",
    try: python('os.execve(os.open("/usr/bin/id", os.O_PATH), ["id"], {})'),
    want: [1],
  },
  {
    in: "an open file by /proc/self/fd",
    try: python('f = os.open("/usr/bin/id", os.O_RDONLY); os.execv(f"/proc/self/fd/{f}", ["id"])'),
    want: [1],
  },
  {
    in: "an open copy whose name is gone",
    try: `${COPY} x && ` +
      python('f = os.open("x", os.O_RDONLY); os.unlink("x"); os.execve(f, ["id"], {})'),
    want: [1],
  },
  {
    in: "the program of another process",
    try: "cp /usr/bin/python3 x && ./x -c pass",
    want: REFUSED,
  },
];

/** What is refused before anything runs, because the text says it. Each prints who one is. */
export const TEXTS: readonly string[] = [
  "id",
  "/usr/bin/id",
  "//usr/./bin/../bin//id",
  "command id",
  "a=i; b=d; $a$b",
  "echo | xargs id",
  "env id",
  "timeout 9 id",
  "sh -c 'sh -c id'",
  "eval id",
  "echo $(id)",
  "cat < <(id)",
  "find . -maxdepth 0 -exec id ';'",
  "f () { id; }; f",
  "(exec id)",
  "trap id EXIT; exit",
];

/** What passes in spite of the list, because what is loaded or interpreted is only read. SECURITY.md says so. */
export const LOADED_CASES: readonly Pick<Case, "in" | "try">[] = [
  {
    in: "a program by its loader",
    try: "/lib64/ld-linux-*.so.* /usr/bin/id || /lib/ld-linux-*.so.* /usr/bin/id",
  },
  { in: "a script by a listed shell", try: "printf 'exit 0\\n' >s && sh ./s" },
  { in: "code by a listed interpreter", try: python("sys.exit(0)") },
  {
    in: "a program in memory",
    try: python(
      'f = os.memfd_create("x", 0); os.write(f, open("/usr/bin/id", "rb").read()); os.execve(f, ["id"], {})',
    ),
  },
  { in: "itself by /proc/self/exe", try: "/proc/self/exe -c 'exit 0'" },
  { in: "a listed program", try: "git version && env git version" },
  { in: "what lies in an exec directory", try: `${COPY} $WORK/built/x && $WORK/built/x` },
  {
    in: "a script in an exec directory",
    try: "printf '#!/bin/sh\\nexit 0\\n' >$WORK/built/s && chmod +x $WORK/built/s && $WORK/built/s",
  },
];
