/** The output stage of one command: bytes are redacted first, then spooled, counted, truncated and shown. */
import { createHash, type Hash } from "node:crypto";
import type { OutputBudget } from "../policy/policy.ts";
import { PROBE_BYTES, typeOfBytes } from "./binary.ts";
import { EMPTY } from "./emitter.ts";
import type { Redactor, RedactStream } from "./redact.ts";
import type { MarkedBytes } from "./marked_bytes.ts";
import { ScreenStream } from "./screen_stream.ts";
import type { Spool } from "./spool.ts";
import type { OutputSummary, Shown, StreamName, StreamSummary } from "./summary.ts";
import { Truncator } from "./truncate.ts";

/** Characters of the budget that belong to the feedback block. */
const BLOCK_CHARS = 600;
/** Tokens of it: a full block without suggestions has up to 150. */
const BLOCK_TOKENS = 200;

const LINE_FEED = 0x0a;

/** How the output of one command is handled. */
export interface PipelineOptions {
  readonly redactor: Redactor;
  readonly budget: OutputBudget;
  readonly spool: Spool | null;
  /** Called with redacted text, in order, while the command runs and from `finish`. */
  readonly show: (shown: Shown) => void;
  /** Shows everything as it comes: redacted, but neither truncated nor rendered. */
  readonly passThrough?: boolean;
  /** With `passThrough`: take a stream's redacted bytes instead of `show`, so that binary output arrives unchanged. */
  readonly passBytes?: Partial<Readonly<Record<StreamName, (bytes: Uint8Array) => void>>>;
  /** Keeps escape sequences in shown text, for a terminal. */
  readonly ansi?: boolean;
}

/** State of one stream of the command. */
interface Channel {
  readonly name: StreamName;
  readonly redact: RedactStream;
  readonly screen: ScreenStream;
  readonly decoder: TextDecoder;
  bytes: number;
  /** True while the last line has no newline yet. */
  openLine: boolean;
  /** The first bytes, as long as it is not known whether the stream is binary. */
  first: Uint8Array;
  hash: Hash | null;
  type: string;
}

