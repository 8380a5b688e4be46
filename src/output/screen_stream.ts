/**
 * Resolves what one stream does to lines above the current one: displays of several lines that redraw themselves become
 * their last state. Output that never moves up or down passes untouched and undelayed; what does is held back as far as
 * it can still change. Single lines stay as they are: `renderLine` makes their last state when they are shown.
 *
 * The result is a function of the bytes alone, never of where a chunk ended. Lines that were passed on before the first
 * movement cannot be taken back; what is drawn over them comes after them. To hold them for a time would make the result
 * depend on the clock, and to hold the last rows of all output would keep the latest lines of every command that waits
 * or hangs, which a reader needs most, for the sake of one state of a display. Rows are never wrapped: the command
 * writes to a pipe, which has no width, and programs that redraw cut their rows to what they take for one.
 */
import { applyEscape } from "./apply_escape.ts";
import { type EscapeSequence, isVertical, readEscape } from "./escape_sequence.ts";
import { KeywordAutomaton } from "./keyword_automaton.ts";
import { ERROR_WORDS, REFUSAL_WORDS } from "./notable.ts";
import { joined, type MarkedBytes, part, together } from "./marked_bytes.ts";
import type { Mark } from "./redact_stream.ts";
import { ScreenWindow, WINDOW_ROWS } from "./screen_window.ts";

const EMPTY = new Uint8Array(0);
const [BELL, BACKSPACE, LINE_FEED, CARRIAGE_RETURN, ESCAPE] = [0x07, 0x08, 0x0a, 0x0d, 0x1b];
/** Bytes behind ESC that begin a string (`]PX^_`): its text is no text of the screen. */
const STRING_STARTS: ReadonlySet<number> = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);

/** What is known of bytes. */
export interface PushOptions {
  /** Notable words in them. */
  readonly marks: readonly Mark[];
  /** True when they hold no escape character; false when that must be looked for. */
  readonly escapeFree?: boolean;
}

/** One stream on its way to the screen. */
export class ScreenStream {
  /** Newlines taken, less those passed on. */
  newlinesHeld = 0;
  #window: ScreenWindow | null = null;
  #carry: Uint8Array = EMPTY;
  /** True inside of an operating system command or another string. */
  #inString = false;
  /** Newlines since the last movement: the window is plain text when they fill it. */
  #plainRows = 0;
  #openLine = false;
  #notable: KeywordAutomaton | null = null;

  /** Takes the next bytes and returns those that are final; a part of `bytes` itself where nothing had to be changed. */
  push(bytes: Uint8Array, options: PushOptions): MarkedBytes {
    const { marks, escapeFree = false } = options;
    const isIdle = this.#window === null && this.#carry.length === 0;
    if (isIdle && (escapeFree || !bytes.includes(ESCAPE))) {
      if (bytes.length > 0) this.#openLine = bytes.at(-1) !== LINE_FEED;
      return { bytes, marks };
    }
    return this.#take(bytes, { marks, final: false });
  }

  /** Returns the rest. The stream must not be used afterwards. */
  finish(): MarkedBytes {
    return this.#take(EMPTY, { marks: [], final: true });
  }

