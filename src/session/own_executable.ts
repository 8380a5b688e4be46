/** The compiled program, null when Deno runs its source. */
export function ownExecutable(): string | null {
  return Deno.build.standalone ? Deno.execPath() : null;
}
