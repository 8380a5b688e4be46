import { assert, assertEquals, assertMatch } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { finished, runDebrief, runWithDebrief, startDebrief } from "./run_debrief.ts";

/** Every byte value, in an order without text. */
function binary(length: number): Uint8Array {
  let random = 4711;
  return Uint8Array.from({ length }, () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return random >>> 24;
  });
}

async function bytesOf(args: readonly string[], place: TestPlace): Promise<Uint8Array> {
  const child = startDebrief(args, { place });
  await child.stdin.close();
  return (await child.output()).stdout;
}

jailTest(
  "--pass-through passes binary output on byte for byte, also through a session",
  async () => {
    using place = new TestPlace();
    const blob = binary(700_000);
    Deno.writeFileSync(place.at("work/blob"), blob);
    const whole = await bytesOf(["--pass-through", "-c", "cat blob"], place);
    assertEquals(whole.length, blob.length);
    assert(whole.every((byte, i) => byte === blob[i]));
    // Text that is cut in the middle of a character stays as it is too.
    const script = "printf 'a\\303'; sleep 0.05; printf '\\244\\377\\000z' >&2; printf '\\244'";
    const child = startDebrief(["--pass-through", "--block", "off", "-c", script], { place });
    await child.stdin.close();
    const { stdout, stderr } = await child.output();
    assertEquals([[...stdout], [...stderr]], [[0x61, 0xc3, 0xa4], [0xa4, 0xff, 0, 0x7a]]);
  },
);

jailTest("--pass-through hides a secret among bytes that are no text", async () => {
  using place = new TestPlace();
  const secret = `password=${"hunter" + "22"}abc`;
  place.write("work/secret", secret);
  const bytes = await bytesOf(
    ["--pass-through", "-c", "printf '\\377\\n'; cat secret; printf '\\n\\376'"],
    place,
  );
  const text = [...bytes].map((byte) => String.fromCharCode(byte)).join("");
  assertEquals(text, "\xff\npassword=[REDACTED:assignment#1]\n\xfe");
});

jailTest(
  "--pass-through marks look-alikes of a block where the block is, and nowhere else",
  async () => {
    using place = new TestPlace();
    const script = "echo '--- debrief 974195791 ok ---'";
    const apart = await runDebrief(["--pass-through", "-c", script], { place });
    assertEquals(apart.stdout, "--- debrief 974195791 ok ---\n");
    const same = await runDebrief(["--pass-through", "--block", "stdout", "-c", script], { place });
    assertMatch(same.stdout, /^\\--- debrief 974195791 ok ---\n--- debrief \d{9} /);
    const errors = await runDebrief(["--pass-through", "-c", `${script} >&2`], { place });
    assertMatch(errors.stderr, /^\\--- debrief 974195791 ok ---\n--- debrief \d{9} /);
  },
);

jailTest("a block descriptor that was not given is an error before anything runs", async () => {
  using place = new TestPlace();
  for (let fd = 3; fd < 14; fd++) {
    const args = ["--block", `fd:${fd}`, "-c", "touch ran"];
    const { code, stderr } = await runDebrief(args, { place });
    assertEquals([code, stderr], [
      2,
      `debrief: Cannot print the block to "fd:${fd}": it is not open for writing\n`,
    ]);
  }
  assertEquals(place.records(), []);
  const { code, stdout } = await runWithDebrief(
    `debrief --block fd:9 -c 'touch ran' 9>&1; test -e ran`,
    { place },
  );
  assertEquals(code, 0);
  assertMatch(stdout, /^--- debrief \d{9} ✓ exit 0/);
});

jailTest(
  "a disk that is full for the kept output is a notice, and the command goes on",
  async () => {
    using place = new TestPlace();
    // The runtime itself may write caches before Debrief can ignore the signal. In blocks of 1024 bytes: journal, key and copies have room, the output has not.
    const { code, stdout, stderr } = await runWithDebrief(
      "trap '' XFSZ; ulimit -f 64; debrief -c 'seq 40000; exit 3'",
      { place },
    );
    assertEquals(code, 3);
    assert(stdout.endsWith("39999\n40000\n"), stdout.slice(-100));
    assertMatch(stderr, /\nnotice: the kept output is incomplete: .*too large/);
    assertEquals(stderr.includes("--lines"), false, stderr);
    const [record] = place.records();
    assertEquals([record?.exit_code, record?.bytes.stdout], [3, 228_894]);
    const kept = await runDebrief(["output", record!.command_id, "--head", "2"], { place });
    assertEquals(kept.stdout, "1\n2\n");
  },
);

