/** Services that are away or ask for patience, programs that never end, and results that are there already. */
import { basename } from "node:path/posix";
import { endLines, programName } from "../observed.ts";
import {
  lineOf,
  type Proposal,
  quoted,
  run,
  type SuggestContext,
  type SuggestRule,
  withOption,
} from "./rule.ts";

/** The table. */
export const SERVICE_RULES: readonly SuggestRule[] = [
  { name: "lost-service", kinds: ["unavailable", "denied-sandbox"], propose: lostService },
  { name: "wait", kinds: ["rate-limited", "unavailable"], propose: wait },
  { name: "endless", kinds: ["timeout"], propose: endless },
  { name: "background", kinds: ["timeout"], propose: background },
  { name: "less-output", kinds: ["killed"], propose: lessOutput },
  { name: "space", kinds: ["disk-full"], propose: space },
  { name: "port", kinds: ["conflict"], propose: port },
  {
    name: "earlier-output",
    kinds: ["unavailable", "rate-limited", "auth", "denied-sandbox", "denied-policy", "timeout"],
    propose: earlierOutput,
  },
];

const REFUSED =
  /[Cc]onnection refused|ECONNREFUSED|Failed to connect to |Couldn't connect to server/;
const HERE = /\b(?:localhost|127\.0\.0\.1|\[?::1\]?)[:\s]/;

/** What an earlier command of the session has left running, and what is no longer there. */
function lostService({ observed, history }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const lines = endLines(observed.ending);
  if (line === null || !lines.some((text) => REFUSED.test(text))) return [];
  if (!lines.some((text) => HERE.test(text)) && !HERE.test(`${line} `)) return [];
  const started = history.findLast(({ command, exit_code }) =>
    exit_code === 0 && command.length === 1 && /[^&]&\s*$/.test(command[0] ?? "")
  )?.command[0]?.trim();
  if (started === undefined) return [];
  return [
    ...run(
      `${started} sleep 1; ${line}`,
      ": the first part ran before in this session and is what listens",
    ),
  ];
}

const RETRY_AFTER = /^(?:npm error |< )?[Rr]etry[- ][Aa]fter:? ?(\d{1,4})\b/;
/** Causes that waiting does not cure. */
const LASTING =
  /resolve host|resolve hostname|name resolution|Name or service not known|ENOTFOUND|no such host|daemon/;
/** Seconds of the longest pause that is suggested. */
const MAX_PAUSE = 60;

function wait({ observed, history, outcome, timeoutMs }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  if (
    line === null || LASTING.test(outcome.reason) ||
    (outcome.kind === "unavailable" && REFUSED.test(outcome.reason))
  ) {
    return [];
  }
  const said = endLines(observed.ending).map((text) => RETRY_AFTER.exec(text)?.[1]).find(Boolean);
  const core = line.replace(/^(?:sleep \d{1,3} && )+/, "");
  const tried =
    history.filter(({ command, exit_code }) => exit_code !== 0 && command.join(" ").endsWith(core))
      .length;
  const seconds = said === undefined ? 2 ** Math.min(tried + 1, 6) : Number(said);
  if (seconds > MAX_PAUSE || (timeoutMs > 0 && seconds * 1_000 >= timeoutMs)) {
    return [{ text: `the server asks for ${seconds} s without a request` }];
  }
  const why = said === undefined
    ? "tries again after a pause"
    : `tries again after the pause that the server asks for`;
  return [...run(`sleep ${Math.max(1, seconds)} && ${core}`, why)];
}

/** Forms that end, of programs that do not. */
function endless({ observed }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const [use] = observed.programs;
  if (line === null || use === undefined || observed.programs.length !== 1) return [];
  const follows = use.args.some((arg) =>
    arg !== null && /^(?:-\w{0,4}[fF]|--follow(?:=\w{1,12})?)$/.test(arg)
  );
  const without = line.split(" ").filter((word) =>
    !/^(?:-\w{0,4}[fF]|--follow(?:=\w{1,12})?)$/.test(word)
  ).join(" ");
  switch (programName(use)) {
    case "tail":
      return follows
        ? [...run(without.replace(/^tail/, "tail -n 100"), "prints the last lines and ends")]
        : [];
    case "journalctl":
    case "kubectl":
    case "docker":
      return follows ? [...run(without, "prints what is there and ends")] : [];
    case "ping":
      return [...run(withOption(observed, "-c 4"), "ends after four answers")];
    case "top":
      return [...run("top -b -n 1", "prints once and ends")];
    case "watch":
      return [...run(line.replace(/^watch (?:-\w{1,3} (?:[\d.]{1,6} )?){0,3}/, ""), "runs once")];
    case "yes":
      return [...run(`${line} | head -n 100`, "ends after 100 lines")];
    default:
      return [];
  }
}

const SERVES =
  /\b(?:listening|serving|started|ready|watching for|running) (?:on|at|in|HTTP|for)\b|https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)|^serving\b/im;
const SERVERS =
  /\b(?:serve|server|dev|start|watch|http\.server|runserver|uvicorn|gunicorn|nodemon)\b/;

/** What serves goes on beside other commands. */
function background({ observed, keepsJobs }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  const { stdout, stderr } = observed.ending.summary;
  if (line === null || !keepsJobs || !observed.ending.timedOut || /[&|;<>]/.test(line)) return [];
  if (!SERVES.test(`${stdout.tail}\n${stderr.tail}`.slice(0, 4_096)) && !SERVERS.test(line)) {
    return [];
  }
  const name = basename(programName(observed.programs[0])).replace(/[^\w-]/g, "") || "job";
  return [...run(`${line} > ${name}.log 2>&1 &`, "goes on beside the session's other commands")];
}

function lessOutput({ observed }: SuggestContext): Proposal[] {
  const line = lineOf(observed);
  return line === null || observed.ending.limit?.name !== "output"
    ? []
    : [...run(`${line} | head -n 1000`, "ends after 1000 lines")];
}

function space({ observed: _ }: SuggestContext): Proposal[] {
  return [
    ...run("df -h . /tmp", "shows how full file systems are"),
    ...run("du -xh --max-depth=1 . | sort -h | tail", "shows what takes most here"),
  ];
}

function port({ outcome }: SuggestContext): Proposal[] {
  return /EADDRINUSE|already in use|already allocated/.test(outcome.reason)
    ? [...run("ss -ltnp", "lists what listens on which port")]
    : [];
}

/** The same command has succeeded before: what it printed then can still be read. */
function earlierOutput({ observed, history }: SuggestContext): Proposal[] {
  const typed = observed.command.join(" ");
  const earlier = history.findLast(({ command, exit_code, output_id }) =>
    exit_code === 0 && output_id && command.join(" ") === typed
  );
  return earlier?.output_id
    ? [{
      text: `\`debrief output ${
        quoted(earlier.output_id)
      }\` has what it printed when it last succeeded`,
    }]
    : [];
}
