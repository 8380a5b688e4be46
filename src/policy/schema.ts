/**
 * The shape of a policy file: one definition that validates it, types it and, through `tools/generate_schema.ts`,
 * becomes `policies/schema.json` for editors.
 *
 * The message of a schema says what is accepted; `problems.ts` puts it behind what was found. The message of a check is
 * the whole problem.
 */
import * as v from "valibot";
import { BACKENDS } from "./policy.ts";
import { problemOfDuration } from "./duration.ts";
import { problemOfEnv, problemOfEnvName } from "./env_entry.ts";
import { problemOfNet } from "./net_entry.ts";
import { isSocket, socketPath } from "./socket_entry.ts";
import { problemOfPath } from "./path_entry.ts";
import { problemOfAllowed, problemOfPattern, problemOfRuleName } from "./redact_entry.ts";
import { problemOfSize } from "./size.ts";
import { FeedbackSchema } from "./feedback_schema.ts";
import { ProtectSchema } from "./protect_schema.ts";
import { problemOfRun } from "./run_entry.ts";
import { list, sound } from "./schema_list.ts";

const LISTS =
  "A list adds to what is inherited, true grants everything, false drops what is inherited, " +
  '{ "allow": ..., "deny": ... } does either; a deny beats every allow and can never be dropped by an extending file.';
const PATHS =
  "Absolute paths, or paths that begin with $WORKSPACE, $HOME, $TMP, ~/ or ./ (the directory of this file); " +
  "each covers everything beneath it, and one that does not exist is not granted. The last component of a deny may hold * and ?.";

function effect(problemOf: (entry: string) => string | null, description: string) {
  return v.optional(
    v.pipe(
      v.union([v.boolean(), list(problemOf)], "true, false or a list of strings"),
      v.description(description),
    ),
  );
}

/** One permission: `true | false | list | { allow, deny }`, with more keys where a permission has any. */
function permission<E extends v.ObjectEntries>(
  problemOf: (entry: string, effect: "allow" | "deny") => string | null,
  options: { readonly description: string; readonly extra: E },
) {
  const allow = (entry: string) => problemOf(entry, "allow");
  const deny = (entry: string) => problemOf(entry, "deny");
  const keys = ["allow", "deny", ...Object.keys(options.extra)].map((key) => `"${key}"`);
  const object = v.strictObject({
    allow: effect(
      allow,
      "What is granted: true for everything, false to drop what is inherited, or a list that adds to it.",
    ),
    deny: effect(
      deny,
      "What is refused even where an allow covers it: true for everything, or a list. Denies only accumulate.",
    ),
    ...options.extra,
  });
  return v.optional(v.pipe(
    v.union(
      [v.boolean(), list(allow), object],
      `true, false, a list of strings or an object with ${keys.slice(0, -1).join(", ")} and ${
        keys.at(-1)
      }`,
    ),
    v.description(`${options.description} ${LISTS}`),
  ));
}

const duration = (none: boolean, description: string) =>
  v.optional(v.pipe(
    v.union([v.number(), v.string()], 'seconds as a number or a string such as "120s"'),
    sound<number | string>((value) => problemOfDuration(value, none)),
    v.description(description),
  ));

const size = (share: boolean, description: string) =>
  v.optional(v.pipe(
    v.union([v.number(), v.string()], 'bytes as a number or a string such as "512M"'),
    sound<number | string>((value) => problemOfSize(value, share)),
    v.description(description),
  ));

const count = (min: number, description: string) => {
  const max = Number.MAX_SAFE_INTEGER;
  const accepted = `a whole number from ${min} to ${max}`;
  return v.optional(v.pipe(
    v.number(accepted),
    sound<number>((value) =>
      Number.isSafeInteger(value) && value >= min
        ? null
        : `Cannot use ${value}: accepted is ${accepted}`
    ),
    v.description(description),
  ));
};

const text = (description: string) =>
  v.optional(v.pipe(v.string("a string"), v.description(description)));

