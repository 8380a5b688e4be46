import { assertEquals } from "@std/assert";
import { EXIT } from "../../src/exit_codes.ts";
import { documentedFields } from "../../tools/documented_fields.ts";
import { renderReference } from "../../tools/generate_reference.ts";
import { readDocument, ROOT } from "./documents.ts";

Deno.test("docs/reference.md is what tools/generate_reference.ts writes", () => {
  assertEquals(readDocument("docs/reference.md"), renderReference());
});

Deno.test("documentedFields() finds every exit status with its comment", () => {
  const fields = documentedFields(Deno.readTextFileSync(`${ROOT}/src/exit_codes.ts`), "EXIT");
  assertEquals(fields.map(({ name, type }) => [name, Number(type)]), Object.entries(EXIT));
  assertEquals(fields.filter(({ doc }) => doc === ""), []);
});

Deno.test("documentedFields() reads names, types and comments over several lines", () => {
  const source = `
export interface Other { readonly no: string }

export interface Some extends Other {
  /** One. */
  readonly a: string;
  b: { readonly c: number; readonly d: string };
  /**
   * Two
   * lines.
   */
  readonly e:
    | "x"
    | "y";
}
`;
  assertEquals(documentedFields(source, "Some"), [
    { name: "a", type: "string", doc: "One." },
    { name: "b", type: "{ c: number; d: string }", doc: "" },
    { name: "e", type: '"x" | "y"', doc: "Two lines." },
  ]);
});
