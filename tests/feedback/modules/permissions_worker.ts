/// <reference lib="deno.worker" />
/** Tries in a worker what needs a permission, and reports what came of each. */

const ATTEMPTS: Readonly<Record<string, () => unknown>> = {
  read: () => Deno.readTextFileSync("/etc/passwd"),
  write: () => Deno.makeTempFileSync({ dir: "/tmp", prefix: "debrief-permissions-" }),
  env: () => Deno.env.get("HOME"),
  run: () => new Deno.Command("/bin/true").outputSync(),
  net: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  // deno-lint-ignore debrief/dlopen-only-in-ffi -- that it is refused is what is tested
  ffi: () => Deno.dlopen("libc.so.6", {}).close(),
  sys: () => Deno.hostname(),
  import: () => import(["file://", "/etc/passwd"].join("")),
};

const results: Record<string, string> = {};
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  try {
    const value = await attempt();
    if (name === "write" && typeof value === "string") Deno.removeSync(value);
    results[name] = "works";
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Read as a module, that file is none.
    results[name] = name === "import" && !message.startsWith("Requires") ? "works" : message;
  }
}
self.postMessage(results);
