/** `debrief review` on a terminal, and the screens in the guide. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { examplesOf, readDocument } from "../docs/documents.ts";
import { append, review, reviewPlace } from "./review_place.ts";
import { reviewWords, TmuxScreen, tmuxTest } from "./tmux_screen.ts";

/** The list has been read to its end. */
const READ = "debrief review  6\n";

/** A record whose texts try to take the terminal over. */
const EVIL = "\x1b]2;taken over\x07\x1b[2J\x1b[31mred";

for (
  const { info: [, kind, size = "", ...keys], line, text } of examplesOf(
    readDocument("docs/guide.md"),
  )
) {
  if (kind !== "review") continue;
  tmuxTest(`the screen in docs/guide.md:${line} is what debrief review shows`, async () => {
    using place = reviewPlace();
    const [columns, rows] = size.split("x").map(Number);
    using screen = review(place, { columns, rows });
    await screen.until(READ);
    screen.press(...keys);
    const shown = text.trimEnd();
    await screen.until((now) => now === shown).catch((error) => {
      throw new Error(`${error.message}\nthe guide has:\n${shown}`);
    });
  });
}

tmuxTest("debrief review filters, sorts and leads from view to view", async () => {
  using place = reviewPlace();
  using screen = review(place, { columns: 100 });
  await screen.until(READ);
  screen.press("/", "n", "p", "m", "Enter");
  await screen.until('4 of 6 · "npm"');
  screen.press("s");
  const failed = await screen.until('1 of 6 · failed · "npm"');
  assertStringIncludes(failed, "> 11-21 09:41:07  1 ");
  screen.press("o");
  await screen.until("stdout of c8v1n3xb, 214 lines, redacted");
  screen.press("G");
  await screen.until(" 213 # fail 1");
  screen.press("Escape");
  await screen.until("took");
  screen.press("Escape", "d");
  const sorted = await screen.until(`${READ.trim()} · by duration`);
  const took = [...sorted.matchAll(/(\d+(?:\.\d)?m?s) {2}(?:npm|git|cat)/g)].map(([, time]) =>
    time
  );
  assertEquals(took, ["14s", "4.2s", "4.1s", "41ms", "6ms", "0ms"]);
  screen.press("?");
  await screen.until("copy the id");
  screen.press("q");
  assertEquals(await screen.status(), 0);
});

tmuxTest("debrief review copies an id and gives the terminal back", async () => {
  using place = reviewPlace();
  const words = ["sh", "-c", 'echo before; "$@"; echo "status $?"; sleep 60', "sh"];
  using screen = new TmuxScreen({
    place,
    words: [...words, ...reviewWords()],
    columns: 80,
    rows: 24,
  });
  await screen.until(READ);
  screen.press("y");
  await screen.until("copied c3h6j8ye");
  assertEquals(screen.copied(), "c3h6j8ye");
  screen.press("C-c");
  const after = await screen.until("status 0");
  // From its source the runtime may have to say that its cache is in use.
  const busy = /Failed to open cache file '[^']*', opening in-memory cache\./g;
  assertEquals(after.replaceAll("\n", "").replace(busy, ""), "beforestatus 0");
});

tmuxTest("debrief review shows new records as they come, and follows them", async () => {
  using place = reviewPlace();
  using screen = review(place);
  await screen.until(READ);
  append(place, [{ command_id: "c9new001", command: ["deno", "lint"] }]);
  const later = await screen.until("deno lint");
  assertStringIncludes(later, ">!11-21 09:43:07  denied");
  screen.press("f");
  await screen.until(/* selected */ "\n> 01-02 03:04:05");
  append(place, [{ command_id: "c9new002", command: ["deno", "doc"] }]);
  const followed = await screen.until("deno doc");
  assert(/\n> .*deno doc\n/.test(followed), followed);
});

tmuxTest("debrief review keeps control characters of records from the terminal", async () => {
  using place = reviewPlace();
  using elsewhere = reviewPlace();
  using other = new TmuxScreen({
    place: elsewhere,
    // It stays: of a program that has ended tmux 3.3a at times loses what it printed.
    words: ["sh", "-c", 'printf %s "$0"; exec sleep 60', EVIL],
    columns: 80,
    rows: 10,
  });
  // The control: the same text, printed, does take it over.
  await other.until(() => other.say("#{pane_title}") === "taken over");
  append(place, [{
    command: [`echo ${EVIL}`],
    agent_note: EVIL,
    stdout_tail: `${EVIL}\n`,
    exit_code: 3,
    outcome: { kind: "failed", reason: EVIL },
  }]);
  using screen = review(place, { columns: 120, rows: 40 });
  await screen.until(">!01-02 03:04:05");
  screen.press("Enter");
  const text = await screen.until("stdout:");
  assert(text.split("\\e]2;taken over").length >= 4, text);
  assertEquals(screen.say("#{pane_title}") === "taken over", false);
});

tmuxTest("debrief review adapts to the size of the terminal", async () => {
  using place = reviewPlace();
  using screen = review(place);
  await screen.until("command\n");
  for (const [columns, rows] of [[40, 12], [20, 5], [200, 50], [64, 8]] as const) {
    screen.resize(columns, rows);
    const text = await screen.until((now) =>
      now.includes(columns < 64 ? "status" : "command\n") &&
      now.split("\n").length === rows && now.includes(">!")
    );
    assertEquals(text.split("\n")[0]?.startsWith(" debrief review"), true, text);
    assertEquals(text.split("debrief review").length, 2, text);
  }
});

tmuxTest("debrief review uses no colour under NO_COLOR, also where CI is set", async () => {
  using place = reviewPlace();
  const styled = async (env: Readonly<Record<string, string>>) => {
    using screen = review(place, { env });
    await screen.until(READ);
    return screen.text({ styled: true });
  };
  const color = /\[(?:\d+;)*3[1-7](?:;\d+)*m/;
  assert(color.test(await styled({})));
  assertStringIncludes(await styled({ CI: "true" }), ">!");
  const plain = await styled({ NO_COLOR: "1" });
  assertEquals(color.test(plain), false);
  assertStringIncludes(plain, ">!");
});

tmuxTest("debrief review without a terminal names debrief log", async () => {
  using place = reviewPlace();
  const cases = [
    { in: '"$@" </dev/null', want: "standard input is no terminal" },
    { in: '"$@" | cat', want: "standard output is no terminal" },
    { in: 'TERM=dumb "$@"', want: "TERM=dumb" },
  ];
  for (const { in: script, want } of cases) {
    using screen = new TmuxScreen({
      place,
      words: [
        "bash",
        "-o",
        "pipefail",
        "-c",
        `${script}; echo "status $?"; sleep 60`,
        "bash",
        ...reviewWords(),
      ],
      columns: 120,
      rows: 10,
    });
    const text = await screen.until("status 2");
    assertStringIncludes(text, want);
    assertStringIncludes(text, "debrief log");
  }
});
