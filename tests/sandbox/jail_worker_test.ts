import { assert, assertEquals, assertRejects } from "@std/assert";
import { jailTest } from "./require_sandbox.ts";
import { NotSpawned, TestJail } from "./test_jail.ts";

jailTest("Jail.spawn keeps exit statuses", async () => {
  await using jailed = await TestJail.start();
  for (const code of [0, 1, 2, 42, 124, 126, 127, 128, 129, 137, 143, 254, 255]) {
    const { status } = await jailed.sh(`exit ${code}`);
    assertEquals(status?.kind === "exited" ? status.code : status, code);
  }
});

jailTest("Jail.spawn keeps the signal that ended a command, for each that ends one", async () => {
  await using jailed = await TestJail.start();
  // CHLD, CONT, URG, WINCH do nothing by default; STOP, TSTP, TTIN, TTOU stop (signal(7)).
  const harmless = [17, 18, 23, 28, 19, 20, 21, 22];
  const signals = Array.from({ length: 64 }, (_, index) => index + 1)
    .filter((signal) => !harmless.includes(signal));
  for (const signal of signals) {
    const { status } = await jailed.sh(`ulimit -c 0; kill -${signal} $$; exit 3`);
    assertEquals(status?.kind === "signaled" ? status.signal : status, signal);
  }
});

jailTest("Jail.spawn passes arguments, argv[0] and the environment exactly", async () => {
  await using jailed = await TestJail.start();
  const bytes = String.fromCharCode(...Array.from({ length: 127 }, (_, index) => index + 1));
  const latin = String.fromCharCode(...Array.from({ length: 128 }, (_, index) => index + 128));
  const args = ["", " ", bytes, latin, "\u{1F600}\u4e2d", "-n", "--", "'\"\\$`", "a\nb\n", "*"];
  const show = 'printf "%s\\0" "$0" "$@"';
  const run = await jailed.run(["/bin/sh", "-c", show, "na me", ...args]);
  assertEquals(run.stdout.split("\0").slice(0, -1), ["na me", ...args]);
  // `sh` is found along the path, and still sees the name that was typed.
  const name = await jailed.run(["sh", "-c", 'tr "\\0" "\\n" </proc/$$/cmdline | head -1']);
  assertEquals(name.stdout, "sh\n");
  const env = { A: "1", EMPTY: "", TEXT: "a=b\nc \u00e9", PATH: "/bin" };
  const environment = await jailed.run(["/usr/bin/env", "-0"], { env });
  assertEquals(environment.stdout.split("\0").slice(0, -1), [
    "A=1",
    "EMPTY=",
    "TEXT=a=b\nc \u00e9",
    "PATH=/bin",
  ]);
});

jailTest("Jail.spawn tells why a program was not started", async () => {
  await using jailed = await TestJail.start({
    prepare: (tree) => {
      tree.add("work/bin/plain", "text");
      tree.add("work/bin/directory/x", "");
      tree.add("work/bin/script", "echo no interpreter line\n");
      Deno.chmodSync(tree.at("work/bin/script"), 0o755);
      tree.add("outside/bin/hidden", "#!/bin/sh\necho outside\n");
      Deno.chmodSync(tree.at("outside/bin/hidden"), 0o755);
    },
  });
  const at = (name: string) => jailed.tree.at(name);
  const [ENOENT, E2BIG, ENOEXEC, EACCES] = [2, 7, 8, 13];
  const cases: readonly { in: string; want: number; searchPath?: string; args?: string[] }[] = [
    { in: "no-such-program", want: ENOENT },
    { in: at("work/no-such-program"), want: ENOENT },
    { in: at("work"), want: EACCES },
    { in: at("work/bin/plain"), want: EACCES },
    { in: at("outside/bin/hidden"), want: EACCES },
    { in: "directory", want: ENOENT, searchPath: `${at("work/bin")}:/bin` },
    { in: "hidden", want: EACCES, searchPath: at("outside/bin") },
    { in: at("work/bin/script"), want: ENOEXEC },
    { in: "script", want: ENOEXEC, searchPath: `${at("work/bin")}:/bin` },
    { in: "true", want: E2BIG, args: ["x".repeat(200_000)] },
  ];
  for (const { in: program, want, searchPath, args = [] } of cases) {
    const error = await assertRejects(
      () => jailed.run([program, ...args], searchPath === undefined ? {} : { searchPath }),
      NotSpawned,
    );
    assertEquals(error.errno, want, program);
  }
  const control = await new Deno.Command(at("outside/bin/hidden")).output();
  assertEquals(new TextDecoder().decode(control.stdout), "outside\n");
});

