/**
 * The builtin commands of bash 5.2 (`compgen -b`), which a shell carries out itself. Compared with the bash at hand
 * by a test; `enable -n` can turn one off, so a use of it counts as an unknown program.
 */
export const BUILTINS: ReadonlySet<string> = new Set(
  (". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo " +
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd " +
    "printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type " +
    "typeset ulimit umask unalias unset wait").split(" "),
);

/**
 * The builtins that every other Bourne shell shares with bash: IEEE Std 1003.1-2017, 2.14 and 2.9.1, plus the few that dash has
 * too. A name beyond them is a program under `sh -c`.
 */
export const POSIX_BUILTINS: ReadonlySet<string> = new Set(
  (". : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill local " +
    "printf pwd read readonly return set shift test times trap true type ulimit umask unalias unset wait")
    .split(" "),
);

/** The reserved words of bash 5.2 (`compgen -k`). */
export const KEYWORDS: ReadonlySet<string> = new Set(
  ("if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc")
    .split(" "),
);
