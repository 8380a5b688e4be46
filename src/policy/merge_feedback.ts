/** `feedback` of all layers, and of two policies. */
import { durationMs } from "./duration.ts";
import type { PolicyLayer } from "./extend.ts";
import type { ProviderEntry } from "./feedback_schema.ts";
import { resolvePath } from "./path_entry.ts";
import {
  FEEDBACK_DEFAULTS,
  type FeedbackSettings,
  type PolicyVariables,
  type ProviderSetting,
} from "./policy.ts";

/** Time of one provider where no layer says, in ms. */
const DEFAULT_MS = 500;

/** Settings after all layers: a value replaces the inherited one. @throws {PolicyError} for a name that is given twice. */
export function mergeFeedback(
  layers: readonly PolicyLayer[],
  variables: PolicyVariables,
): FeedbackSettings {
  let settings: FeedbackSettings = {
    select: "all",
    verbosity: "normal",
    timeoutMs: DEFAULT_MS,
    providers: null,
  };
  for (const layer of layers) {
    const value = layer.value.feedback;
    if (value === undefined) continue;
    const providers = value.providers?.map((entry, index) =>
      settingOf(entry, { layer, variables, index })
    );
    settings = {
      select: value.select ?? settings.select,
      verbosity: value.verbosity ?? settings.verbosity,
      timeoutMs: (value.timeout === undefined ? null : durationMs(value.timeout)) ??
        settings.timeoutMs,
      providers: providers ?? settings.providers,
    };
    const names = (providers ?? []).map(({ name }) => name);
    const twice = names.findIndex((name, index) => names.indexOf(name) < index);
    if (twice >= 0) {
      const message = `Cannot use the name "${names[twice]}": another provider has it`;
      throw layer.document.error([{ path: ["feedback", "providers", twice], message }]);
    }
  }
  return settings;
}

function settingOf(
  entry: ProviderEntry,
  context: {
    readonly layer: PolicyLayer;
    readonly variables: PolicyVariables;
    readonly index: number;
  },
): ProviderSetting {
  const { variables, layer: { directory, document }, index } = context;
  const path = (written: string) => resolvePath(written, { variables, directory });
  if (typeof entry === "string") return { kind: "builtin", name: entry, use: entry, trigger: null };
  const { trigger: written, name = entry.use ?? "" } = entry;
  const trigger = written === undefined ? null : {
    ...written,
    ...(written.onFileCreated ? { onFileCreated: written.onFileCreated.map(path) } : {}),
  };
  if (entry.use !== undefined) return { kind: "builtin", name, use: entry.use, trigger };
  const source = document.locate(["feedback", "providers", index]);
  if (entry.module !== undefined) {
    return { kind: "module", name, path: path(entry.module), trigger, source };
  }
  if (entry.exec !== undefined) {
    const [program = "", ...words] = entry.exec;
    return { kind: "exec", name, argv: [path(program), ...words], trigger, source };
  }
  const { summary = "", observations = [], suggestions = [], severity = "info" } = entry.say ?? {};
  return { kind: "say", name, say: { summary, observations, suggestions, severity }, trigger };
}

/** The outer policy's own list holds; without one the inner's does. */
export function narrowFeedback(outer: FeedbackSettings, inner: FeedbackSettings): FeedbackSettings {
  return {
    ...inner,
    timeoutMs: Math.min(outer.timeoutMs, inner.timeoutMs),
    ...(outer.providers === null ? {} : { providers: outer.providers, select: outer.select }),
  };
}

/** The list in force. */
export function providersOf({ providers }: FeedbackSettings): readonly ProviderSetting[] {
  return providers ??
    FEEDBACK_DEFAULTS.map((name) => ({ kind: "builtin", name, use: name, trigger: null }));
}
