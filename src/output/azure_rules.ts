/**
 * Keys of Microsoft Azure. They carry a mark near their end by which Microsoft's own scanners know them
 * (learn.microsoft.com, "Sensitive information type entity definitions", and github.com/microsoft/security-utilities).
 */
import type { TokenRule } from "./token_rule.ts";

/** A key with its mark behind `before` characters of a class and in front of `after` more. */
function marked(
  name: string,
  mark: string,
  key: { before: number; after: number; characters?: string; ending?: string },
): TokenRule {
  const { before, after, characters = "A-Za-z0-9", ending = "" } = key;
  const text = mark.replace("+", "\\+");
  return {
    name,
    keywords: [mark.toLowerCase()],
    source: `[${characters}]{${before}}${text}[${characters}]{${after}}${
      ending.replace(/=+/, "={0,2}")
    }`,
    shapes: [`{a${before}}${mark}{a${after}}${ending}`],
    lookback: { bytes: characters, max: before },
  };
}

const BASE64 = "A-Za-z0-9+/";
const URL64 = "A-Za-z0-9_-";

/** Rows of the table. */
export const AZURE_RULES: readonly TokenRule[] = [
  {
    name: "azure-client-secret",
    keywords: ["q~"],
    source: "[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{30,}",
    shapes: ["{a3}8Q~{a34:34}"],
    lookback: { bytes: "A-Za-z0-9_~.-", max: 4 },
  },
  marked("azure-devops-token", "AZDO", { before: 76, after: 4 }),
  marked("azure-ai-key", "JQQJ99", { before: 52, after: 26 }),
  marked("azure-storage-key", "+ASt", { before: 76, after: 6, characters: BASE64, ending: "==" }),
  marked("azure-batch-key", "+ABa", { before: 76, after: 6, characters: BASE64, ending: "==" }),
  marked("azure-cosmos-key", "ACDb", { before: 76, after: 6, characters: BASE64, ending: "==" }),
  marked("azure-management-key", "APIM", {
    before: 76,
    after: 6,
    characters: BASE64,
    ending: "==",
  }),
  marked("azure-service-bus-key", "+ASb", {
    before: 33,
    after: 6,
    characters: BASE64,
    ending: "=",
  }),
  marked("azure-event-hub-key", "+AEh", { before: 33, after: 6, characters: BASE64, ending: "=" }),
  marked("azure-iot-key", "AIoT", { before: 33, after: 6, characters: BASE64, ending: "=" }),
  marked("azure-cache-key", "AzCa", { before: 33, after: 6, ending: "=" }),
  marked("azure-registry-key", "+ACR", { before: 42, after: 6, characters: BASE64 }),
  marked("azure-search-key", "AzSe", { before: 42, after: 6 }),
  marked("azure-function-key", "AzFu", { before: 44, after: 6, characters: URL64, ending: "==" }),
];
