/** The feedback providers that a policy lists. */
import { reasonOf } from "../errors.ts";
import {
  type GraphRequest,
  type ModuleGraph,
  readModuleGraph,
  refuseProvider,
} from "../feedback/modules/module_graph.ts";
import { ProviderThread } from "../feedback/modules/provider_thread.ts";
import { moduleProvider } from "../feedback/modules/module_provider.ts";
import {
  builtinProvider,
  triggerOf,
  withTrigger,
} from "../feedback/providers/builtin_providers.ts";
import type { FeedbackProvider } from "../feedback/providers/provider.ts";
import { providersOf } from "../policy/merge_feedback.ts";
import type { Policy, ProviderSetting } from "../policy/policy.ts";
import { checkProgram, type ProgramPlace, programProvider } from "./program_provider.ts";
import { lastWorkspaceChange } from "./workspace_changes.ts";

/** The providers of a policy. */
export interface PolicyProviders {
  readonly providers: readonly FeedbackProvider[];
  /** Programs that a jail must let run. */
  readonly readable: readonly string[];
  /** What is wrong with a module of theirs, null when nothing is: known once all of them have been read. */
  readonly problem: Promise<string | null>;
  /** Ends threads that nobody has used. */
  readonly end: () => void;
}

/** A module with what was read of it. */
export interface ReadModule {
  readonly name: string;
  readonly graph: ModuleGraph;
}

/**
 * Makes the providers.
 *
 * @throws {UsageError} for one that cannot be used; that of a module comes later.
 */
export function policyProviders(
  policy: Policy,
  place: Omit<ProgramPlace, "policy">,
): PolicyProviders {
  const changed = (times: readonly (readonly [number, number])[]) =>
    lastWorkspaceChange(place.workspace, times);
  const graphs: Promise<ModuleGraph>[] = [];
  const threads = new Set<ProviderThread>();
  const readable: string[] = [];
  const make = (setting: ProviderSetting): FeedbackProvider => {
    switch (setting.kind) {
      case "builtin":
      case "say":
        return builtinProvider(setting, changed);
      case "module": {
        const thread = new ProviderThread();
        threads.add(thread);
        const graph = readModuleGraph(requestOf(setting, policy), thread);
        graphs.push(graph);
        const takeThread = () => threads.delete(thread) ? thread : null;
        const { name } = setting;
        const { timeoutMs } = policy.feedback;
        return triggered(setting, moduleProvider({ name, graph, timeoutMs, takeThread }));
      }
      case "exec":
        readable.push(checkProgram(setting, policy));
        return triggered(setting, programProvider(setting, { ...place, policy }));
    }
  };
  const providers = providersOf(policy.feedback).map(make);
  const problem = Promise.all(graphs).then(
    () => null,
    reasonOf,
  );
  const end = () => {
    for (const thread of threads) thread.end();
    threads.clear();
  };
  return { providers, readable, problem, end };
}

/**
 * Reads what a policy's providers consist of, without a session.
 *
 * @throws {UsageError} for one that cannot be used.
 */
export async function checkProviders(policy: Policy): Promise<readonly ReadModule[]> {
  const found: ReadModule[] = [];
  for (const setting of providersOf(policy.feedback)) {
    triggerOf(setting);
    if (setting.kind === "exec") checkProgram(setting, policy);
    if (setting.kind !== "module") continue;
    using stack = new DisposableStack();
    const thread = stack.adopt(new ProviderThread(), (one) => one.end());
    const request = requestOf(setting, policy);
    const graph = await readModuleGraph(request, thread);
    await tryLoad(request, { graph, thread });
    found.push({ name: setting.name, graph });
  }
  return found;
}

/** Loads modules as a session does, so that what they lack shows before a command. @throws {PolicyError} */
async function tryLoad(
  request: GraphRequest,
  { graph, thread }: { readonly graph: ModuleGraph; readonly thread: ProviderThread },
): Promise<void> {
  const { timeoutMs } = request.policy.feedback;
  try {
    const order = { kind: "load", modules: graph.modules, timeoutMs } as const;
    await thread.order(order, { reply: "loaded", timeoutMs });
  } catch (error) {
    throw refuseProvider(request, reasonOf(error));
  }
}

function requestOf(
  { name, path, source }: Extract<ProviderSetting, { kind: "module" }>,
  policy: Policy,
): GraphRequest {
  return { name, path, source, policy };
}

function triggered(setting: ProviderSetting, provider: FeedbackProvider): FeedbackProvider {
  const trigger = triggerOf(setting);
  return trigger === null ? provider : withTrigger(provider, trigger);
}
