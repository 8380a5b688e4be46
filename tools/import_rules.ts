import type { ImportEdge } from "./module_graph.ts";

/** A layer: imports go from a lower rank to a higher one, or stay within one layer. */
interface Layer {
  readonly name: string;
  readonly rank: number;
}

/** Folders of `src/` with their ranks, top down. */
const FOLDERS: Readonly<Record<string, number>> = {
  cli: 1,
  client: 1,
  session: 2,
  protocol: 2.5,
  feedback: 3,
  telemetry: 3,
  record: 4,
  output: 5,
  sandbox: 5,
  policy: 6,
  command: 7,
};

/** Single files with their layers. */
const FILES: readonly { readonly pattern: RegExp; readonly layer: Layer }[] = [
  { pattern: /^main\.tsx?$/, layer: { name: "main.ts", rank: 0 } },
  { pattern: /^src\/mod\.ts$/, layer: { name: "src/mod.ts", rank: -1 } },
  { pattern: /^src\/errors\.ts$/, layer: { name: "src/errors.ts", rank: 9 } },
  { pattern: /^src\/exit_codes\.ts$/, layer: { name: "src/exit_codes.ts", rank: 9 } },
];

/** Code at the kernel boundary is read alone, so it stands on nothing of this project. */
const ISOLATED = "src/sandbox/linux/";

/** The local copies of packages, which count as packages when they are imported as such. */
const PACKAGES = "links/";

/** The layer of a file, undefined if the rules name none for it. */
export function layerOf(file: string): Layer | undefined {
  const single = FILES.find(({ pattern }) => pattern.test(file));
  if (single !== undefined) return single.layer;
  const folder = /^src\/([^/]+)\//.exec(file)?.[1] ?? "";
  const rank = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined;
  return rank === undefined ? undefined : { name: `src/${folder}`, rank };
}

/** Every broken rule as `file:line: reason`, in the order of the edges, cycles last. */
export function findViolations(edges: readonly ImportEdge[]): string[] {
  const own = edges.filter((edge) => !isPackage(edge));
  const broken = own.flatMap((edge) => {
    const reason = judge(edge);
    return reason === undefined ? [] : [`${edge.from}:${edge.line}: ${reason}`];
  });
  return [...broken, ...findCycles(own)];
}

function isPackage({ from, to, specifier }: ImportEdge): boolean {
  return from.startsWith(PACKAGES) || (to.startsWith(PACKAGES) && !specifier.startsWith("."));
}

function judge({ from, to }: ImportEdge): string | undefined {
  const [source, target] = [layerOf(from), layerOf(to)];
  if (source === undefined) return `no layer is defined for ${from}`;
  if (target === undefined) return `${to} is outside the layers of src`;
  if (target.name === "src/mod.ts") return "nothing imports src/mod.ts";
  if (from.startsWith(ISOLATED) && !to.startsWith(ISOLATED)) {
    return `${ISOLATED} imports nothing outside itself, not ${to}`;
  }
  if (source.name === target.name || source.rank < target.rank) return undefined;
  const direction = source.rank === target.rank ? "sideways" : "up";
  return `imports ${direction}: ${source.name} (rank ${source.rank}) -> ` +
    `${target.name} (rank ${target.rank})`;
}

/** Each cycle once, found by depth-first search; `file:line` is the import that closes it. */
function findCycles(edges: readonly ImportEdge[]): string[] {
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string): void => {
    path.push(file);
    for (const { to, line } of outgoing.get(file) ?? []) {
      const start = path.indexOf(to);
      if (start !== -1) {
        cycles.push(`${file}:${line}: cycle: ${[...path.slice(start), to].join(" -> ")}`);
      } else if (!done.has(to)) visit(to);
    }
    path.pop();
    done.add(file);
  };
  for (const file of [...outgoing.keys()].sort()) if (!done.has(file)) visit(file);
  return cycles;
}
