/** Processes of this machine, by what their command line holds. */

function commandLine(pid: string): string {
  try {
    return new TextDecoder().decode(Deno.readFileSync(`/proc/${pid}/cmdline`));
  } catch {
    return "";
  }
}

/** Names of the processes that sleep for exactly this time. */
export function livingWith(time: string): readonly string[] {
  return Array.from(Deno.readDirSync("/proc"), ({ name }) => name)
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid) === `sleep\0${time}\0`);
}
