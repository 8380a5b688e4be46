/**
 * Where a provider module runs: a realm of its own in a thread without permissions.
 *
 *     main thread --JSON--> thread (permissions: none) --JSON--> realm: the language, nothing else
 *
 * The realm has no `Deno`, no messages, no timers and no console, and cannot make code from text; so `import()` and
 * `node:` modules, which a thread without permissions could still load and print with, are out of its reach. Only
 * strings pass in and out: an object of the thread would carry the thread's own functions in with it.
 */
import vm from "node:vm";
import { MAX_ANSWER, type ProviderModule, type Question } from "./provider_protocol.ts";

/** Waits (`Atomics.wait`), shared memory and machine code: nothing that a provider needs, and each a way round its time. */
const PREPARE =
  `for (const name of ["console", "WebAssembly", "SharedArrayBuffer", "Atomics", "queueMicrotask"]) {
  delete globalThis[name];
}
// Deno looks here for who formats stacks, and hands over objects of the thread: their constructors make code from text.
for (const [object, name, value] of [[Error, "prepareStackTrace"], [globalThis, "Error", Error]]) {
  Object.defineProperty(object, name, { value, writable: false, configurable: false });
}
`;

/** Runs in the realm, before any module: it keeps the functions that it uses. */
const LINK = `"use strict";
const { define, load, ask, take } = (() => {
  const { parse, stringify } = JSON;
  const { create, hasOwn } = Object;
  const definitions = create(null);
  const loaded = create(null);
  let root = null;
  let answer = null;
  const define = (path, imports, run) => {
    root ??= path;
    definitions[path] = { imports: parse(imports), run };
  };
  const load = (path) => {
    if (loaded[path]) return loaded[path].exports;
    const { imports, run } = definitions[path];
    const module = loaded[path] = { exports: {} };
    const require = (name) => {
      if (!hasOwn(imports, name)) throw new Error("Cannot import " + name);
      return load(imports[name]);
    };
    run(require, module.exports, module);
    return module.exports;
  };
  const fail = (error) => {
    try {
      answer = stringify({ failure: String(error?.message ?? error) });
    } catch {
      answer = '{"failure":"it threw what cannot be shown"}';
    }
  };
  const provider = () => {
    const { default: found } = load(root);
    if (typeof found?.provide !== "function") {
      throw new TypeError("its default export has no function \\"provide\\"");
    }
    return found;
  };
  return {
    define,
    load: () => {
      answer = null;
      try {
        provider();
        answer = "{}";
      } catch (error) {
        fail(error);
      }
    },
    ask: async (question, context) => {
      answer = null;
      try {
        const found = provider();
        const told = parse(context);
        const value = question === "provide"
          ? await found.provide(told)
          : typeof found.shouldRun === "function" ? await found.shouldRun(told) : true;
        answer = stringify({ said: { value: value ?? null, memory: told.state?.memory ?? {} } });
      } catch (error) {
        fail(error);
      }
    },
    take: () => answer,
  };
})();`;

/** A time that is over, in the words of `node:vm`. */
const TIMED_OUT = /timed out after/;

/** One realm with the modules of one provider. */
export class ProviderRealm {
  readonly #context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    // What a module leaves for later is part of the call, and of its time.
    microtaskMode: "afterEvaluate",
  });

  /**
   * Loads modules; their own statements run now.
   *
   * @throws {Error} when one of them fails, or takes longer than `timeoutMs`.
   */
  constructor(modules: readonly ProviderModule[], { timeoutMs }: { readonly timeoutMs: number }) {
    this.#run(PREPARE, timeoutMs);
    this.#run(LINK, timeoutMs);
    for (const { path, code, imports } of modules) {
      const [name, table] = [path, JSON.stringify(imports)].map((text) => JSON.stringify(text));
      const source = `define(${name}, ${table}, function (require, exports, module) {${code}\n});`;
      this.#run(source, timeoutMs, path);
    }
    this.#run("load();", timeoutMs);
    this.#take();
  }

  /**
   * Asks the provider.
   *
   * @param context JSON.
   * @returns JSON of what it said and of its notes.
   * @throws {Error} when it fails, says too much, never answers, or takes longer than `timeoutMs`.
   */
  ask(
    question: Question,
    options: { readonly context: string; readonly timeoutMs: number },
  ): string {
    const words = [question, options.context].map((text) => JSON.stringify(text));
    // Whatever it returns is an object of the realm, and stays there.
    this.#run(`void ask(${words.join(", ")});`, options.timeoutMs);
    return JSON.stringify(this.#take());
  }

  /** The answer: a string of the realm, read again here. */
  #take(): unknown {
    const text: unknown = this.#run("take();", 1_000);
    if (typeof text !== "string") throw new Error("it waits for something that never comes");
    if (text.length > MAX_ANSWER) {
      throw new Error(`it says too much: ${MAX_ANSWER} characters are accepted`);
    }
    const answer: { failure?: unknown; said?: unknown } = JSON.parse(text);
    if (answer.failure !== undefined) throw new Error(String(answer.failure));
    return answer.said ?? null;
  }

  #run(source: string, timeout: number, filename = "provider"): unknown {
    try {
      return vm.runInContext(source, this.#context, { timeout, filename });
    } catch (error) {
      // Never the object itself: it may be the realm's.
      const message = textOf(error);
      throw new Error(TIMED_OUT.test(message) ? `it took longer than ${timeout} ms` : message);
    }
  }
}

function textOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Object || typeof error === "object"
      ? (error as { message?: unknown } | null)?.message
      : error;
    return typeof message === "string" ? message : "it failed without a message";
  } catch {
    return "it failed without a message";
  }
}