  #take(chunk: Uint8Array, options: { marks: readonly Mark[]; final: boolean }): MarkedBytes {
    const carried = this.#carry.length;
    const bytes = carried === 0 ? chunk : joined([this.#carry, chunk]);
    const marks = carried === 0
      ? options.marks
      : options.marks.map(({ at, kind }) => ({ at: at + carried, kind }));
    this.#carry = EMPTY;
    const out: MarkedBytes[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = this.#window === null
        ? this.#plainEnd(bytes, { from: at, final: options.final })
        : this.#draw(bytes, { from: at, final: options.final });
      if (this.#window === null && end > at) {
        this.#openLine = bytes[end - 1] !== LINE_FEED;
        out.push(part(bytes, marks, { from: at, to: end }));
      }
      if (end === at && this.#carry.length === 0) this.#open(out);
      if (this.#carry.length > 0) break;
      at = end;
      if (this.#window !== null && this.#plainRows >= WINDOW_ROWS) out.push(this.#close());
    }
    if (this.#window !== null) {
      out.push(options.final ? this.#close() : this.#settled(this.#window.takeFinal()));
    }
    return out.length === 1 ? out[0] as MarkedBytes : together(out);
  }

  /** Where text ends that moves neither up nor down; what is incomplete behind it is carried over. */
  #plainEnd(bytes: Uint8Array, options: { from: number; final: boolean }): number {
    let at = bytes.indexOf(ESCAPE, options.from);
    while (at >= 0) {
      const sequence = readEscape(bytes, at);
      if (sequence === null) {
        if (options.final) break;
        this.#carry = bytes.slice(at);
        return at;
      }
      if (isVertical(sequence)) return at;
      at = bytes.indexOf(ESCAPE, at + sequence.length);
    }
    return bytes.length;
  }

  /** Begins to hold rows back. A line that has begun was passed on: it ends here. */
  #open(out: MarkedBytes[]): void {
    if (this.#openLine) {
      out.push({ bytes: Uint8Array.of(LINE_FEED), marks: [] });
      this.newlinesHeld--;
      this.#openLine = false;
    }
    this.#window = new ScreenWindow();
    this.#plainRows = 0;
  }

  #close(): MarkedBytes {
    const text = this.#window?.takeAll() ?? "";
    this.#window = null;
    this.#inString = false;
    if (text !== "") this.#openLine = !text.endsWith("\n");
    return this.#settled(text);
  }

  /** Draws up to the end of the bytes, an incomplete sequence, or where it turns out that this is plain text again. */
  #draw(bytes: Uint8Array, options: { from: number; final: boolean }): number {
    const window = this.#window as ScreenWindow;
    let at = options.from;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (byte === LINE_FEED) {
        window.newline();
        this.newlinesHeld++;
        this.#inString = false;
        at++;
        if (++this.#plainRows >= WINDOW_ROWS) return at;
      } else if (byte === ESCAPE) {
        const sequence = readEscape(bytes, at);
        if (sequence === null && !options.final) break;
        this.#inString = false;
        if (sequence !== null) this.#apply(window, sequence);
        at += sequence?.length ?? bytes.length - at;
      } else if (this.#inString) {
        if (byte === BELL) this.#inString = false;
        at++;
      } else if (byte === CARRIAGE_RETURN) {
        window.toColumn(0);
        at++;
      } else if (byte === BACKSPACE) {
        window.moveColumns(-1);
        at++;
      } else {
        const length = characterLength(bytes, at);
        if (at + length > bytes.length && !options.final) break;
        window.put(
          length === 1 ? String.fromCharCode(byte) : latin1(bytes.subarray(at, at + length)),
        );
        at += length;
        if (window.isTooLong) {
          this.#plainRows = WINDOW_ROWS;
          return at;
        }
      }
    }
    this.#carry = at < bytes.length ? bytes.slice(at) : EMPTY;
    return at;
  }

  #apply(window: ScreenWindow, sequence: EscapeSequence): void {
    const { isControl, final } = sequence;
    if (isVertical(sequence)) this.#plainRows = 0;
    if (!isControl && STRING_STARTS.has(final)) this.#inString = true;
    else applyEscape(window, sequence);
  }

  /** Final rows as bytes, with the notable words that are left in them. */
  #settled(text: string): MarkedBytes {
    if (text === "") return { bytes: EMPTY, marks: [] };
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const words = [...REFUSAL_WORDS, ...ERROR_WORDS];
    this.#notable ??= new KeywordAutomaton(words.map((word) => ({ text: word, hold: false })));
    const automaton = this.#notable;
    const marks: Mark[] = [];
    automaton.scan(bytes, {
      from: 0,
      to: bytes.length,
      raw: false,
      end: { index: 0, state: 0 },
      sink: {
        hit: (at, state) => {
          const ids = automaton.outputs(state);
          const isRefusal = ids.some((id) => id < REFUSAL_WORDS.length);
          marks.push({ at, kind: isRefusal ? "refusal" : "error" });
        },
      },
    });
    this.newlinesHeld -= text.split("\n").length - 1;
    return { bytes, marks };
  }
}

/** Bytes of the character at a place, 1 for what is no UTF-8; it may reach beyond the bytes. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const length = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let i = at + 1; i < Math.min(at + length, bytes.length); i++) {
    if (((bytes[i] as number) & 0xc0) !== 0x80) return 1;
  }
  return length;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
