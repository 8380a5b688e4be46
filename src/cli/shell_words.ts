/**
 * The words of a shell's command line, as bash 5.2 reads them (`parse_long_options` and `parse_shell_options` in its
 * shell.c): letters may be clustered, `-c` is a switch, `o` and `O` take words of their own, and the first word that is no
 * option ends them. Flags of Debrief's own may stand between.
 */
import { UsageError } from "../errors.ts";
import { unknownFlag } from "./unknown_word.ts";

/** A flag of Debrief's own, as far as its words matter. */
export interface OwnFlag {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
}

/** What the words are. */
export interface ShellWords {
  /** Flags of Debrief's own; values are joined by `=`. */
  readonly own: readonly string[];
  /** The letters `c`, `i`, `l` and `s`, where they were given. */
  readonly letters: ReadonlySet<string>;
  /** Options for the shell in the jail, long ones first, as bash demands. */
  readonly options: readonly string[];
  /** What stands behind the options. */
  readonly rest: readonly string[];
  /** True when `--` ended the options. */
  readonly dashes: boolean;
}

/** How words are read. */
export interface ShellWordsOptions {
  readonly flags: readonly OwnFlag[];
  /** True under the name of a shell: `-h` and the like are then the shell's, not Debrief's. */
  readonly poses: boolean;
}

/** Long options that name what happens anyway, or a start-up file: none is read, so that nothing unseen runs first. */
const NO_EFFECT = new Set(["login", "noprofile", "norc", "noediting"]);
const WITH_FILE = new Set(["rcfile", "init-file"]);
/** Long options that the shell in the jail gets. */
const PASSED = new Set(["posix", "restricted", "verbose"]);
/** Letters that it gets; those of set(1), and `r`, `t`. */
const PASSED_LETTERS = /^[aefhmnprtuvxbBCEPT]$/;
/** Letters that choose what is run, or name start-up files that are not read. */
const OWN_LETTERS = /^[cils]$/;
/**
 * What changes how text is read from what the check sees: `!` would be replaced by earlier lines, and `a=b` behind a
 * program would be a variable.
 */
const REFUSED = new Set(["history", "histexpand", "keyword"]);
const REFUSED_LETTERS: Readonly<Record<string, string>> = {
  H: "histexpand",
  k: "keyword",
  D: "dump-strings",
};

class Reader {
  readonly own: string[] = [];
  readonly letters = new Set<string>();
  readonly #long: string[] = [];
  readonly #short: string[] = [];
  readonly #words: readonly string[];
  readonly #options: ShellWordsOptions;
  #at = 0;
  #dashes = false;

  constructor(words: readonly string[], options: ShellWordsOptions) {
    this.#words = words;
    this.#options = options;
  }

  read(): ShellWords {
    while (this.#at < this.#words.length) {
      const word = this.#words[this.#at]!;
      if (!/^[-+]./.test(word) && word !== "-") break;
      this.#at++;
      if (word === "--" || word === "-") {
        this.#dashes = word === "--";
        break;
      }
      this.#option(word);
    }
    return {
      own: this.own,
      letters: this.letters,
      options: [...this.#long, ...this.#short],
      rest: this.#words.slice(this.#at),
      dashes: this.#dashes,
    };
  }

  #option(word: string): void {
    const [name = ""] = word.replace(/^--?/, "").split("=", 1);
    const flag = this.#flagOf(word, name);
    if (flag !== undefined) return this.#ownFlag(word, flag);
    // Bash takes its long options behind a single dash too.
    const isLong = word.startsWith("--") || (word.startsWith("-") && isLongName(name));
    if (isLong && !word.includes("=")) return this.#longOption(word, name);
    if (isLong) throw unknownFlag(word, "run");
    this.#cluster(word);
  }

  #flagOf(word: string, name: string): OwnFlag | undefined {
    const { flags, poses } = this.#options;
    if (word.startsWith("--")) return flags.find((flag) => flag.name === name && name.length > 1);
    return poses || word.startsWith("+")
      ? undefined
      : flags.find(({ short }) => word === `-${short}`);
  }

  #ownFlag(word: string, { value }: OwnFlag): void {
    const next = this.#words[this.#at];
    const isSeparate = value !== undefined && !word.includes("=");
    if (!isSeparate || next === undefined || next.startsWith("-")) return void this.own.push(word);
    this.#at++;
    this.own.push(`${word}=${next}`);
  }

  #longOption(word: string, name: string): void {
    if (NO_EFFECT.has(name)) return;
    if (WITH_FILE.has(name)) {
      if (this.#words[this.#at] === undefined) {
        throw new UsageError(`Cannot use ${word}: no file is named`);
      }
      this.#at++;
    } else if (PASSED.has(name)) this.#long.push(`--${name}`);
    else throw unknownFlag(word, "run");
  }

  #cluster(word: string): void {
    const sign = word[0]!;
    for (const letter of word.slice(1)) {
      if (letter === "o" || letter === "O") this.#named(word, sign + letter);
      else if (PASSED_LETTERS.test(letter)) this.#short.push(sign + letter);
      else if (OWN_LETTERS.test(letter) && sign === "-") this.letters.add(letter);
      else if (letter in REFUSED_LETTERS) {
        throw refused(`${sign}${letter}`, REFUSED_LETTERS[letter]!);
      } else throw unknownFlag(word, "run");
    }
  }

  /** `-o NAME`, `+O NAME`. */
  #named(word: string, option: string): void {
    const name = this.#words[this.#at++];
    if (name === undefined || name === "") {
      throw new UsageError(`Cannot use ${word}: ${option} needs the name of an option behind it`);
    }
    if (option === "-o" && REFUSED.has(name)) throw refused(`-o ${name}`, name);
    this.#short.push(option, name);
  }
}

function isLongName(name: string): boolean {
  return NO_EFFECT.has(name) || WITH_FILE.has(name) || PASSED.has(name);
}

function refused(option: string, name: string): UsageError {
  return new UsageError(
    `Cannot use ${option}: under "${name}" the shell would not run the text that was checked`,
  );
}

/**
 * Take the words of a command line apart.
 *
 * @throws {UsageError} for an option that bash does not have, or that cannot be had here.
 */
export function readShellWords(words: readonly string[], options: ShellWordsOptions): ShellWords {
  return new Reader(words, options).read();
}
