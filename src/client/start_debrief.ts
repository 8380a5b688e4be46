/** Starting `debrief stdio` in a process of its own, for a caller that is no session and has no jail itself. */

/** How it is started. */
export interface StartOptions {
  /** The program, and words that stand before `stdio`; `["debrief"]` when absent. */
  readonly program?: readonly string[];
  /** Flags of `debrief stdio`. */
  readonly flags?: readonly string[];
  /** Where commands begin; the caller's own directory when absent. */
  readonly cwd?: string;
  /** Variables besides the caller's own; what of them commands get is the policy's choice. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Characters of what it says on standard error that are kept: the last. */
const MAX_ERRORS = 4_096;

/** A running server. */
export interface Server {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** Its exit status, with the end of what it said on standard error. */
  readonly ended: Promise<{ readonly status: number; readonly errors: string }>;
}

/** Start it. @throws {Deno.errors.NotFound} when there is no such program. */
export function startDebrief(options: StartOptions): Server {
  const [name = "debrief", ...words] = options.program ?? [];
  const child = new Deno.Command(name, {
    args: [...words, "stdio", ...options.flags ?? []],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = lastOf(child.stderr);
  const ended = child.status.then(async ({ code }) => ({ status: code, errors: await errors }));
  return { input: child.stdin, output: child.stdout, ended };
}

async function lastOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text = (text + part).slice(-MAX_ERRORS);
  }
  return text.trim();
}
