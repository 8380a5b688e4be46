/** What could not be sent, for a report at the end. */

/** What the SDK's result of an export has; `ExportResult` of `@opentelemetry/core`. */
interface Result {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<T> {
  export(items: T, done: (result: Result) => void): void;
}

/** Longest problem in characters. */
const MAX_PROBLEM = 500;
/** `ExportResultCode.SUCCESS` of `@opentelemetry/core`. */
const SUCCESS = 0;

/** Collects the last problem of each signal. */
export class ExportProblems {
  readonly #bySignal = new Map<string, string>();

  /** The same exporter, its failures noted. */
  watch<T, E extends Exporter<T>>(signal: string, exporter: E): E {
    const send = exporter.export.bind(exporter);
    exporter.export = (items: T, done: (result: Result) => void) =>
      send(items, (result) => {
        if (result.code !== SUCCESS) this.#note(signal, result.error);
        done(result);
      });
    return exporter;
  }

  /** In words. */
  list(): readonly string[] {
    return [...this.#bySignal.values()];
  }

  #note(signal: string, error: Error | undefined): void {
    const state = (error?.message || "export failed").slice(0, MAX_PROBLEM);
    this.#bySignal.set(signal, `Cannot send ${signal}: ${state}`);
  }
}
