/** Characters that bash takes literally anywhere in a word, whatever its options and locale. */
const SAFE = /^[A-Za-z0-9_./:@%+,-]+$/;

/**
 * Quotes one word so that bash reads exactly it back. A word without anything special is left alone; all others get
 * single quotes, the only quoting in which bash gives no character a meaning.
 *
 * @throws {TypeError} for a NUL or an unpaired surrogate, which no argument can hold.
 */
export function quoteWord(word: string): string {
  if (word.includes("\0") || !word.isWellFormed()) {
    throw new TypeError(
      `Cannot quote a word: it holds ${word.includes("\0") ? "a NUL" : "an unpaired surrogate"}`,
    );
  }
  if (SAFE.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Quotes an argument vector into one command. The name is quoted as well where bash would take it for a reserved
 * word, an assignment or a job.
 *
 * @throws {TypeError} as {@linkcode quoteWord}.
 */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map((word, at) => at === 0 ? quoteName(word) : quoteWord(word)).join(" ");
}

// A quoted word is never a reserved word or an alias; bash tests `%` for a job after quotes are gone, so nothing
// helps against that, and the builtins stay builtins.
const RESERVED =
  /^(?:if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc)$/;

function quoteName(word: string): string {
  return RESERVED.test(word) ? `'${word}'` : quoteWord(word);
}