jailTest(
  "Jail.spawn tries the next directory when a program is out of reach in the first",
  async () => {
    await using jailed = await TestJail.start({
      prepare: (tree) => {
        for (const directory of ["outside", "work/first", "work/second"]) {
          tree.add(`${directory}/tool`, `#!/bin/sh\necho ${directory}\n`);
          Deno.chmodSync(tree.at(`${directory}/tool`), 0o755);
        }
      },
    });
    const cases = [
      { in: ["work/first", "work/second"], want: "work/first\n" },
      { in: ["outside", "work/second"], want: "work/second\n" },
      { in: ["absent", "outside", "work/first"], want: "work/first\n" },
    ];
    for (const { in: directories, want } of cases) {
      const searchPath = directories.map((directory) => jailed.tree.at(directory)).join(":");
      assertEquals((await jailed.run(["tool"], { searchPath })).stdout, want);
    }
    // An empty directory means the current one (POSIX, Environment Variables).
    const cwd = jailed.tree.at("work/second");
    assertEquals((await jailed.run(["tool"], { searchPath: "", cwd })).stdout, "work/second\n");
  },
);

jailTest("Jail.spawn refuses text that the kernel could not be given exactly", async () => {
  await using jailed = await TestJail.start();
  for (const text of ["a\0b", "\ud800", "x\udc00y"]) {
    for (const argv of [["echo", text], [text], [`/bin/${text}`]]) {
      await assertRejects(() => jailed.run(argv), Error, "Cannot pass text");
    }
  }
  assertEquals((await jailed.run(["echo", "\u{1f600}"])).stdout, "\u{1f600}\n");
});

jailTest(
  "a Jail grants no file that a link has taken the place of since it was planned",
  async () => {
    const read = async (swap: boolean) => {
      await using jailed = await TestJail.start({
        prepare: (tree) => tree.add("home/.cargo/bin/file", "granted\n"),
        order: (_, tree) => {
          if (swap) {
            Deno.renameSync(tree.at("home/.cargo"), tree.at("home/old"));
            Deno.mkdirSync(tree.at("home/.cargo"));
            Deno.symlinkSync(tree.at("outside"), tree.at("home/.cargo/bin"));
          }
          return {};
        },
      });
      return (await jailed.run(["cat", jailed.tree.at("home/.cargo/bin/file")])).stdout;
    };
    assertEquals(await read(false), "granted\n");
    assertEquals(await read(true), "");
  },
);

jailTest(
  "Jail.spawn leaves the event loop its turns, however long a path it searches",
  async () => {
    await using jailed = await TestJail.start({
      prepare: (tree) => {
        tree.add("work/a/tool", "#!/etc/passwd\n");
        Deno.chmodSync(tree.at("work/a/tool"), 0o755);
      },
    });
    // An interpreter that may not be executed: each of them is tried, refused and passed over.
    const searchPath = ["a/", ...new Array<string>(2000).fill("a"), "/bin"].join(":");
    let [turns, last, longest] = [0, performance.now(), 0];
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      turns++;
    }, 1);
    const cwd = jailed.tree.at("work");
    const error = await assertRejects(
      () => jailed.run(["tool"], { cwd, searchPath }),
      NotSpawned,
      "a//tool",
    );
    clearInterval(timer);
    assertEquals(error.errno, 13);
    // The thread was waited for 20 ms; after that whoever else has something to do does it.
    assert(turns >= 5, `${turns} turns, the longest wait ${longest} ms`);
  },
);

jailTest(
  "Jail.spawn finds names that begin with a byte order mark, and tries no other",
  async () => {
    await using jailed = await TestJail.start({
      prepare: (tree) => {
        for (const name of ["\ufefftool", "tool"]) {
          tree.add(`work/${name}`, `#!/bin/sh\necho ${name.length}\n`);
          Deno.chmodSync(tree.at(`work/${name}`), 0o755);
        }
      },
    });
    const options = { cwd: jailed.tree.at("work"), searchPath: ":/bin" };
    assertEquals((await jailed.run(["\ufefftool"], options)).stdout, "5\n");
    assertEquals((await jailed.run(["tool"], options)).stdout, "4\n");
  },
);

jailTest("Jail.killAll ends what was ordered before it, also what is looked for", async () => {
  await using jailed = await TestJail.start({ order: () => ({ watched: true }) });
  const run = jailed.run(["sleep", "60"], { searchPath: "/no/such/place:/bin" });
  jailed.jail.killAll();
  const { status } = await run;
  assertEquals(status?.kind === "signaled" ? status.signal : status, 9);
});