const redactRule = v.strictObject({
  name: v.pipe(
    v.string("a string"),
    sound(problemOfRuleName),
    v.description("Shown in place of what it hides; kebab-case."),
  ),
  pattern: v.pipe(
    v.string("a string"),
    sound(problemOfPattern),
    v.description(
      "ECMAScript regular expression (flag u or v); what it matches is hidden. It must not match the empty string.",
    ),
  ),
}, 'an object with "name" and "pattern"');

/** An address, or a unix socket in Deno's notation. */
function problemOfAddress(entry: string, effect: "allow" | "deny"): string | null {
  return isSocket(entry) ? problemOfPath(socketPath(entry), effect) : problemOfNet(entry);
}

const loopback = v.optional(v.pipe(
  v.boolean("true or false"),
  v.description(
    "Whether commands may have servers of their own: listen on 127.0.0.1 and ::1 only, and connect to what a process of the session listens on. " +
      "Where it is not set, true for net turns it on and false turns it off.",
  ),
));

const exec = v.optional(v.pipe(
  list((entry: string) => problemOfPath(entry, "allow")),
  v.description(
    "Paths beneath which everything may be executed besides, where run is a list: helpers that programs start themselves, or what is built. " +
      "They may be read as read says.",
  ),
));

const set = v.optional(v.pipe(
  v.record(
    v.pipe(v.string(), sound(problemOfEnvName)),
    v.pipe(
      v.string("a string"),
      sound((value: string) => value.includes("\0") ? "Cannot set a value that holds NUL" : null),
    ),
    "an object of names and values",
  ),
  v.description(
    "Values that every command gets, whatever the parent's environment holds. A denied name is not set.",
  ),
));

