/** Sessions as a benchmark drives them. */
import { Session } from "../src/session/session.ts";
import { renderText } from "../src/feedback/render.ts";
import type { CommandText } from "../src/session/decide.ts";

/** Open one in `project` below a home directory. */
export function openSession(home: string, keepsState: boolean): Session {
  return Session.open({
    environment: { HOME: home, PATH: "/usr/bin:/bin" },
    cwd: `${home}/project`,
    policy: null,
    trustPolicy: false,
    journal: `${home}/state`,
    workspace: null,
    timeoutMs: null,
    task: null,
    passThrough: false,
    ansi: false,
    keepsState,
  });
}

/** Run a command to its end and lay out its block. @throws {Error} when it fails. */
export async function runIn(session: Session, text: CommandText): Promise<void> {
  let status = -1;
  await session.run({ text, stdin: 0 }, (event) => {
    if (event.kind !== "finished") return;
    status = event.exitStatus;
    // As a front end does.
    renderText(event.block, { nonce: session.context.nonce, color: false });
  });
  if (status !== 0) throw new Error(`Cannot measure: status ${status}`);
}
