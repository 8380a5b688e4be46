/** The policies that come with Debrief: the files of `policies/`. */
import { BUILTIN_DOCUMENTS } from "./builtin_documents.ts";
import { BUILTIN_TEXTS } from "./builtin_texts.ts";
import { PolicyDocument } from "./document.ts";

/** Names of the built-in policies, in the order in which they are listed. */
export const BUILTIN_NAMES = ["default", "readonly", "offline", "ci", "open"] as const;

/** The name of a built-in policy. */
export type BuiltinName = typeof BUILTIN_NAMES[number];

/** True when a word names a built-in policy. */
export function isBuiltin(name: string): name is BuiltinName {
  return (BUILTIN_NAMES as readonly string[]).includes(name);
}

/** Returns the text of a built-in policy. */
export function readBuiltin(name: BuiltinName): string {
  return BUILTIN_TEXTS[name];
}

/** The document of a built-in policy, its value as the schema gives it: read from the text when Debrief was made. */
export function builtinDocument(name: BuiltinName): PolicyDocument {
  return new PolicyDocument(JSON.parse(BUILTIN_DOCUMENTS[name]), builtinLabel(name));
}

/** How messages and rules name a built-in policy as a file. */
export function builtinLabel(name: BuiltinName): string {
  return `built-in:${name}`;
}
