import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "node:path/posix";
import { ConfigFiles } from "../../src/cli/agents/config_file.ts";
import { readWithin, replaceFile } from "../../src/cli/replace_file.ts";

/** A directory of the user's with something precious, and a project that commands write in. */
class Place implements Disposable {
  readonly #top = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-replace-" }));
  readonly project = this.at("project");

  constructor() {
    Deno.mkdirSync(this.at("project/.claude"), { recursive: true });
    Deno.mkdirSync(this.at("home"));
    Deno.writeTextFileSync(this.at("home/precious"), "{}", { mode: 0o600 });
    Deno.writeTextFileSync(this.at("project/.claude/settings"), "{}", { mode: 0o640 });
  }

  at(name: string): string {
    return join(this.#top, name);
  }

  /** Nothing of the user's was changed, and no draft is left. */
  check(what: string): void {
    assertEquals(Deno.readTextFileSync(this.at("home/precious")), "{}", what);
    assertEquals(Deno.statSync(this.at("home/precious")).mode! & 0o777, 0o600, what);
    for (const directory of ["home", "project"]) {
      const names = Array.from(Deno.readDirSync(this.at(directory)), ({ name }) => name);
      assertEquals(names.filter((name) => name.startsWith(".debrief-")), [], what);
    }
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#top, { recursive: true });
  }
}

const SETTINGS = "project/.claude/settings";

Deno.test("replaceFile replaces, makes and removes files; modes stay", () => {
  using place = new Place();
  for (const within of [place.project, null]) {
    const path = place.at(SETTINGS);
    replaceFile(path, { now: "{}", text: "\ufeffnew", mode: 0o600, within });
    assertEquals(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(Deno.readFileSync(path)),
      "\ufeffnew",
    );
    assertEquals(Deno.statSync(path).mode! & 0o777, 0o640);
    replaceFile(path, { now: "\ufeffnew", text: "{}", mode: 0o600, within });
    const made = place.at(`project/a/${within === null}/b`);
    replaceFile(made, { now: null, text: "made", mode: 0o600, within });
    assertEquals([Deno.readTextFileSync(made), Deno.statSync(made).mode! & 0o777], ["made", 0o600]);
    replaceFile(made, { now: "made", text: null, mode: 0o600, within });
    assertThrows(() => Deno.statSync(made), Deno.errors.NotFound);
    replaceFile(place.at("project/none/none"), { now: null, text: null, mode: 0o600, within });
  }
  place.check("ordinary");
});

Deno.test("replaceFile follows a link of the user's own to the file", () => {
  using place = new Place();
  Deno.symlinkSync("precious", place.at("home/link"));
  replaceFile(place.at("home/link"), { now: "{}", text: "new", mode: 0o644, within: null });
  assert(Deno.lstatSync(place.at("home/link")).isSymlink);
  assertEquals(Deno.readTextFileSync(place.at("home/precious")), "new");
  assertEquals(Deno.statSync(place.at("home/precious")).mode! & 0o777, 0o600);
});

Deno.test("replaceFile writes nothing through what came into a project after it was read", () => {
  const attacks: readonly {
    readonly name: string;
    readonly attack: (place: Place) => void;
    readonly want: string;
  }[] = [
    {
      name: "a link in place of the file",
      attack: (place) => {
        Deno.removeSync(place.at(SETTINGS));
        Deno.symlinkSync(place.at("home/precious"), place.at(SETTINGS));
      },
      want: "no regular file",
    },
    {
      name: "a link in place of its directory",
      attack: (place) => {
        Deno.renameSync(place.at("project/.claude"), place.at("project/other"));
        Deno.renameSync(place.at("home/precious"), place.at("home/settings"));
        Deno.symlinkSync(place.at("home"), place.at("project/.claude"));
      },
      want: "(E",
    },
    {
      name: "a link in place of the project",
      attack: (place) => {
        Deno.renameSync(place.project, place.at("moved"));
        Deno.mkdirSync(place.at("home/.claude"));
        Deno.renameSync(place.at("home/precious"), place.at("home/.claude/settings"));
        Deno.symlinkSync(place.at("home"), place.project);
      },
      want: "(E",
    },
    {
      name: "another text",
      attack: (place) => Deno.writeTextFileSync(place.at(SETTINGS), '{ "a": 1 }'),
      want: "changed meanwhile",
    },
    {
      name: "a directory",
      attack: (place) => {
        Deno.removeSync(place.at(SETTINGS));
        Deno.mkdirSync(place.at(SETTINGS));
      },
      want: "no regular file",
    },
  ];
  for (const { name, attack, want } of attacks) {
    for (const text of ["$(evil)", null]) {
      using place = new Place();
      const files = new ConfigFiles({ scope: "project", project: place.project });
      const path = place.at(SETTINGS);
      const now = files.read(path);
      attack(place);
      const error = assertThrows(() => files.replace(path, { now, text }), Error);
      assertStringIncludes(error.message, want, name);
      const found = ["home/precious", "home/settings", "home/.claude/settings"].map((at) => {
        try {
          return Deno.readTextFileSync(place.at(at));
        } catch {
          return null;
        }
      });
      assertEquals(found.filter((text) => text !== null), ["{}"], name);
    }
  }
});

Deno.test("replaceFile follows no link within a project, wherever it leads", () => {
  using place = new Place();
  Deno.symlinkSync(place.at("home"), place.at("project/way"));
  Deno.symlinkSync(place.at("home/precious"), place.at("project/link"));
  Deno.symlinkSync(place.at("home/absent"), place.at("project/dangling"));
  for (const name of ["way/precious", "way/new", "link", "dangling"]) {
    const path = place.at(`project/${name}`);
    for (const now of ["{}", null]) {
      const write = () =>
        replaceFile(path, { now, text: "new", mode: 0o600, within: place.project });
      assertThrows(write, Error, "Cannot write", name);
    }
    assertThrows(() => readWithin(path, place.project), Error, "Cannot use", name);
  }
  assertEquals([...Deno.readDirSync(place.at("home"))].length, 1);
  place.check("links");
});