/** Takes the bytes of both streams of one command and summarises them at its end. */
export class OutputPipeline {
  readonly #options: PipelineOptions;
  readonly #truncator: Truncator;
  readonly #channels: Readonly<Record<StreamName, Channel>>;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { budget, ansi = false } = options;
    this.#truncator = new Truncator({
      maxChars: budget.maxChars - BLOCK_CHARS,
      maxLines: budget.maxLines,
      maxTokens: budget.maxTokens - BLOCK_TOKENS,
      screen: { ansi, redact: (text) => options.redactor.redactText(text) },
      show: options.passThrough ? () => {} : options.show,
    });
    const channel = (name: StreamName): Channel => ({
      name,
      redact: options.redactor.stream(),
      screen: new ScreenStream(),
      decoder: new TextDecoder("utf-8", { ignoreBOM: true }),
      bytes: 0,
      openLine: false,
      first: EMPTY,
      hash: null,
      type: "",
    });
    this.#channels = { stdout: channel("stdout"), stderr: channel("stderr") };
  }

  /** Takes the next bytes of a stream. The memory of `chunk` may be used again afterwards. */
  write(stream: StreamName, chunk: Uint8Array): void {
    const channel = this.#channels[stream];
    channel.bytes += chunk.length;
    channel.redact.notable = this.#truncator.notable.wanted;
    this.#take(channel, channel.redact.push(chunk));
  }

  #take(channel: Channel, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const { spool, show, passThrough, passBytes, ansi } = this.#options;
    spool?.write(channel.name, bytes, { newlines: this.#newlines(channel) });
    channel.openLine = bytes.at(-1) !== LINE_FEED;
    const pass = passBytes?.[channel.name];
    if (passThrough && pass) pass(bytes);
    else if (passThrough) {
      show({ stream: channel.name, text: channel.decoder.decode(bytes, { stream: true }) });
    }
    const { marks, escapeFree } = channel.redact;
    this.#draw(
      channel,
      ansi ? { bytes, marks } : channel.screen.push(bytes, { marks, escapeFree }),
    );
    this.#hash(channel, bytes);
  }

  #draw(channel: Channel, { bytes, marks }: MarkedBytes): void {
    if (bytes.length > 0) this.#truncator.push(channel.name, bytes, marks);
  }

  /** Newlines that were taken, whatever the screen made of them. */
  #newlines({ name, screen }: Channel): number {
    return this.#truncator.buffer(name).newlines + screen.newlinesHeld;
  }

  /** Hashes a stream from the moment on at which it is known to be binary. */
  #hash(channel: Channel, bytes: Uint8Array): void {
    if (channel.hash !== null) {
      channel.hash.update(bytes);
      return;
    }
    if (this.#truncator.isBinary(channel.name)) {
      channel.hash = createHash("sha256").update(channel.first).update(bytes);
      channel.type = typeOfBytes(channel.first.length > 0 ? join(channel.first, bytes) : bytes);
    } else if (channel.first.length < PROBE_BYTES) {
      channel.first = join(channel.first, bytes);
    }
  }

  /** Shows what was held back, closes the spool and returns the facts. Call it once, when both streams have ended. */
  finish(options: { failed: boolean }): OutputSummary {
    const channels = Object.values(this.#channels);
    for (const channel of channels) {
      this.#take(channel, channel.redact.finish());
      this.#draw(channel, channel.screen.finish());
      const rest = channel.decoder.decode();
      const { passThrough, passBytes, show } = this.#options;
      if (passThrough && !passBytes?.[channel.name] && rest !== "") {
        show({ stream: channel.name, text: rest });
      }
    }
    this.#truncator.close();
    for (const channel of channels) this.#hash(channel, EMPTY);
    this.#truncator.showRest(options);
    const digests = channels.map((channel) => this.#describe(channel));
    const spooled = this.#options.spool?.finish() ??
      { dropped: { stdout: 0, stderr: 0 }, error: null };
    const [stdout, stderr] = channels.map((channel, i) =>
      this.#summary(channel, { binary: digests[i] ?? null, dropped: spooled.dropped[channel.name] })
    ) as [StreamSummary, StreamSummary];
    const redactions: Record<string, number> = {};
    for (const { redact } of channels) {
      for (const [rule, count] of Object.entries(redact.counts)) {
        redactions[rule] = (redactions[rule] ?? 0) + count;
      }
    }
    const notable = this.#truncator.notable.entries.map(({ text }) => text.slice(0, 512));
    return { stdout, stderr, redactions, notable, spoolError: spooled.error };
  }

  #describe(channel: Channel): { type: string; sha256: string; text: string } | null {
    if (channel.hash === null) return null;
    const sha256 = channel.hash.digest("hex");
    const text = `[binary output: ${channel.bytes} bytes, ${channel.type}, sha256 ${sha256}]`;
    this.#truncator.showNote(channel.name, text);
    return { type: channel.type, sha256, text };
  }

  #summary(
    channel: Channel,
    facts: { binary: { type: string; sha256: string; text: string } | null; dropped: number },
  ): StreamSummary {
    const { name, bytes } = channel;
    const { binary, dropped } = facts;
    const lines = this.#newlines(channel) + (channel.openLine ? 1 : 0);
    const cut = this.#options.passThrough ? null : this.#truncator.truncation(name);
    return {
      bytes,
      lines,
      tail: binary === null ? this.#truncator.tail(name) : binary.text,
      // Movements in what is no display of lines can make more of them than there were.
      truncated: cut && { ...cut, lines: Math.min(cut.lines, lines) },
      spoolDropped: dropped,
      binary: binary && { type: binary.type, sha256: binary.sha256 },
    };
  }
}

/** Both byte sequences, of the second one no more than the probe looks at. */
function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const rest = second.subarray(0, PROBE_BYTES);
  const out = new Uint8Array(first.length + rest.length);
  out.set(first);
  out.set(rest, first.length);
  return out;
}
