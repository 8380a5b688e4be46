import { assertEquals } from "@std/assert";
import { identityOf, SecretStore } from "../../src/output/secret_store.ts";
import { bytesOf } from "./redact_helpers.ts";
import { alnum } from "./rules_samples.ts";

Deno.test("SecretStore.learn takes what looks like a secret, and nothing that would be found again in itself", () => {
  const cases = [
    { value: alnum(20), learned: true },
    { value: alnum(4000), learned: true },
    { value: alnum(12, 1) + alnum(12, 2) + alnum(12, 1), learned: true },
    { value: alnum(12) + alnum(12), learned: true },
    { value: "a1b2c3d4;".repeat(3), learned: false },
    { value: "pass:=a1b2c3d4e5;".repeat(200), learned: false },
    { value: "0123456789ab".repeat(40) + "01", learned: false },
    { value: "correcthorsebattery", learned: false },
  ];
  for (const { value, learned } of cases) {
    const store = new SecretStore();
    store.learn(identityOf(value), () => bytesOf(value));
    assertEquals(store.known.size > 0, learned, value.slice(0, 40));
  }
});