/** A policy file. */
export const PolicySchema = v.pipe(
  v.strictObject({
    $schema: text("For editors: the path of schema.json."),
    description: text("What the policy is for, in a sentence; shown by `debrief policy`."),
    extends: v.optional(v.pipe(
      v.union(
        [v.string(), v.array(v.string("a string"), "a list of strings")],
        "a string or a list of strings",
      ),
      v.description(
        'Policies to start from, the later ones over the earlier: a built-in name ("default", "readonly", "offline", "ci", "open") ' +
          "or a path beginning with ./, ../ or /, relative to this file. Without it everything is refused that this file does not grant.",
      ),
    )),
    read: permission(problemOfPath, {
      description: `Files that commands may read and execute. ${PATHS}`,
      extra: {},
    }),
    write: permission(problemOfPath, {
      description: `Files that commands may create, change and delete. ${PATHS}`,
      extra: {},
    }),
    net: permission(problemOfAddress, {
      description:
        "Addresses that commands may reach: host, host:port, *.domain:port, IPv4, [IPv6]:port, 10.0.0.0/8:port, [fd00::/8]:port; without a port every port; " +
        "unix:/path for a unix socket, where the path may begin like those of read and write. " +
        "A name that leads to an address which is no public host needs that address, or a range, listed as well.",
      extra: { loopback },
    }),
    env: permission(problemOfEnv, {
      description: "Variables that commands get from the shell's environment: NAME or PREFIX_*. " +
        "Variables that make programs run code (LD_*, NODE_OPTIONS, BASH_ENV, ...) pass only when they are named exactly.",
      extra: { set },
    }),
    run: permission(problemOfRun, {
      description:
        "Programs that scripts may start: a name or an absolute path, optionally with words that the arguments must begin with; " +
        "* stands for any part of a word, as the last word for any further arguments. An allow needs exactly the leading arguments; " +
        "a deny matches when its words occur among the arguments in this order, and also when a part known only at run time could match. " +
        "Where it is a list, the kernel executes no file but those of these names on the search path that commands cannot write, " +
        "their interpreters, and the shells sh and bash.",
      extra: { exec },
    }),
    protect: ProtectSchema,
    enforcement: v.optional(v.pipe(
      v.picklist(["required", "best-effort"], '"required" or "best-effort"'),
      v.description(
        "Whether a command may run when the host cannot enforce a rule: required refuses it, best-effort runs and reports it.",
      ),
    )),
    backend: v.optional(v.pipe(
      v.picklist(BACKENDS, '"auto", "kernel", "bubblewrap" or "none"'),
      v.description(
        "What builds the jail: kernel needs nothing else; bubblewrap needs the program bwrap and user namespaces, and keeps a deny exact " +
          "inside a writable directory; auto takes kernel unless a rule needs the other and it is there; none confines nothing.",
      ),
    )),
    limits: v.optional(v.pipe(
      v.strictObject({
        timeout: duration(
          true,
          'Wall time of one command: seconds, or "120s", "2m", "500ms"; 0 or "none" means no limit.',
        ),
        grace: duration(false, "Time between TERM and KILL, in the same form."),
        idle: duration(true, "Time without output, in the same form."),
        input: duration(
          true,
          "Time for which a command may wait at a question while its input is open and nobody writes to it, in the same form; not on a terminal.",
        ),
        cpu: duration(true, "CPU time of all processes together, in the same form."),
        memory: size(
          true,
          'Memory of all processes together: bytes, "512M", or a share of the machine\'s such as "75%"; 0 or "none" means no limit.',
        ),
        processes: count(0, "Processes and threads at once; 0 means no limit."),
        fileSize: size(false, 'Size that a written file may reach: bytes, or "1G".'),
        openFiles: count(0, "Descriptors of one process; 0 means no limit."),
        output: size(false, 'Output on both streams together: bytes, or "10M".'),
      }, "an object"),
      v.description(
        "Bounds of one command. A value replaces the inherited one. What goes beyond one is ended as by the timeout, and has no exit code.",
      ),
    )),
    output: v.optional(v.pipe(
      v.strictObject({
        maxChars: count(1, "Shown output together with the feedback block, in characters."),
        maxLines: count(1, "Shown output in lines."),
        maxTokens: count(1, "Shown output together with the feedback block, in estimated tokens."),
        spoolBytes: count(0, "Bytes of output that are kept per command for later reading."),
      }, 'an object with "maxChars", "maxLines", "maxTokens" and "spoolBytes"'),
      v.description("How much output is shown and kept. A value replaces the inherited one."),
    )),
    redact: v.optional(v.pipe(
      v.strictObject({
        rules: v.optional(v.pipe(
          v.array(redactRule, 'a list of objects with "name" and "pattern"'),
          v.maxLength(256, "Cannot use so many rules: at most 256 are accepted"),
          v.description("Further patterns to hide in output and records; rules only accumulate."),
        )),
        env: v.optional(v.pipe(
          list(problemOfEnvName),
          v.description(
            "Names of variables of the shell whose values are hidden, besides the secret-named ones; names only accumulate.",
          ),
        )),
        values: v.optional(v.pipe(
          list((entry) => problemOfPath(entry, "allow")),
          v.description(
            "Files whose lines are values to hide, of a line NAME=VALUE the value as well; they are read once at start, and files only accumulate.",
          ),
        )),
        allow: v.optional(v.pipe(
          list(problemOfAllowed),
          v.description(
            "Exact values that are shown although a rule takes them for secrets, such as sample keys. " +
              "A policy that narrows another one shows only what both allow.",
          ),
        )),
      }, 'an object with "rules", "env", "values" and "allow"'),
      v.description("Additions to redaction."),
    )),
    feedback: FeedbackSchema,
  }, "an object"),
  v.title("Debrief policy"),
  v.description(
    "What commands may do, in Deno's permission vocabulary; deny beats allow wherever it stands.",
  ),
);

/** A policy file's value after validation. */
export type PolicyFile = v.InferOutput<typeof PolicySchema>;

/** The value of one list-like permission after validation. */
export type PermissionValue = NonNullable<PolicyFile["read"]>;

/** Deno permissions that Debrief does not grant, and why. */
export const REFUSED_PERMISSIONS: Readonly<Record<string, string>> = {
  sys:
    'system information is not a boundary that the jail can enforce for other programs; what they read of it is covered by "read"',
  ffi:
    'native code is what every command is; what it can touch is covered by "read", "write" and "net"',
  import:
    'commands import code themselves; where they can get it from is covered by "net" and "read"',
};
