/** From what a project is to its policy, and to what its agents are told. */
import type { Project } from "./detect_project.ts";

/** What a command may take where builds take minutes. */
const SLOW_TIMEOUT = "10m";
/** Truncation budget, as in the built-in policies; written, so that it can be changed here. */
const BUDGET = { maxLines: 200, maxTokens: 4_000 } as const;
/** Never what a check needs, in any project. */
const FORCED = ["git push --force*", "git push -f*"];

/** Lines around what is Debrief's in a file that others write too. */
const MARKS = { begin: "<!-- debrief: begin -->", end: "<!-- debrief: end -->" } as const;

/** The text of the policy, JSON with comments. */
export function policyText(project: Project, name: string): string {
  const { toolchains, remote } = project;
  const seen = new Set<string>();
  const groups = [
    ...toolchains.map(({ name, file, hosts }) => ({ why: `${name}, by ${file}`, hosts })),
    { why: "git fetch, by the remote origin", hosts: remote === null ? [] : [remote] },
  ].flatMap(({ why, hosts }) => {
    const fresh = hosts.filter((host) => !seen.has(host));
    for (const host of fresh) seen.add(host);
    return fresh.length === 0 ? [] : [{ why, hosts: fresh }];
  });
  const last = groups.at(-1)?.hosts.at(-1);
  const denied = [...FORCED, ...new Set(toolchains.flatMap(({ publishes }) => publishes))];
  const isSlow = toolchains.some(({ slow }) => slow);
  const parts = [
    [`"description": ${JSON.stringify(`The project ${name}.`)}`],
    [`"extends": "default"`],
    [
      "// Where packages and commits come from; nothing else is reached.",
      `"net": {`,
      `  "allow": [`,
      ...groups.flatMap(({ why, hosts }) => [
        `    // ${why}`,
        ...hosts.map((host) => `    ${JSON.stringify(host)}${host === last ? "" : ","}`),
      ]),
      "  ]",
      "}",
    ],
    [
      "// What leaves the machine for good is for you to do.",
      `"run": { "deny": ${JSON.stringify(denied)} }`,
    ],
    ...(isSlow ? [[`"limits": { "timeout": "${SLOW_TIMEOUT}" }`]] : []),
    [
      "// What a command's output and block may take of an agent's context.",
      `"output": { "maxLines": ${BUDGET.maxLines}, "maxTokens": ${BUDGET.maxTokens} }`,
    ],
  ];
  const used = groups.length > 0 ? parts : parts.filter(([first]) => !first?.includes("reached"));
  const body = used.map((lines) => lines.map((line) => `  ${line}`).join("\n")).join(",\n\n");
  return `// Written by debrief init; change it as you like, and check it with debrief policy check.\n{\n${body}\n}\n`;
}

/** What agents are told, between marks. */
export function agentNotes(project: Project): string {
  const checks = project.toolchains.flatMap(({ checks }) => checks);
  const [first] = checks;
  return [
    MARKS.begin,
    "",
    "## Commands",
    "",
    "Shell commands run through Debrief: `debrief -c 'COMMAND'`, with `--note 'WHAT IS EXPECTED'`.",
    "",
    "- Each ends with a block: what happened, what there is, what can be done next.",
    "- Output that was cut is kept: `debrief output ID --grep RE` shows it without another run.",
    "- A refusal names its rule; `debrief policy explain 'COMMAND'` says what is accepted instead.",
    ...(checks.length === 0
      ? []
      : [`- Checks of this project: ${checks.map((check) => `\`${check}\``).join(", ")}.`]),
    ...(first === undefined
      ? []
      : [`- Done is what \`debrief gate --require '${first}'\` passes.`]),
    "- `debrief handoff` sums up for whoever goes on.",
    "",
    MARKS.end,
    "",
  ].join("\n");
}

/**
 * A file with the notes in it: in the place of earlier ones, else at the end.
 *
 * @param text null for no file.
 */
export function withNotes(text: string | null, notes: string): string {
  if (text === null || text.trim() === "") return notes;
  const begin = text.indexOf(MARKS.begin);
  const end = text.indexOf(MARKS.end, begin);
  if (begin < 0 || end < 0) return `${text.trimEnd()}\n\n${notes}`;
  const rest = text.slice(end + MARKS.end.length).replace(/^\n/, "");
  return text.slice(0, begin) + notes + rest;
}