jailTest(
  "a journal that cannot grow is a notice, and nothing leads to the missing record",
  async () => {
    using place = new TestPlace();
    await runDebrief(["-c", "true"], { place });
    const journal = place.at("state/debrief/journal.jsonl");
    const first = Deno.readTextFileSync(journal);
    // Beyond the limit from its first byte on: a record is about a kilobyte.
    const size = Math.ceil(first.length / 1024);
    const { code, stdout, stderr } = await runWithDebrief(
      `trap '' XFSZ; ulimit -f ${size}; debrief -c 'seq 3000; exit 4'`,
      { place },
    );
    assertEquals([code, stdout.endsWith("3000\n")], [4, true]);
    assertMatch(stderr, /\nnotice: no record was written: /);
    assertEquals(/debrief (output|show) c/.test(stderr), false, stderr);
  },
);

jailTest(
  "standard output that cannot be written ends the command with a message and a record",
  async () => {
    using place = new TestPlace();
    const { code, stderr } = await runWithDebrief("debrief -c 'seq 9; sleep 20' >/dev/full", {
      place,
    });
    assertEquals([code, stderr], [
      125,
      "debrief: Cannot write to descriptor 1: no space left on device (ENOSPC)\n",
    ]);
    assertEquals(place.records().map(({ error }) => error), ["cancelled"]);
  },
);

jailTest("a reader that comes late gets all that a command has left in its pipe", async () => {
  using place = new TestPlace();
  const script = "head -c 900000 /dev/zero | tr '\\0' x; : >ended";
  const child = startDebrief(["--pass-through", "--block", "off", "-c", script], { place });
  await child.stdin.close();
  const ended = () => [...Deno.readDirSync(place.at("work"))].some(({ name }) => name === "ended");
  while (!ended()) await new Promise((done) => setTimeout(done, 50));
  // Longer than anybody waits for processes that hold a pipe after the command has ended.
  await new Promise((done) => setTimeout(done, 3000));
  const { code, stdout } = await finished(child);
  assertEquals([code, stdout.length], [0, 900_000]);
});

jailTest("a slow reader slows the command, and gets all of its output", async () => {
  using place = new TestPlace();
  // The command counts what it could write before anybody read: pipes hold it up long before the end.
  const script =
    `for i in {1..400}; do head -c 100000 /dev/zero | tr '\\0' x; echo $i >progress; done`;
  const child = startDebrief(["--pass-through", "--block", "off", "-c", script], { place });
  await child.stdin.close();
  const progress = () => {
    try {
      return Number(Deno.readTextFileSync(place.at("work/progress")));
    } catch {
      return 0;
    }
  };
  // Nothing is read here: the command comes to a stop by itself.
  for (let last = -1, same = 0; same < 5;) {
    await new Promise((done) => setTimeout(done, 200));
    const now = progress();
    same = now === last && now > 0 ? same + 1 : 0;
    last = now;
  }
  assert(progress() < 40, `${progress()} of 400 rounds without a reader`);
  const { code, stdout } = await finished(child);
  assertEquals([code, stdout.length, progress()], [0, 40_000_000, 400]);
});

/** The records, once there is one. */
async function recordsOf(place: TestPlace) {
  for (;;) {
    const records = place.records();
    if (records.length > 0) return records;
    await new Promise((done) => setTimeout(done, 100));
  }
}

jailTest("the time limit acts, and a record is written, when nobody ever reads", async () => {
  using place = new TestPlace();
  const child = startDebrief(["--pass-through", "--timeout", "2s", "-c", "yes; touch later"], {
    place,
  });
  await child.stdin.close();
  const errors = new Response(child.stderr).text();
  const [record] = await recordsOf(place);
  const { code } = await child.status;
  assertEquals([code, record?.exit_code, record?.outcome.kind], [124, null, "timeout"]);
  assertMatch(
    await errors,
    /^debrief: nobody reads descriptor 1: the rest of the output is not printed\n--- debrief \d{9} ✗ timeout, SIGTERM, /,
  );
  await child.stdout.cancel();
});

const UNREAD = [
  { script: ": >begun; yes", file: "begun", want: [143, "cancelled"] },
  // All that is left is in the pipe.
  { script: "head -c 900000 /dev/zero | tr '\\0' x; : >ended", file: "ended", want: [0, null] },
];

for (const { script, file, want } of UNREAD) {
  jailTest(`TERM acts when nobody ever reads (${script})`, async () => {
    using place = new TestPlace();
    const child = startDebrief(["--pass-through", "-c", script], { place });
    await child.stdin.close();
    const has = () => [...Deno.readDirSync(place.at("work"))].some(({ name }) => name === file);
    while (!has()) await new Promise((done) => setTimeout(done, 50));
    await new Promise((done) => setTimeout(done, 500));
    child.kill("SIGTERM");
    const errors = await new Response(child.stderr).text();
    const { code } = await child.status;
    assertEquals<unknown>([code, place.records()[0]?.error], want, errors);
    assertMatch(errors, /^debrief: nobody reads descriptor 1: [^]*\n--- debrief /);
    await child.stdout.cancel();
  });
}
