/** What Debrief says itself can quote a command line or a file, so it passes redaction as output does. */
import { Redactor } from "../output/redact.ts";
import { visibleText } from "../record/visible_text.ts";
import { knownSecrets } from "../session/known_secrets.ts";

/** A message without secrets: known shapes, and values of the shell's own secret-named variables. */
export function redactOwnText(text: string): string {
  const redactor = new Redactor({ values: knownSecrets(Deno.env.toObject(), []) });
  return redactor.redactText(text);
}

/**
 * A text that somebody decides by, such as a diff, without secrets and with nothing that hides or reorders a part of it.
 * Lines and tabs stay.
 */
export function visibleOwnText(text: string): string {
  return redactOwnText(text).replace(/[^\n\t]+/g, visibleText);
}
