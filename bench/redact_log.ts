/** A log as tools write it, with a secret in a given share of its lines; made from a seed, so that every run reads the same. */

/** Deterministic numbers in [0, 1): the generator of Park and Miller (1988), whose product fits a double. */
export function random(seed: number): () => number {
  let state = seed;
  return () => (state = state * 48271 % 2147483647) / 2147483647;
}

const encoder = new TextEncoder();
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function characters(alphabet: string, length: number, next: () => number): string {
  let out = "";
  for (let i = 0; i < length; i++) out += alphabet[Math.floor(next() * alphabet.length)];
  return out;
}

type Line = (next: () => number) => string;

const hex = (length: number, next: () => number) => characters("0123456789abcdef", length, next);
const whole = (below: number, next: () => number) => Math.floor(next() * below);

/** Lines without a secret: a build, a test run, a server, a package manager, a stack trace. */
const PLAIN: readonly Line[] = [
  (n) =>
    `2026-01-17T09:${10 + whole(50, n)}:${10 + whole(50, n)}.${
      100 + whole(900, n)
    }Z INFO  request ${hex(8, n)}-${hex(4, n)}-4${hex(3, n)}-a${hex(3, n)}-${
      hex(12, n)
    } GET /api/v1/orders/${whole(99999, n)} 200 ${whole(400, n)}ms`,
  (n) =>
    `   Compiling serde_json v1.0.${whole(200, n)} (/home/build/vendor/serde_json-${whole(99, n)})`,
  (n) => `test module_${whole(40, n)}::parses_case_${whole(900, n)} ... ok (${whole(90, n)} ms)`,
  (n) =>
    `10.0.${whole(255, n)}.${whole(255, n)} - - [17/Jan/2026:09:12:${
      10 + whole(50, n)
    } +0000] "POST /login HTTP/1.1" 302 ${whole(5000, n)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
  (n) =>
    `    at Object.handle (/srv/app/node_modules/router/lib/layer.js:${whole(900, n)}:${
      whole(80, n)
    })`,
  (n) =>
    `commit ${hex(40, n)} Merge pull request #${whole(9000, n)} from team/branch-${whole(900, n)}`,
  (n) =>
    `npm http fetch GET 200 registry/left-pad/-/left-pad-1.${whole(9, n)}.${whole(9, n)}.tgz ${
      whole(800, n)
    }ms (cache miss)`,
  (n) =>
    `{"level":"info","time":17370${whole(99999, n)},"pid":${
      whole(30000, n)
    },"msg":"job finished","queue":"mail","tries":${whole(5, n)}}`,
  (n) =>
    `src/components/Table.tsx(${whole(900, n)},${
      whole(80, n)
    }): warning TS6133: 'index' is declared but its value is never read.`,
  (n) =>
    `+  const total = items.reduce((sum, item) => sum + item.price * item.count, ${whole(9, n)});`,
];

/** Lines with a secret, each of another shape. */
const SECRET: readonly Line[] = [
  (n) => `DATABASE_PASSWORD=${characters(LETTERS, 20, n)}7`,
  (n) => `> authorization: Bearer ${characters(LETTERS, 40, n)}7`,
  (n) => `remote: using ${"gh" + "p_"}${characters(LETTERS, 36, n)}`,
  (n) => `connecting to postgres://app:${characters(LETTERS, 16, n)}7@db.internal:5432/app`,
  (n) => `{"level":"debug","api_key":"${characters(LETTERS, 32, n)}7"}`,
  (n) => `key id ${"AK" + "IA"}${characters("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, n)} in use`,
];

/** At least `bytes` bytes of log, of whose lines `share` hold a secret. */
export function secretLog(bytes: number, options: { share: number; seed?: number }): Uint8Array {
  const next = random(options.seed ?? 1);
  const out = new Uint8Array(bytes + 1024);
  let length = 0;
  while (length < bytes) {
    const lines = next() < options.share ? SECRET : PLAIN;
    const line = lines[whole(lines.length, next)] as Line;
    length += encoder.encodeInto(line(next) + "\n", out.subarray(length)).written;
  }
  return out.subarray(0, length);
}
