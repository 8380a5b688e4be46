/** The environment of Debrief in tests: nothing of the machine's own home, state or locale reaches it. */
import { join } from "node:path/posix";

/** Variables for a Debrief whose directories lie beneath `root`: `home`, `state`, `tmp`. */
export function sandboxedEnvironment(root: string): Record<string, string> {
  return {
    HOME: join(root, "home"),
    XDG_STATE_HOME: join(root, "state"),
    TMPDIR: join(root, "tmp"),
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
  };
}
