/** A failure that an agent meets, and how one sees that it has got over it. */

/** What is fixed about a scenario; `SCENARIOS` were written down before any rule for them. */
export interface Scenario {
  readonly name: string;
  /** Files of the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Run by the benchmark itself in the workspace, before the session. */
  readonly setup?: string;
  /** Changes to the policy `default`. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** The session's goal. */
  readonly goal?: string;
  /** Commands of the session before the failing one. */
  readonly prelude?: readonly string[];
  /** The command that fails. */
  readonly command: string;
  /** Time limit of a command in ms. */
  readonly timeoutMs?: number;
  /** Reached when a later command has status 0 and prints a match, or when the benchmark's own check has status 0. */
  readonly done: { readonly prints: RegExp } | { readonly check: string };
}

/** A workspace with two branches that changed the same line; their names are main and feature. */
export const TWO_BRANCHES = `
git init -q -b main . && git config user.email you@example.com && git config user.name You
printf 'one\\n' > a.txt && git add -A && git commit -qm first
git checkout -qb feature && printf 'feature\\n' > a.txt && git commit -qam feature
git checkout -q main && printf 'main\\n' > a.txt && git commit -qam main`;

/** A repository with one commit. */
export const ONE_COMMIT = `
git init -q -b main . && git config user.email you@example.com && git config user.name You
git add -A && git commit -qm first --allow-empty`;

/** A clone whose upstream has a commit that it lacks, and a commit of its own in another file. */
export const BEHIND = `
git init -q --bare -b main up.git && git clone -q up.git mine 2>/dev/null && git clone -q up.git other 2>/dev/null
for d in mine other; do git -C $d config user.email you@example.com; git -C $d config user.name You; done
(cd other && git checkout -qB main && echo one > a.txt && git add . && git commit -qm one && git push -q origin main)
(cd mine && git pull -q origin main && git branch -q --set-upstream-to=origin/main)
(cd other && echo two > b.txt && git add . && git commit -qm two && git push -q origin main)
(cd mine && echo three > c.txt && git add . && git commit -qm three)
rm -rf other`;

/** Prints a server's answers in turn: a limit until a second after the first call. */
export const LIMITED = `#!/bin/bash
now=$(date +%s%N)
[ -f .first ] || echo "$now" > .first
if [ $(( (now - $(cat .first)) / 1000000 )) -lt 1000 ]; then
  echo 'HTTP/1.1 429 Too Many Requests' >&2
  echo 'Retry-After: 1' >&2
  exit 22
fi
echo fetched
`;

/** A package with two scripts. */
export const PACKAGE = JSON.stringify({
  name: "app",
  scripts: { build: "echo BUILT", test: "node --test" },
});
