/** What real tools say when the policy refuses them something, and when something else does. */
import { assertEquals } from "@std/assert";
import { bubblewrapTest, jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";

/** Complaints of `$F`, a file that is out of reach, and `$D`, its directory. */
const TOOLS: readonly { readonly in: string; readonly want: readonly string[] }[] = [
  { in: "cat $F", want: ["read $F"] },
  { in: "head -1 $F", want: ["read $F"] },
  { in: "cat <$F", want: ["read $F"] },
  { in: "cp $F .", want: ["read $F"] },
  { in: "cp own $D/new", want: ["write $D/new"] },
  { in: "mkdir $D/new", want: ["write $D/new"] },
  { in: "touch $D/new", want: ["write $D/new"] },
  { in: "rm $F", want: ["write $F"] },
  { in: "ln -s own $D/new", want: ["write $D/new"] },
  { in: "echo x >$F", want: ["write $F"] },
  { in: "echo x >>$D/new", want: ["write $D/new"] },
  { in: "tar -cf own.tar $F", want: ["read $F"] },
  { in: "python3 -c 'open(\"$F\")'", want: ["read $F"] },
  { in: "node -e 'fs.readFileSync(\"$F\")'", want: ["read $F"] },
  { in: "gcc -x c -o own.out $F", want: ["read $F"] },
];

/** Refused by modes inside what the policy grants; none of the policy's business. */
const OWN_MODES = [
  "cat closed",
  "cp closed other",
  "echo x >closed",
  "touch locked/new",
  "mkdir locked/new",
  "rm locked/file",
  "mv locked/file other",
  "sed -i s/a/b/ locked/file",
  "ls shut",
  "python3 -c 'open(\"closed\")'",
  "cat absent",
  "./plain",
];

function prepare(): TestPlace {
  const place = new TestPlace();
  place.write("outside/file", "x\n");
  place.write("work/own", "x\n");
  place.write("work/plain", "x\n");
  place.write("work/closed", "x\n", 0);
  place.write("work/locked/file", "a\n");
  place.write("work/shut/file", "a\n");
  Deno.chmodSync(place.at("work/locked"), 0o555);
  Deno.chmodSync(place.at("work/shut"), 0);
  return place;
}

function release(place: TestPlace): void {
  for (const name of ["locked", "shut"]) Deno.chmodSync(place.at(`work/${name}`), 0o755);
}

jailTest(
  "real tools' complaints are attributed to what the policy refuses, and to nothing else",
  async () => {
    using place = prepare();
    try {
      await using session = new TestSession({
        place,
        policyText: '{"extends":"default","backend":"kernel"}',
      });
      const fill = (text: string) =>
        text.replaceAll("$F", place.at("outside/file")).replaceAll("$D", place.at("outside"));
      for (const { in: source, want } of TOOLS) {
        const { record } = await session.run(fill(source));
        const found = record.denials.map(({ permission, resource }) => `${permission} ${resource}`);
        assertEquals(found, want.map(fill), source);
      }
      for (const source of OWN_MODES) {
        const { record } = await session.run(source);
        assertEquals(record.denials, [], source);
        assertEquals(record.exit_code !== 0, true, source);
      }
    } finally {
      release(place);
    }
  },
  { programs: ["python3", "gcc"] },
);

bubblewrapTest(
  "what does not exist in a jail of mounts is named as refused when it exists outside",
  async () => {
    using place = prepare();
    try {
      await using session = new TestSession({
        place,
        policyText: '{"extends":"default","backend":"bubblewrap"}',
      });
      const file = place.at("outside/file");
      const refused = await session.run(`cat ${file}`);
      assertEquals(refused.record.denials.map(({ resource }) => resource), [file]);
      const absent = await session.run(`cat ${place.at("outside/absent")} absent`);
      assertEquals(absent.record.denials, []);
    } finally {
      release(place);
    }
  },
);
