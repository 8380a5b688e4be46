/** Who runs the tests, and whether this host has what they are about. */

/** A user that commands are run as. */
export interface User {
  readonly name: "root" | "ordinary user";
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` and its group in every distribution's base files. */
const NOBODY = 65534;

/** Set where a missing sandbox, compiler or registry is a failure and not a reason to skip. */
const REQUIRED = Deno.env.get("REQUIRE_SANDBOX") === "1";

/** The users to test as: root also stands in for an ordinary one, anyone else is one. */
export function users(): readonly User[] {
  const self = { uid: Deno.uid() ?? 0, gid: Deno.gid() ?? 0 };
  if (self.uid !== 0) return [{ name: "ordinary user", ...self }];
  return [
    { name: "root", ...self },
    { name: "ordinary user", uid: NOBODY, gid: NOBODY },
  ];
}

/** True when the tests may change to any user. */
export function isRoot(): boolean {
  return Deno.uid() === 0;
}

/** True when a program is in one of the system's directories, where a jail can read it. */
function hasProgram(name: string): boolean {
  return ["/usr/bin", "/bin", "/usr/local/bin"].some((directory) => {
    try {
      return Deno.statSync(`${directory}/${name}`).isFile;
    } catch {
      return false;
    }
  });
}

/** Says why tests of the jail cannot run on this host, null when they can. */
function missing(programs: readonly string[]): string | null {
  if (Deno.build.os !== "linux") return "needs Linux";
  const lsm = readText("/sys/kernel/security/lsm");
  if (lsm !== null && !lsm.includes("landlock")) return "needs Landlock";
  const absent = programs.find((name) => !hasProgram(name));
  return absent === undefined ? null : `needs ${absent}`;
}

function readText(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}

/**
 * Name and `ignore` of a test that needs a jail and some programs. What is missing stands in the name of the ignored
 * test; where the sandbox is required nothing is ignored, and the test fails on what it lacks.
 */
export function jailTest(
  name: string,
  programs: readonly string[] = [],
): { readonly name: string; readonly ignore: boolean } {
  const reason = missing(programs);
  const ignore = reason !== null && !REQUIRED;
  return { name: ignore ? `${name} (${reason})` : name, ignore };
}
