/** The units of examples/systemd, as far as they can be tried without a running service manager. */
import { assertEquals, assertMatch } from "@std/assert";
import { basename, join } from "node:path/posix";
import { syscallNumbers } from "../../src/sandbox/linux/syscalls.ts";
import { debriefWords, processEnvironment } from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";

const UNITS = join(import.meta.dirname!, "../../examples/systemd");
const SERVICE = join(UNITS, "debrief@.service");

/** System calls of the jail and its supervisor that an ordinary service never makes. */
const OF_THE_JAIL = [
  "landlock_create_ruleset",
  "landlock_add_rule",
  "landlock_restrict_self",
  "seccomp",
  "pidfd_getfd",
];

function isInstalled(program: string): boolean {
  return new Deno.Command("bash", { args: ["-c", `command -v ${program}`], stdout: "null" })
    .outputSync().success;
}

/** A test that runs a program of systemd's; without it, a failure where all tests are required. */
function systemdTest(name: string, program: string, run: (place: TestPlace) => void): void {
  const missing = !isInstalled(program);
  Deno.test({
    name: missing ? `${name} (ignored: ${program} is not installed)` : name,
    ignore: missing && Deno.env.get("REQUIRE_SANDBOX") !== "1",
    fn: () => {
      using place = new TestPlace();
      run(place);
    },
  });
}

function analyze(...args: readonly string[]): { code: number; text: string } {
  const { code, stdout, stderr } = new Deno.Command("systemd-analyze", { args: [...args] })
    .outputSync();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, text: decode(stderr) + decode(stdout) };
}

/** The units in a place of their own, with a program that is there. */
function copied(place: TestPlace, change = (text: string) => text): readonly string[] {
  return [...Deno.readDirSync(UNITS)].map(({ name }) => {
    const text = Deno.readTextFileSync(join(UNITS, name));
    return place.write(
      `units/${name}`,
      change(text.replaceAll("/usr/local/bin/debrief", "/bin/true")),
    );
  });
}

systemdTest(
  "systemd accepts the units and has nothing to say of them",
  "systemd-analyze",
  (place) => {
    // Of a template an instance is looked at.
    assertEquals(analyze("verify", ...copied(place)), { code: 0, text: "" });
    const wrong = (text: string) => text.replace("KillMode=", "KilMode=");
    assertMatch(analyze("verify", ...copied(place, wrong)).text, /KilMode/);
  },
);

systemdTest(
  "the service is confined as far as Debrief's needs allow",
  "systemd-analyze",
  (place) => {
    const service = copied(place).find((path) => basename(path) === basename(SERVICE))!;
    // Tenths of the exposure that systemd computes, from 0 to 100; its own "OK" ends at 50.
    const security = ["security", "--offline=yes", "--no-pager", "--threshold=30"];
    const { code, text } = analyze(...security, service);
    assertEquals(code, 0, text);
    Deno.writeTextFileSync(service, "[Service]\nExecStart=/bin/true\n");
    assertEquals(analyze(...security, service).code, 1);
  },
);

Deno.test("debrief@.service allows what the jail asks of the kernel", () => {
  const filter = /^SystemCallFilter=(.*)$/m.exec(Deno.readTextFileSync(SERVICE))?.[1]?.split(" ");
  assertEquals(OF_THE_JAIL.filter((call) => !filter?.includes(call)), []);
  const known = syscallNumbers("x86_64");
  const named = filter?.filter((word) => !word.startsWith("@")) ?? [];
  assertEquals(named.filter((call) => !known.has(call)), []);
});

jailTest("a connection is a session, as debrief.socket starts one", async () => {
  using place = new TestPlace();
  const socket = place.at("debrief.sock");
  const environment = processEnvironment({ place });
  const child = new Deno.Command("systemd-socket-activate", {
    args: [
      "--accept",
      "--inetd",
      "--listen",
      socket,
      ...Object.keys(environment).map((name) => `--setenv=${name}`),
      ...debriefWords(["--workspace", place.at("work")]),
    ],
    cwd: place.at("work"),
    clearEnv: true,
    env: environment,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const client = await connected(socket);
    await client.write(new TextEncoder().encode("cd /usr\npwd\nfalse\n"));
    await client.closeWrite();
    const text = await new Response(client.readable).text();
    const blocks = text.match(/^--- debrief .*$/gm)?.map((line) => /exit (\d)/.exec(line)?.[1]);
    assertEquals(blocks, ["0", "0", "1"], text);
    assertMatch(text, /^\/usr$/m);
    assertEquals(place.records().map(({ exit_code }) => exit_code), [0, 0, 1]);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
}, { programs: ["systemd-socket-activate"] });

/** A connection to a socket that is about to listen. */
async function connected(path: string): Promise<Deno.UnixConn> {
  for (;;) {
    try {
      return await Deno.connect({ transport: "unix", path });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
