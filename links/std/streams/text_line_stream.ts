/** Options of {@linkcode TextLineStream}. */
export interface TextLineStreamOptions {
  /** Whether a lone `\r` ends a line as well, false unless set. */
  allowCR?: boolean;
}

/**
 * Cuts a stream of text into lines at `\n` and `\r\n`; a last line without an end is passed on,
 * an empty one is not.
 */
export class TextLineStream extends TransformStream<string, string> {
  /** Holds at most the unfinished line, whose length nothing limits. */
  constructor(options: TextLineStreamOptions = {}) {
    const lineEnd = options.allowCR ? /\r\n|\n|\r(?!$)/ : /\r?\n/;
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split(lineEnd);
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
      flush(controller) {
        if (rest === "") return;
        const endsInReturn = options.allowCR && rest.endsWith("\r");
        controller.enqueue(endsInReturn ? rest.slice(0, -1) : rest);
      },
    });
  }
}
