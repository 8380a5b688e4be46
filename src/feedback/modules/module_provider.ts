/** A provider that a TypeScript module of the policy's is: asked in a thread of its own, which lives for one command. */
import type { FeedbackContext, FeedbackProvider } from "../providers/provider.ts";
import type { ModuleGraph } from "./module_graph.ts";
import type { Question, Said } from "./provider_protocol.ts";
import { ProviderThread } from "./provider_thread.ts";

/** What a module provider is made from. */
export interface ModuleProviderOptions {
  readonly name: string;
  /** Read when the session was opened. */
  readonly graph: Promise<ModuleGraph>;
  /** Gives away the thread that has read it, for the first question; null when it is gone. */
  readonly takeThread?: () => ProviderThread | null;
  /** Time for each question, in ms; that of `shouldRun` includes the module's own statements. */
  readonly timeoutMs: number;
}

/** Makes the provider. What it says is checked by whoever asks. */
export function moduleProvider(options: ModuleProviderOptions): FeedbackProvider {
  const { name, graph, timeoutMs, takeThread } = options;
  const threads = new Map<FeedbackContext, ProviderThread>();

  async function open(context: FeedbackContext): Promise<ProviderThread> {
    const { modules } = await graph;
    const known = threads.get(context);
    if (known) return known;
    const thread = takeThread?.() ?? new ProviderThread();
    threads.set(context, thread);
    await thread.order({ kind: "load", modules, timeoutMs }, { reply: "loaded", timeoutMs });
    return thread;
  }

  async function ask(question: Question, context: FeedbackContext): Promise<Said> {
    const thread = await open(context);
    const order = { kind: "ask", question, context: JSON.stringify(context), timeoutMs } as const;
    const { text } = await thread.order(order, { reply: "said", timeoutMs });
    return JSON.parse(text);
  }

  return {
    name,
    endsItself: true,
    shouldRun: async (context) => (await ask("shouldRun", context)).value === true,
    provide: async (context) => {
      const { value, memory } = await ask("provide", context);
      keep(context.state.memory, memory);
      // Its shape is looked at by `readFeedback`, as is that of any other's.
      return value as Awaited<ReturnType<FeedbackProvider["provide"]>>;
    },
    release: (context) => {
      threads.get(context)?.end();
      threads.delete(context);
    },
  };
}

/** Puts a provider's notes in the place of those that it was given. */
function keep(memory: Record<string, unknown>, notes: unknown): void {
  for (const key of Object.keys(memory)) delete memory[key];
  if (typeof notes !== "object" || notes === null || Array.isArray(notes)) return;
  for (const [key, value] of Object.entries(notes)) {
    // Assigned, this one would be another prototype.
    if (key !== "__proto__") memory[key] = value;
  }
}
