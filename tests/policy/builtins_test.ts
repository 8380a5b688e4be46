import { assert, assertEquals } from "@std/assert";
import { BUILTIN_NAMES, type BuiltinName } from "../../src/policy/builtins.ts";
import { loadPolicy } from "../../src/policy/load.ts";
import {
  coversDenied,
  coversPath,
  decideEnv,
  decideNet,
  decidePath,
} from "../../src/policy/match.ts";
import { VARIABLES } from "./fixture.ts";

function builtin(name: BuiltinName) {
  return loadPolicy({
    choice: name,
    envChoice: null,
    configDir: "/nonexistent",
    variables: VARIABLES,
    trustPolicy: false,
  });
}

Deno.test("the built-in policies load, and none but open reaches the network or writes outside", () => {
  for (const name of BUILTIN_NAMES) {
    const policy = builtin(name);
    assertEquals(policy.enforcement, "required");
    assertEquals(policy.run.allow.map((rule) => rule.pattern), ["*"]);
    const open = name === "open";
    assertEquals(decideNet(policy, { host: "example.com", port: 443 }).allowed, open, name);
    for (
      const path of [
        "/etc/passwd",
        "/home/user/.bashrc",
        "/usr/bin/x",
        "/work/other",
        "/tmp/other",
        "/dev/sda",
      ]
    ) {
      assertEquals(
        decidePath(policy, { permission: "write", path }).allowed,
        open,
        `${name} ${path}`,
      );
    }
    assertEquals(decidePath(policy, { permission: "write", path: "/tmp/session/x" }).allowed, true);
    assertEquals(decidePath(policy, { permission: "write", path: "/dev/null" }).allowed, true);
    assertEquals(
      decidePath(policy, { permission: "write", path: "/work/project/x" }).allowed,
      name !== "readonly",
      name,
    );
    assertEquals(policy.limits.timeoutMs, name === "ci" ? 900_000 : 120_000);
    assertEquals(policy.output, {
      maxChars: 8000,
      maxLines: 200,
      maxTokens: 4000,
      spoolBytes: 67_108_864,
    });
  }
});

Deno.test("the built-in policies but open keep secrets closed, by a rule that names them", () => {
  const secrets = [
    ..."shadow shadow- gshadow gshadow- sudoers sudoers.d/x ssh/ssh_host_ed25519_key ssl/private/x.key letsencrypt/live/x krb5.keytab"
      .split(" ").map((path) => `/etc/${path}`),
    ...".ssh/id_ed25519 .gnupg/x .aws/credentials .config/gcloud/x .azure/x .kube/config .docker/config.json .netrc .npmrc .pypirc"
      .split(" ").map((path) => `/home/user/${path}`),
    ...".git-credentials .config/git/credentials .config/gh/hosts.yml .bash_history .zsh_history .python_history .mozilla/x"
      .split(" ").map((path) => `/home/user/${path}`),
    ...".cargo/credentials.toml .claude.json .claude/.credentials.json .config/debrief/policy.jsonc .local/share/keyrings/x .pgpass"
      .split(" ").map((path) => `/home/user/${path}`),
  ];
  for (const name of ["default", "readonly", "offline", "ci"] as const) {
    const policy = builtin(name);
    for (const path of secrets) {
      const decision = decidePath(policy, { permission: "read", path });
      assertEquals([decision.allowed, decision.rule?.effect], [false, "deny"], `${name} ${path}`);
    }
    for (
      const variable of [
        "GITHUB_TOKEN",
        "CI_JOB_TOKEN",
        "NPM_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "OPENAI_API_KEY",
        "CARGO_REGISTRY_TOKEN",
        "MISE_GITHUB_TOKEN",
        "DENO_AUTH_TOKENS",
        "SSH_AUTH_SOCK",
        "LD_PRELOAD",
        "NODE_OPTIONS",
        "BASH_ENV",
      ]
    ) {
      assertEquals(decideEnv(policy, variable).allowed, false, `${name} ${variable}`);
    }
  }
});

Deno.test("the built-in policies let ordinary tools read what they need", () => {
  const paths = [
    ..."/usr/bin/git /bin/sh /lib64/ld-linux-x86-64.so.2 /etc/passwd /etc/ssl/certs/ca-certificates.crt /etc/ssh/ssh_config"
      .split(" "),
    ..."/etc/ssh/ssh_host_ed25519_key.pub /etc/alternatives/java /proc/cpuinfo /dev/null /dev/urandom /opt/x /tmp/session/x"
      .split(" "),
    ..."/work/project/src /home/user/.gitconfig /home/user/.config/git/config /home/user/.cargo/bin/cargo /home/user/.nvm/x"
      .split(" "),
  ];
  for (const name of BUILTIN_NAMES) {
    const policy = builtin(name);
    for (const path of paths) {
      assertEquals(
        decidePath(policy, { permission: "read", path }).allowed,
        true,
        `${name} ${path}`,
      );
    }
    for (const variable of ["PATH", "HOME", "LANG", "LC_ALL", "TERM", "CI", "JAVA_HOME"]) {
      assertEquals(decideEnv(policy, variable).allowed, true, `${name} ${variable}`);
    }
  }
});

Deno.test("the default policy denies below its grants only within /etc, so that every other grant stays whole", () => {
  for (const name of ["default", "readonly", "ci"] as const) {
    const { allow, deny } = builtin(name).read;
    const below = deny.filter((rule) =>
      allow.some((grant) => coversPath(grant.pattern, rule.pattern))
    );
    assertEquals(below.filter((rule) => !rule.pattern.startsWith("/etc/")), []);
    const dead = allow.filter((grant) =>
      deny.some((rule) => coversDenied(rule.pattern, grant.pattern))
    );
    assertEquals(dead, []);
  }
});

Deno.test("the offline policy reads beyond the project, but no other user's home and no devices", () => {
  const policy = builtin("offline");
  const table: readonly { in: string; want: boolean }[] = [
    { in: "/home/user/notes.txt", want: true },
    { in: "/var/lib/x", want: true },
    { in: "/srv/www", want: true },
    { in: "/home/other/notes.txt", want: false },
    { in: "/dev/sda", want: false },
    { in: "/run/user/0/bus", want: false },
    { in: "/var/log/auth.log", want: false },
  ];
  for (const { in: path, want } of table) {
    assertEquals(decidePath(policy, { permission: "read", path }).allowed, want, path);
  }
});

Deno.test("the built-in policies name the schema for editors", () => {
  for (const name of BUILTIN_NAMES) {
    const text = Deno.readTextFileSync(new URL(`../../policies/${name}.jsonc`, import.meta.url));
    assert(text.includes('"$schema": "./schema.json"'), name);
  }
});
