import { assertEquals } from "@std/assert";
import { SpoolQuota } from "../../src/output/spool_quota.ts";

interface Kept {
  readonly directory: string;
  readonly store: (id: string, bytes: number) => void;
  readonly ids: () => readonly string[];
}

function withOutputs(run: (kept: Kept) => void): void {
  const directory = Deno.makeTempDirSync();
  let time = 1;
  const store = (id: string, bytes: number) => {
    Deno.mkdirSync(`${directory}/${id}`);
    Deno.writeFileSync(`${directory}/${id}/stdout`, new Uint8Array(bytes));
    Deno.utimeSync(`${directory}/${id}/stdout`, time, time++);
  };
  try {
    run({
      directory,
      store,
      ids: () => [...Deno.readDirSync(directory)].map((e) => e.name).sort(),
    });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

Deno.test("SpoolQuota removes the session's oldest outputs, never the newest or another session's", () => {
  withOutputs(({ directory, store, ids }) => {
    const quota = new SpoolQuota(directory, { session: 250, total: 10_000, check: 10_000 });
    store("other", 5000);
    for (const id of ["a", "b", "c", "d"]) {
      store(id, 100);
      quota.add(id, 100);
    }
    assertEquals(ids(), ["c", "d", "other"]);
    store("large", 1000);
    quota.add("large", 1000);
    assertEquals(ids(), ["large", "other"]);
  });
});

Deno.test("SpoolQuota looks at the total after so many bytes, and the oldest of all go first", () => {
  withOutputs(({ directory, store, ids }) => {
    const quota = new SpoolQuota(directory, { session: 10_000, total: 350, check: 200 });
    for (const id of ["x", "y", "z"]) store(id, 100);
    store("a", 100);
    quota.add("a", 100);
    assertEquals(ids(), ["a", "x", "y", "z"]);
    store("b", 100);
    quota.add("b", 100);
    assertEquals(ids(), ["a", "b", "z"]);
  });
});

Deno.test("SpoolQuota.end looks at the total where much was stored, else in one of 32 sessions", () => {
  const cases = [
    { bytes: 1 << 20, last: "a1", want: ["a1"] },
    { bytes: 100, last: "a1", want: ["a1", "x"] },
    { bytes: 100, last: "a0", want: ["a0"] },
  ];
  for (const { bytes, last, want } of cases) {
    withOutputs(({ directory, store, ids }) => {
      const quota = new SpoolQuota(directory, { session: 1 << 30, total: 150, check: 1 << 30 });
      store("x", 100);
      store(last, 100);
      quota.add(last, bytes);
      quota.end(last);
      assertEquals(ids(), want);
    });
  }
});

Deno.test("SpoolQuota survives a directory that is gone", () => {
  const quota = new SpoolQuota("/nonexistent/outputs", { session: 10, total: 10, check: 1 });
  quota.add("a", 100);
  quota.add("b", 100);
  quota.end("b0");
});
