/** Places in which agents' tools print values: each writes a value, under a name where the place has one. */

/** One place. */
export interface Context {
  readonly name: string;
  readonly write: (name: string, value: string) => string;
  /** The value stands without its name, so only values that are known by their own form can be told. */
  readonly bare?: true;
  /** The place itself says that the value is a secret, so nothing harmless stands there. */
  readonly secret?: true;
  /** Longer or stranger values cannot stand there: characters that the place needs for itself. */
  readonly accepts?: RegExp;
  /** A second copy in an encoding, whose text must not survive either. */
  readonly encode?: (value: string) => string;
}

const hex = (value: string) =>
  Array.from(value, (char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("");
const base64url = (value: string) => btoa(value).replaceAll("+", "-").replaceAll("/", "_");
const percent = (value: string) =>
  Array.from(value, (char) => "%" + char.charCodeAt(0).toString(16).toUpperCase()).join("");
const wrap = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
const half = (text: string) => text.length >> 1;
const split = (text: string, by: string) => text.slice(0, half(text)) + by + text.slice(half(text));

/** A word that a shell, a URL or a bare field takes as one. */
const WORD = /^[^\s"'`\\;&|<>#$]+$/;
const URL_WORD = /^[^\s"'`\\;&|<>#$/@:%?]+$/;

/** All places. */
export const CONTEXTS: readonly Context[] = [
  { name: "env", write: (n, v) => `${n}=${v}`, accepts: WORD },
  {
    name: "env, sorted list",
    write: (n, v) => `HOME=/root\n${n}=${v}\nPATH=/bin\n`,
    accepts: WORD,
  },
  { name: "export, double quotes", write: (n, v) => `export ${n}="${v}"`, accepts: /^[^"\\$`]+$/ },
  { name: "dotenv, single quotes", write: (n, v) => `${n}='${v}'\n`, accepts: /^[^']+$/ },
  { name: "JSON", write: (n, v) => JSON.stringify({ a: 1, [n]: v, b: "x" }) },
  { name: "JSON, pretty", write: (n, v) => JSON.stringify({ a: 1, [n]: v }, null, 2) },
  { name: "JSON in JSON", write: (n, v) => JSON.stringify({ body: JSON.stringify({ [n]: v }) }) },
  {
    name: "JSON in JSON in JSON",
    write: (n, v) => JSON.stringify({ x: JSON.stringify({ y: JSON.stringify({ [n]: v }) }) }),
  },
  { name: "YAML", write: (n, v) => `spec:\n  ${n}: ${v}\n  other: 1\n`, accepts: WORD },
  { name: "YAML, quoted", write: (n, v) => `  ${n}: "${v}"\n`, accepts: /^[^"\\]+$/ },
  { name: "YAML, name and value", write: (n, v) => `- name: ${n}\n  value: ${v}\n`, accepts: WORD },
  { name: "TOML", write: (n, v) => `[app]\n${n} = "${v}"\n`, accepts: /^[^"\\]+$/ },
  { name: "INI", write: (n, v) => `[app]\n${n} = ${v}\n`, accepts: WORD },
  { name: "properties", write: (n, v) => `app.${n}: ${v}\n`, accepts: WORD },
  {
    name: ".npmrc",
    write: (_, v) => `//npm.example/:_authToken=${v}\n`,
    secret: true,
    accepts: WORD,
  },
  {
    name: ".netrc",
    write: (_, v) => `machine a.example login me password ${v}\n`,
    secret: true,
    accepts: WORD,
  },
  {
    name: ".netrc, lines",
    write: (_, v) => `machine a.example\n  login me\n  password ${v}\n`,
    secret: true,
    accepts: WORD,
  },
  {
    name: "bearer header",
    write: (_, v) => `Authorization: Bearer ${v}\r\n`,
    secret: true,
    accepts: WORD,
  },
  {
    name: "curl -v",
    write: (_, v) => `> GET / HTTP/2\n> authorization: Bearer ${v}\n> accept: */*\n`,
    secret: true,
    accepts: WORD,
  },
  { name: "own header", write: (n, v) => `< X-${n}: ${v}\n`, accepts: WORD },
  {
    name: "URL query",
    write: (n, v) => `GET https://a.example/v1?page=2&${n}=${v}&x=1 200`,
    accepts: URL_WORD,
  },
  {
    name: "URL userinfo",
    write: (_, v) => `git clone https://me:${v}@git.example/x.git`,
    secret: true,
    accepts: URL_WORD,
  },
  {
    name: "cookie",
    write: (_, v) => `Set-Cookie: sid=${v}; Path=/; HttpOnly\n`,
    secret: true,
    accepts: WORD,
  },
  { name: "set -x", write: (n, v) => `+ deploy --verbose --${n} ${v} --dry-run\n`, accepts: WORD },
  { name: "set -x, assignment", write: (n, v) => `++ ${n}=${v}\n++ run\n`, accepts: WORD },
  { name: "ps", write: (n, v) => `root  412 0.0 app --${n}=${v} --port 80\n`, accepts: WORD },
  {
    name: "docker inspect",
    write: (n, v) => JSON.stringify([{ Config: { Env: ["A=1", `${n}=${v}`, "B=2"] } }], null, 4),
  },
  { name: "Dockerfile", write: (n, v) => `Step 3/9 : ENV ${n}=${v}\n`, accepts: WORD },
  { name: "environ, NUL", write: (n, v) => `A=1\0${n}=${v}\0HOME=/root\0`, accepts: WORD },
  { name: "systemd", write: (n, v) => `Environment="${n}=${v}"\n`, accepts: WORD },
  { name: "diff", write: (n, v) => `@@ -1 +1 @@\n-${n}=\n+${n}=${v}\n`, accepts: WORD },
  { name: "grep", write: (n, v) => `config/app.env:12:${n}=${v}\n`, accepts: WORD },
  {
    name: "grep, colour around",
    write: (n, v) => `\x1b[35ma.env\x1b[m:\x1b[32m3\x1b[m:${n}=\x1b[01;31m\x1b[K${v}\x1b[m\x1b[K\n`,
    accepts: WORD,
  },
  {
    name: "grep, colour inside",
    write: (n, v) => `${n}=${split(v, "\x1b[01;31m")}\x1b[m\n`,
    accepts: WORD,
  },
  {
    name: "continued line",
    write: (n, v) => `run --${n}=${split(v, "\\\n")} now\n`,
    accepts: WORD,
  },
  { name: "CRLF", write: (n, v) => `${n}=${v}\r\nB=2\r\n`, accepts: WORD },
  {
    name: "log line",
    write: (n, v) => `2026-01-17T09:12:33Z INFO loaded ${n}=${v} from env\n`,
    accepts: WORD,
  },
  {
    name: "log line, JSON",
    write: (n, v) => JSON.stringify({ level: "info", msg: "start", [n]: v }) + "\n",
  },
  { name: "Python dict", write: (n, v) => `{'a': 1, '${n}': '${v}'}\n`, accepts: /^[^'\\]+$/ },
  { name: "Go struct", write: (n, v) => `&{Host:a ${n}:${v} Port:1}\n`, accepts: URL_WORD },
  { name: "Ruby hash", write: (n, v) => `{"${n}"=>"${v}", "a"=>1}\n`, accepts: /^[^"\\]+$/ },
  { name: "XML", write: (n, v) => `<${n}>${v}</${n}>\n`, accepts: /^[^<&\s]+$/ },
  {
    name: "SQL",
    write: (n, v) => `UPDATE app SET ${n} = '${v}' WHERE id = 1;\n`,
    accepts: /^[^'\\]+$/,
  },
  { name: "Terraform", write: (n, v) => `  + ${n} = "${v}" -> null\n`, accepts: /^[^"\\]+$/ },
  {
    name: "connection string",
    write: (n, v) => `Server=db;User Id=sa;${n}=${v};Encrypt=true`,
    accepts: URL_WORD,
  },
  { name: "source code", write: (n, v) => `const ${n} = "${v}";\n`, accepts: /^[^"\\]+$/ },
  { name: "table", write: (n, v) => `| ${n} | ${v} |\n|---|---|\n`, bare: true, accepts: WORD },
  { name: "CSV", write: (_, v) => `id,who,what\n1,me,${v}\n`, bare: true, accepts: /^[^",\n]+$/ },
  { name: "tab-separated", write: (_, v) => `1\tme\t${v}\tend\n`, bare: true, accepts: WORD },
  {
    name: "SQL insert",
    write: (_, v) => `INSERT INTO t VALUES (1, '${v}', NULL);\n`,
    bare: true,
    accepts: /^[^'\\]+$/,
  },
  {
    name: "stack trace",
    write: (_, v) => `Error: 401 for ${v}\n    at send (/srv/app.js:12:3)\n`,
    bare: true,
    accepts: WORD,
  },
  {
    name: "traceback",
    write: (_, v) => `  File "a.py", line 3, in <module>\nValueError: bad value '${v}'\n`,
    bare: true,
    accepts: /^[^'\\]+$/,
  },
  { name: "parentheses", write: (_, v) => `(see ${v}), then go on\n`, bare: true, accepts: WORD },
  { name: "full stop", write: (_, v) => `It is ${v}. Keep it.\n`, bare: true, accepts: WORD },
  { name: "Markdown", write: (_, v) => `use \`${v}\` here\n`, bare: true, accepts: /^[^`]+$/ },
  { name: "HTML", write: (_, v) => `<td class="v">${v}</td>\n`, bare: true, accepts: /^[^<&\s]+$/ },
  { name: "echo", write: (_, v) => `${v}\n`, bare: true },
  { name: "base64 copy", write: (_, v) => `${v}\n${btoa(v)}\n`, bare: true, encode: btoa },
  {
    name: "base64 copy inside",
    write: (_, v) => `${v}\n${btoa(`x:${v}`)}\n`,
    bare: true,
    encode: (v) => btoa(`x:${v}`),
  },
  {
    name: "base64url copy",
    write: (_, v) => `${v}\n${base64url(v)}\n`,
    bare: true,
    encode: base64url,
  },
  {
    name: "base64 copy, wrapped",
    write: (_, v) => `${v}\n${wrap(btoa(v), 40)}\n`,
    bare: true,
    encode: btoa,
  },
  { name: "hex copy", write: (_, v) => `${v}\n${hex(v)}\n`, bare: true, encode: hex },
  {
    name: "URL-encoded copy",
    write: (_, v) => `${v}\nq=${encodeURIComponent(v)}\n`,
    bare: true,
    encode: encodeURIComponent,
  },
  { name: "percent copy", write: (_, v) => `${v}\nq=${percent(v)}\n`, bare: true, encode: percent },
  { name: "wrapped copy", write: (_, v) => `${v}\n${wrap(v, 23)}\n`, bare: true },
];
