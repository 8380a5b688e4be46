import { assertEquals } from "@std/assert";
import { errnoText } from "../../src/sandbox/errno_text.ts";

Deno.test("errnoText says what an error means and how it is called", () => {
  const cases = [
    { in: 1, want: "operation not permitted (EPERM)" },
    { in: 2, want: "no such file or directory (ENOENT)" },
    { in: 7, want: "argument list too long (E2BIG)" },
    { in: 8, want: "exec format error (ENOEXEC)" },
    { in: 11, want: "resource temporarily unavailable (EAGAIN)" },
    { in: 12, want: "cannot allocate memory (ENOMEM)" },
    { in: 13, want: "permission denied (EACCES)" },
    { in: 20, want: "not a directory (ENOTDIR)" },
    { in: 21, want: "is a directory (EISDIR)" },
    { in: 24, want: "too many open files (EMFILE)" },
    { in: 26, want: "text file busy (ETXTBSY)" },
    { in: 36, want: "file name too long (ENAMETOOLONG)" },
    { in: 40, want: "too many levels of symbolic links (ELOOP)" },
  ];
  for (const { in: errno, want } of cases) assertEquals(errnoText(errno), want);
});

Deno.test("errnoText falls back to the number", () => {
  for (const errno of [0, 3, 999]) assertEquals(errnoText(errno), `error ${errno}`);
});
