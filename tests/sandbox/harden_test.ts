import { assertEquals } from "@std/assert";

const MODULE = new URL("../../src/sandbox/harden.ts", import.meta.url).href;
const FILES = new URL("../../src/sandbox/linux/files.ts", import.meta.url).href;

/** Runs a program in a Deno of its own, as another process would start the shell: with descriptor 7 open. */
async function run(harden: boolean): Promise<unknown> {
  const program = `
    import { hardenProcess, inheritedDescriptors } from "${MODULE}";
    import { readKernelFile } from "${FILES}";
    const given = inheritedDescriptors().has(7);
    const ignored = () => {
      const line = readKernelFile("/proc/self/status").match(/SigIgn:\\s*(\\w+)/)[1];
      return (BigInt("0x" + line) >> 24n & 1n) === 1n;
    };
    if (${harden}) hardenProcess();
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", "[ -e /proc/self/fd/7 ] && echo inherited || echo closed; (sleep 3 >&- 2>&- & echo $!)"],
      stdin: "inherit",
    });
    const { stdout } = await child.output();
    const [seven, orphan] = new TextDecoder().decode(stdout).trim().split("\\n");
    const parent = readKernelFile("/proc/" + orphan + "/stat")?.split(") ")[1]?.split(" ")[1];
    console.log(JSON.stringify({
      seven,
      adopted: Number(parent) === Deno.pid,
      owner: Deno.statSync("/proc/self/stat").uid,
      given,
      later: inheritedDescriptors().has(7),
      ignored: ignored(),
    }));`;
  const shell = `exec "$0" run --allow-all --quiet --no-lock --config "$1" - 7</etc/passwd`;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  // A session that was opened in this process ignores the signal, which all that it starts inherit.
  const child = new Deno.Command("env", {
    args: ["--default-signal=XFSZ", "bash", "-c", shell, Deno.execPath(), config],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("hardenProcess closes inherited descriptors to commands, adopts orphans and outlives a file that is too large", async () => {
  assertEquals(await run(false), {
    seven: "inherited",
    adopted: false,
    owner: Deno.uid(),
    given: true,
    later: true,
    ignored: false,
  });
  // A process that is not dumpable belongs to root, whoever runs it (proc(5)).
  assertEquals(await run(true), {
    seven: "closed",
    adopted: true,
    owner: 0,
    given: true,
    later: false,
    ignored: true,
  });
});
