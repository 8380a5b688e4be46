import { assertEquals } from "@std/assert";
import { nearestDirectory } from "../../src/session/working_directory.ts";
import { TestPlace } from "./test_session.ts";

Deno.test("nearestDirectory() climbs to what is there and can be entered", () => {
  using place = new TestPlace();
  place.write("work/file", "");
  Deno.symlinkSync(place.at("outside"), place.at("work/link"));
  Deno.symlinkSync(place.at("nosuch"), place.at("work/dangling"));
  const cases = [
    { in: place.at("work"), want: place.at("work") },
    { in: place.at("work/link"), want: place.at("work/link") },
    { in: place.at("work/gone"), want: place.at("work") },
    { in: place.at("work/gone/deeper/still"), want: place.at("work") },
    { in: place.at("work/file"), want: place.at("work") },
    { in: place.at("work/file/x"), want: place.at("work") },
    { in: place.at("work/dangling/x"), want: place.at("work") },
    { in: "/nosuch/x", want: "/" },
    { in: "/", want: "/" },
    { in: `/${"x".repeat(5000)}`, want: "/" },
  ];
  for (const { in: path, want } of cases) {
    assertEquals(nearestDirectory(path), want, path.slice(0, 80));
  }
});
