/** What the main thread and the thread of a provider module say to each other: plain data, bounded on both sides. */

/** A module that has been read: what runs, and which module each of its imports means. */
export interface ProviderModule {
  /** Absolute path. */
  readonly path: string;
  /** CommonJS without types. */
  readonly code: string;
  /** Paths of other modules by the specifiers that name them. */
  readonly imports: Readonly<Record<string, string>>;
}

/** What a provider is asked. */
export type Question = "shouldRun" | "provide";

/** From the main thread. One order at a time, each answered by one reply. */
export type ProviderOrder =
  | { readonly kind: "translate"; readonly path: string; readonly source: string }
  | {
    readonly kind: "load";
    /** The one that the policy names first. */
    readonly modules: readonly ProviderModule[];
    readonly timeoutMs: number;
  }
  | {
    readonly kind: "ask";
    readonly question: Question;
    /** JSON. */
    readonly context: string;
    readonly timeoutMs: number;
  };

/** From the thread. */
export type ProviderReply =
  /** The thread's own code is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "translated"; readonly code: string; readonly specifiers: readonly string[] }
  | { readonly kind: "loaded" }
  /** JSON of `Said`. */
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "failed"; readonly message: string };

/** What a question came to. */
export interface Said {
  readonly value: unknown;
  /** The provider's notes as it left them. */
  readonly memory: unknown;
}

/** Characters of an answer as JSON. */
export const MAX_ANSWER = 65_536;
