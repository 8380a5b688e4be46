/** README.md says what tries each thing that must fail: what it names is there, and the tables have not shrunk. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { ENVIRONMENT_CASES } from "./environment_cases.ts";
import { EXECUTION_CASES } from "./execution_cases.ts";
import {
  METADATA_CASES,
  OWN_FILE_CASES,
  READ_CASES,
  SET_ID_CASES,
  WRITE_CASES,
} from "./file_cases.ts";
import { NO_NETWORK_CASES } from "./network_cases.ts";
import { KERNEL_CASES, PROCESS_CASES, SIGNAL_CASES } from "./process_cases.ts";

const HERE = import.meta.dirname!;
/** Cases that must be tried at least, each with a control. */
const LEAST = 120;

/** Each file that the table names, with the quoted names behind it. */
function named(): readonly { readonly file: string; readonly names: readonly string[] }[] {
  const text = Deno.readTextFileSync(join(HERE, "README.md"));
  const cells = text.split("\n").filter((line) => /^\| (?!must fail|---)/.test(line))
    .map((line) => line.split("|").slice(2).join("|"));
  return cells.flatMap((cell) =>
    cell.split(/(?=`[\w./]+\.ts`)/).slice(1).map((part) => ({
      file: /^`([^`]+)`/.exec(part)![1]!,
      names: [...part.matchAll(/"([^"]+)"/g)].map(([, name]) => name!),
    }))
  );
}

Deno.test("tests/escape/README.md names files and tests that exist", () => {
  const rows = named();
  assert(rows.length > 50, `${rows.length} rows were found`);
  const lost = rows.flatMap(({ file, names }) => {
    const text = Deno.readTextFileSync(join(HERE, file));
    return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`);
  });
  assertEquals(lost, []);
});

Deno.test("the tables try no less than what must fail", () => {
  const tables = [
    ...[READ_CASES, WRITE_CASES, METADATA_CASES, SET_ID_CASES, OWN_FILE_CASES, PROCESS_CASES],
    ...[SIGNAL_CASES, KERNEL_CASES, NO_NETWORK_CASES, ENVIRONMENT_CASES, EXECUTION_CASES],
  ];
  const names = tables.flatMap((table) => table.map((one) => one.in));
  assert(names.length >= LEAST, `${names.length} cases`);
  for (const table of tables) {
    assertEquals(new Set(table.map((one) => one.in)).size, table.length, "a case stands twice");
  }
});
