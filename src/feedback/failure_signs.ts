/**
 * Lines by which tools say why they failed, and what that makes the outcome. Every pattern is anchored, has no
 * unbounded repetition and is tried on at most 512 characters, so looking is linear in the lines.
 */
import type { OutcomeKind } from "../record/record.ts";

/** One kind of failure: the first line that matches is its reason. */
export interface FailureSign {
  readonly kind: OutcomeKind;
  /** The condition in words, for the reference. */
  readonly when: string;
  /** A command that ends so. */
  readonly example: string;
  readonly lines: readonly RegExp[];
}

/** Counts and summaries of test runners: pytest, unittest, jest, vitest, node, deno, cargo, go, mocha, RSpec, TAP. */
export const TEST_SUMMARIES: readonly RegExp[] = [
  /^=+ (?:.{0,80}, )?[1-9]\d{0,8} (?:failed|errors?)\b/,
  /^(?:[1-9]\d{0,8} (?:failed|errors?)(?:, .{1,100})?) in \d/,
  /^FAILED \((?:failures|errors)=/,
  /^(?:Tests|Test Suites): {1,10}[1-9]\d{0,8} failed\b/,
  /^ {1,10}(?:Test Files|Tests) {1,4}[1-9]\d{0,8} failed\b/,
  /^(?:#|\u2139) fail [1-9]/,
  /^FAILED \| \d/,
  /^error: (?:Test failed|test failed, to rerun)/,
  /^test result: FAILED\b/,
  /^(?:--- FAIL: |FAIL\t|FAIL$)/,
  /^ {2,6}[1-9]\d{0,8} failing$/,
  /^\d{1,8} examples?, [1-9]\d{0,8} failures?/,
  /^not ok [1-9]\d{0,8} /,
  /^(?:npm error|npm ERR!| ?ELIFECYCLE\u2009?) {1,2}Test failed\./,
];

/** Errors of compilers, linkers, linters and make. */
export const BUILD_ERRORS: readonly RegExp[] = [
  /^make(?:\[\d{1,4}\])?: \*\*\* .{1,400}(?:Error \d{1,3}|, needed by )/,
  /^[^:\s]{1,200}:\d{1,7}:(?:\d{1,5}:)? (?:fatal )?error: /,
  /^collect2: error: ld returned /,
  /^clang[\d+-]{0,6}: error: linker command failed/,
  /^error\[E\d{4}\]: /,
  /^error: (?:could not compile|aborting due to|Type checking failed|Found \d{1,7} not formatted)/,
  /^(?:vet: )?[\w./@-]{1,200}\.go:\d{1,7}:\d{1,5}: /,
  /^(?:.{1,300}\(\d{1,7},\d{1,5}\): |.{1,300}:\d{1,7}:\d{1,5} - )?error TS\d{4,5}: /,
  /^(?:error: )?TS\d{4,5} \[ERROR\]: /,
  /^\u2716 [1-9]\d{0,8} problems? \([1-9]/,
  /^Found [1-9]\d{0,8} problems?$/,
  /^\[(?:error|warn)\] .{0,200}(?:SyntaxError|Code style issues)/,
  /^ERROR: failed to (?:solve|build):/,
  /^CMake Error (?:at |in )/,
  /^Error: .{1,300} is not a directory$/,
  /^(?:npm error|npm ERR!) Lifecycle script `build` failed/,
];

/** Signs in the order in which they are tried. */
export const FAILURE_SIGNS: readonly FailureSign[] = [
  {
    kind: "usage",
    when: "a line that only a wrong command line gets",
    example: "git statsu",
    lines: [
      /^git: '.{1,64}' is not a git command/,
      /^(?:[Ee]rror: )?[Uu]nknown (?:command|flag|shorthand flag|option|switch|subcommand)\b/,
      /^(?:[Ee]rror: )?(?:unexpected argument|[Uu]nrecognized (?:subcommand|option)|no such (?:sub)?command)/,
      /^error: the following required arguments /,
      /^[^:\s]{1,64}: (?:error: )?(?:unrecognized|unknown|invalid|illegal|unsupported|bad) (?:command-line )?(?:option|command)\b/,
      /^[\w-]{1,40} [\w-]{1,40}: unknown command$/,
      /^flag provided but not defined: /,
      /^ERROR: unknown command "/,
      /^E: (?:Invalid operation |Command line option )/,
      /^error TS5(?:023|025): /,
      /^(?:error: )?[Ii]nvalid option ['"`]/,
      /^\s{0,4}(?:\u25cf )?Unrecognized (?:CLI Parameter|option "|option: ')/,
      /^curl: try 'curl --help'/,
      /^docker: .{1,80} (?:requires|accepts) /,
    ],
  },
  {
    kind: "disk-full",
    when: "no space is left, or the quota is used up",
    example: "cp big.iso /mnt/small/",
    lines: [/^.{0,300}(?:No space left on device|no space left on device|Disk quota exceeded)/],
  },
  {
    kind: "needs-input",
    when: "it asked, and nobody could answer",
    example: "git commit",
    lines: [
      /^EOFError: EOF when reading a line/,
      /^error: (?:Terminal is dumb, but EDITOR unset|There was a problem with the editor)/,
      /^Please supply the message using either -m or -F/,
      /^sudo: (?:a terminal is required|a password is required|no tty present)/,
      /^the input device is not a TTY/,
      /^.{0,120}(?:from a non[- ]TTY device|is not a terminal|not a tty$)/,
      /^.{0,200}\[[yY]\/[nN]\] ?(?:Abort\.)?$/,
      /^.{0,200}\((?:[yY]\/[nN]|yes\/no)\S{0,20}\)[?:]? ?$/,
      /^(?:[Ee]nter )?[\w' ]{0,60}(?:[Pp]assword|[Pp]assphrase)[\w @.'-]{0,80}: ?$/,
    ],
  },
  {
    kind: "missing-dependency",
    when: "a module that it needs is not installed",
    example: "python3 -c 'import nosuch'",
    lines: [
      /^(?:E {3})?ModuleNotFoundError: No module named /,
      /^[^:\s]{1,200}: No module named /,
      /^ {0,8}(?:Uncaught )?(?:Error: )?Cannot find (?:module|package) ['"][^.\/'"]/,
      /^.{1,300}error TS2307: Cannot find module '[^.\/']/,
      /^Can't locate [\w\/]{1,200}\.pm in @INC/,
    ],
  },
  {
    kind: "test-failure",
    when: "the summary of a test runner speaks of failures",
    example: "pytest",
    lines: TEST_SUMMARIES,
  },
  {
    kind: "conflict",
    when: "what is there contradicts it: merges, versions, names, locks, ports",
    example: "git merge feature",
    lines: [
      /^CONFLICT \(/,
      /^(?:Automatic merge failed|(?:error: )?[Cc]ould not apply )/,
      /^.{0,40}error: Your local changes to the following files would be overwritten/,
      /^error: (?:The following untracked working tree files would be overwritten|Merging is not possible|Committing is not possible|Pulling is not possible|Cherry-picking is not possible)/,
      /^ ! \[(?:rejected|remote rejected)\]/,
      /^fatal: (?:Not possible to fast-forward|a branch named |tag '|destination path |Exiting because of an unresolved conflict)/,
      /^fatal: Unable to create '.{1,400}\.lock': File exists/,
      /^error: (?:patch failed: |.{1,300}: patch does not apply)/,
      /^[^:\s]{1,64}: (?:cannot create|failed to create) .{1,300}: File exists$/,
      /^npm (?:error|ERR!) (?:code ERESOLVE|Version not changed|code EPUBLISHCONFLICT)/,
      /^ERROR: (?:ResolutionImpossible|Cannot install .{1,300} because these package versions have conflicting)/,
      /^.{0,300}(?:EADDRINUSE|[Aa]ddress already in use|port is already allocated|is already in use by container)/,
      /^(?:error: )?.{0,40}Error from server \((?:AlreadyExists|Conflict)\)/,
      /^E: (?:Could not get lock |Unable to lock )/,
      /^error: failed to select a version for /,
    ],
  },
  {
    kind: "rate-limited",
    when: "a server said too many requests (429)",
    example: "curl -f https://api.example/",
    lines: [
      /^.{0,300}(?:returned error: 429|ERROR 429:|HTTP\/[\d.]{1,3} 429|429 [Tt]oo [Mm]any|E429\b)/,
      /^.{0,300}(?:[Tt]oo ?[Mm]any ?[Rr]equests|[Rr]ate limit(?:er)? (?:exceeded|reached|Wait)|rate limit\.)/,
    ],
  },
  {
    kind: "auth",
    when: "a server or service did not let it in (401, 403, keys, log-in)",
    example: "git push",
    lines: [
      /^.{0,300}(?:returned error: 40[13]\b|ERROR 40[13]:|HTTP\/[\d.]{1,3} 40[13]\b|\b40[13] (?:Unauthorized|Forbidden))/,
      /^npm (?:error|ERR!) code (?:E40[13]|ENEEDAUTH|EOTP)\b/,
      /^.{0,200}Permission denied \((?:publickey|password|keyboard)/,
      /^Host key verification failed/,
      /^(?:fatal|remote): (?:Authentication failed|Invalid username|could not read (?:Username|Password))/,
      /^.{0,100}Error from server \(Forbidden\)/,
      /^error: You must be logged in/,
      /^.{0,200}pull access denied for /,
      /^permission denied while trying to connect to the Docker /,
      /^To get started with GitHub CLI, please run: /,
      /^Username\/Password Authentication Failed/,
    ],
  },
  {
    kind: "unavailable",
    when: "a server or service could not be reached, or said so (502, 503, 504)",
    example: "curl http://localhost:1/",
    lines: [
      /^.{0,300}(?:returned error: 50[234]\b|ERROR 50[234]:|HTTP\/[\d.]{1,3} 50[234]\b|\b50[234] (?:Bad Gateway|Service Unavailable|Gateway Time))/,
      /^npm (?:error|ERR!) code (?:E50[234]|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)\b/,
      /^.{0,400}(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)\b/,
      /^.{0,400}(?:[Cc]onnection refused|[Cc]onnection timed out|[Cc]onnection reset by peer|[Nn]o route to host|Network is unreachable)/,
      /^.{0,400}(?:[Cc]ould ?n[o']t resolve |Name or service not known|[Nn]ame resolution|no such host\b|unable to resolve host)/,
      /^.{0,400}(?:Failed to connect to |Couldn't connect to server|Failed to establish a new connection)/,
      /^Cannot connect to the Docker daemon /,
      /^The connection to the server .{1,200} was refused/,
      /^.{0,100}Error from server \((?:ServiceUnavailable|Timeout|InternalError)\)/,
      /^(?:error: )?.{0,100}error sending request for url/,
    ],
  },
  {
    kind: "missing-dependency",
    when: "a package, library or header that it needs is not there",
    example: "gcc uses_zlib.c -lz",
    lines: [
      /^npm (?:error|ERR!) (?:code (?:E404|ETARGET)|npx canceled|could not determine executable|missing: )/,
      /^[ \u2009]?ERR_PNPM_(?:FETCH_404|NO_MATCHING_VERSION|PACKAGE_NOT_FOUND)/,
      /^error (?:Error: )?(?:Couldn't find (?:any versions|package)|http\S{1,300}: Not Found$)/,
      /^ERROR: No matching distribution found for /,
      /^WARNING: Package\(s\) not found: /,
      /^error: (?:no matching package named |npm package '|Failed to spawn: )/,
      /^error\[E(?:0432|0433|0463)\]: /,
      /^.{0,300}(?:cannot find module providing package|no required module provides package|cannot find package ")/,
      /^[^:\s]{1,200}:\d{1,7}:\d{1,5}: fatal error: .{1,200}(?:No such file or directory|file not found)$/,
      /^.{0,100}\bld: cannot find -l/,
      /^ {0,4}Could not find a package configuration file provided by /,
      /^.{0,100}Could NOT find \w/,
      /^E: (?:Unable to locate package|Package '.{1,100}' has no installation candidate)/,
      /^ {0,4}\u00d7 No solution found when resolving dependencies/,
    ],
  },
  {
    kind: "timeout",
    when: "it gave up waiting, by a limit of its own",
    example: "curl -m 5 https://slow.example/",
    lines: [/^curl: \(28\) /, /^error: timed out waiting for the condition/],
  },
  {
    kind: "build-failure",
    when: "a compiler, linker, linter or make reports errors",
    example: "gcc bad.c",
    lines: BUILD_ERRORS,
  },
];

/** Lines on standard error that speak of a problem, although the status is 0. */
export const COMPLAINTS: readonly RegExp[] = [
  /^(?:[^:\s]{1,200}:\d{1,7}:\d{1,5}: )?warning(?:\[[\w:-]{1,40}\])?: /,
  /^(?:W|WARNING|E|ERROR|error|fatal|Error): /,
  /^[^:\s]{1,64}: .{1,400}: (?:No such file or directory|Permission denied|Is a directory|Not a directory|command not found)$/,
  /^[^:\s]{1,64}: (?:line \d{1,7}: )?\S{1,128}: command not found$/,
];
