/** The session on a terminal: what is typed, and what the screen shows. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { TestPlace } from "../session/test_session.ts";
import { reviewWords, TmuxScreen, tmuxTest } from "./tmux_screen.ts";

const PROMPT = /debrief \S+( \[\d+\])?\$ /g;

/** A session on a terminal of 100 columns. */
class TypedSession implements Disposable {
  readonly screen: TmuxScreen;
  readonly place: TestPlace;
  readonly #owned: boolean;

  /** @param before words that start the program. */
  constructor(place?: TestPlace, before: readonly string[] = []) {
    this.#owned = place === undefined;
    this.place = place ??= new TestPlace();
    // The same words without their command are the session.
    const words = reviewWords().filter((word) => word !== "review");
    this.screen = new TmuxScreen({ place, words: [...before, ...words], columns: 100, rows: 50 });
  }

  /** Press keys, and wait until another prompt is there. */
  async enter(...keys: readonly string[]): Promise<string> {
    const before = this.prompts();
    this.screen.press(...keys, "Enter");
    return await this.screen.until((text) => this.prompts(text) > before);
  }

  async ready(): Promise<void> {
    await this.screen.until((text) => this.prompts(text) > 0);
  }

  prompts(text = this.screen.text()): number {
    // The blank behind the sign is cut off at the end of a line.
    return `${text} `.replaceAll("\n", " \n").match(PROMPT)?.length ?? 0;
  }

  [Symbol.dispose](): void {
    this.screen[Symbol.dispose]();
    if (this.#owned) this.place[Symbol.dispose]();
  }
}

tmuxTest(
  "the session on a terminal edits, recalls and completes lines, and keeps its place",
  async () => {
    using typed = new TypedSession();
    const { screen, place } = typed;
    await typed.ready();
    Deno.mkdirSync(place.at("work/some-directory"));
    assertStringIncludes(
      await typed.enter("echo heo", "Left", "ll", "End", " there"),
      "\nhello there\n",
    );
    const again = await typed.enter("Up");
    assertEquals(again.split("\nhello there\n").length, 3);
    screen.press("cd so", "Tab");
    await screen.until("cd some-directory/");
    await typed.enter();
    assertStringIncludes(await typed.enter("false"), "some-directory [1]$");
    screen.press("C-d");
    assertEquals(await screen.status(), 1);
  },
);

tmuxTest("Ctrl-C clears a line, ends a command and leaves the session", async () => {
  using typed = new TypedSession();
  const { screen } = typed;
  await typed.ready();
  screen.press("echo never", "C-c");
  await screen.until("never^C");
  screen.press("for i in 1 2; do", "Enter");
  await screen.until("\n>");
  screen.press("C-c");
  await screen.until((text) => typed.prompts(text) === 3);
  screen.press("trap 'echo caught; exit 9' INT; echo begun; while :; do sleep 0.1; done", "Enter");
  await screen.until("\nbegun");
  screen.press("C-c");
  const text = await screen.until((shown) => shown.includes("[130]$"));
  assertStringIncludes(text, "\ncaught\n");
  assertStringIncludes(text, "error: cancelled");
  // What ignores the interrupt is ended all the same.
  screen.press("trap '' INT; echo deaf; sleep 300 & wait", "Enter");
  await screen.until("\ndeaf");
  const before = typed.prompts();
  screen.press("C-c");
  await screen.until((text) => typed.prompts(text) > before);
  assertEquals((await typed.enter("echo alive")).includes("\nalive\n"), true);
});

tmuxTest(
  "commands that span lines, and pastes, are carried out when Enter is pressed",
  async () => {
    using typed = new TypedSession();
    const { screen } = typed;
    await typed.ready();
    screen.press("for i in 1 2; do", "Enter");
    await screen.until("\n>");
    screen.press("echo item $i", "Enter");
    await screen.until((text) => text.split("\n>").length === 3);
    assertStringIncludes(await typed.enter("done"), "\nitem 1\nitem 2\n");
    screen.paste("echo first\necho 'last \u001b[31m'\n");
    const pasted = await screen.until("echo first\u23ceecho 'last [31m'");
    assertEquals(pasted.includes("\nfirst"), false, "nothing is carried out before Enter");
    assertStringIncludes(await typed.enter(), "\nfirst\nlast [31m\n");
  },
);

tmuxTest(
  "a command reads from the terminal what is typed for it, and nothing that is for the prompt",
  async () => {
    using typed = new TypedSession();
    const { screen } = typed;
    await typed.ready();
    screen.press("echo reading; read answer; echo got $answer", "Enter");
    // What is typed before the command has begun is still the line editor's.
    await screen.until((text) => text.endsWith("\nreading"));
    screen.press("for the command", "Enter");
    await screen.until((text) => text.includes("got for the command") && typed.prompts(text) === 2);
    assertStringIncludes(await typed.enter("echo for the prompt"), "\nfor the prompt\n");
  },
);

tmuxTest("how a job ends is shown between prompts, and the line that is edited stays", async () => {
  using typed = new TypedSession();
  const { screen } = typed;
  await typed.ready();
  await typed.enter("debrief run --background -c 'read x; echo done $x'");
  await screen.until("waits for input");
  screen.press("echo par");
  await screen.until((text) => text.endsWith("echo par"));
  const id = /started in the background, (c\w+)/.exec(screen.text())?.[1];
  assert(id !== undefined);
  screen.press("C-u", `debrief send ${id} it`, "Enter");
  await screen.until("sent to");
  screen.press("echo par");
  const text = await screen.until((shown) =>
    new RegExp(`ok, exit 0, .*${id}`).test(shown) && shown.endsWith("echo par")
  );
  assert(text.includes("debrief"));
  assertStringIncludes(await typed.enter("tial"), "\npartial\n");
});

tmuxTest(
  "what was typed is there in the next session, redacted, and for nobody else to read",
  async () => {
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    using place = new TestPlace();
    {
      using typed = new TypedSession(place);
      await typed.ready();
      await typed.enter(`: token ${secret}`);
      await typed.enter(" : private");
      typed.screen.press("C-d");
      await typed.screen.status();
    }
    const path = place.at("state/debrief/history.jsonl");
    const text = Deno.readTextFileSync(path);
    assertEquals(text.split("\n").length, 2);
    assert(!text.includes(secret.slice(4)));
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    using later = new TypedSession(place);
    await later.ready();
    later.screen.press("Up");
    await later.screen.until(": token [REDACTED");
    await later.enter();
    // The history is out of a command's reach.
    assertStringIncludes(await later.enter(`cat ${path}`), "Permission denied");
  },
);

/** What makes a terminal one that cannot be opened anew, as that of another user after `su`: also for root. */
const FOREIGN = [
  "/bin/sh",
  "-c",
  'chmod 0 "$(tty)" && exec "$@"',
  "sh",
  ...(Deno.uid() === 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []),
];

tmuxTest("the session reads a terminal that it cannot open anew", async () => {
  using typed = new TypedSession(undefined, FOREIGN);
  await typed.ready();
  assertStringIncludes(await typed.enter("echo $((40 + 2))"), "\n42\n");
  // Nobody else's terminal is opened for commands either.
  assertStringIncludes(await typed.enter("cat; echo done"), "\ndone\n");
});
