/** Harmless texts as tools print them, line by line: logs, lock files, source code, minified code. */
import { HARMLESS } from "../harmless_samples.ts";
import { characters } from "./shapes.ts";

const HEX = "0123456789abcdef";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const LINES: readonly string[] = [
  "npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.",
  "added 312 packages, and audited 313 packages in 4s",
  "   Compiling proc-macro2 v1.0.92",
  "warning: unused variable: `token` --> src/lexer.rs:41:9",
  "error[E0382]: borrow of moved value: `tokens`",
  "collected 214 items / 3 deselected / 211 selected",
  "tests/test_auth.py::test_password_reset_token_expires PASSED [ 12%]",
  "ok 14 - rejects a wrong password (3.2ms)",
  "--- PASS: TestParseToken/empty_token (0.00s)",
  "FAIL src/login.test.ts > shows an error when the password is empty",
  "Step 4/12 : RUN apt-get update && apt-get install -y curl",
  `Digest: sha256:${characters(HEX, 64, "digest")}`,
  ` ---> ${characters(HEX, 12, "layer")}`,
  `Successfully built ${characters(HEX, 12, "built")}`,
  `index ${characters(HEX, 7, "a")}..${characters(HEX, 7, "b")} 100644`,
  `Author: Jane Doe <jane@example.com>\nDate:   Mon Jan 5 10:00:00 2026 +0100`,
  `      "integrity": "sha512-${characters(BASE64, 86, "lock")}==",`,
  `      "resolved": "https://packages.example/left-pad/-/left-pad-1.3.0.tgz#${
    characters(HEX, 40, "res")
  }",`,
  `checksum = "${characters(HEX, 64, "cargo")}"`,
  `golang.org/x/crypto v0.31.0 h1:${characters(BASE64, 43, "go")}=`,
  `    --hash=sha256:${characters(HEX, 64, "pip")} \\`,
  "export function readToken(lexer: Lexer, token: Token): Token | null {",
  "  private password: string | undefined;",
  "  if (!user.password) throw new Error('password is required');",
  "  const { token, secret } = await loadConfig();",
  "    token = self.tokenizer.next_token()",
  "    password = input('Password: ')",
  "    self.api_key = api_key or os.environ.get('API_KEY')",
  "  secret_key = SECRET_KEY if SECRET_KEY else generate_secret_key()",
  "func (p *parser) expect(tok token.Token) token.Pos {",
  'String token = request.getHeader("Authorization");',
  "CREATE TABLE users (id int, password varchar(255) NOT NULL, token text);",
  "ALTER TABLE sessions ADD COLUMN refresh_token_hash bytea;",
  "auth_token: ${{ secrets.GITHUB_TOKEN }}",
  "      secretKeyRef:\n        name: app\n        key: password",
  "  password_hash: <computed>",
  "token_type=bearer expires_in=3600",
  "grant_type=client_credentials&scope=read",
  "Tokens: 1234 input, 567 output",
  "usage: {prompt_tokens: 812, completion_tokens: 77, total_tokens: 889}",
  "!function(e,t){var n=t.token,r=e.password;return n?r(n):null}(window,document);",
  "var a=function(b){return b.pass&&b.key?c(b.pass,b.key):d};e.exports={secret:f,token:g};",
  ".token.comment,.token.prolog{color:slategray}.token.password{color:#905}",
  "GET /static/js/main.4f8a1c2e.chunk.js HTTP/1.1 304 0",
  '10.0.0.7 - - [17/Jan/2026:09:12:33 +0000] "POST /api/password/reset HTTP/1.1" 204 0',
  "Jan 17 09:12:33 host sshd[812]: Failed password for invalid user admin from 10.0.0.9 port 5022",
  "Jan 17 09:12:34 host sudo: pam_unix(sudo:auth): authentication failure; logname=me uid=1000",
  "debug1: Authentications that can continue: publickey,password",
  "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
  "remote: Support for password authentication was removed on August 13, 2021.",
  "fatal: could not read Password for 'https://git.example': terminal prompts disabled",
  "kubectl get secret app-secret -o name",
  "secret/app-secret created",
  "Name:         app-secret\nType:  Opaque\n\nData\n====\npassword:  16 bytes\n",
  "* Server certificate: CN=example.com; issuer: C=US; O=Let's Encrypt; CN=R11",
  "  [ 72%] Building CXX object src/CMakeFiles/token.dir/token.cpp.o",
  "/usr/bin/ld: warning: libsecret-1.so.0, needed by libapp.so, not found",
  "drwxr-xr-x 2 root root 4096 Jan 17 09:12 secrets",
  "-rw-r--r-- 1 me me 812 Jan  5 10:00 password_reset_token.py",
  "total_tokens=889 token_count=12 secret_count=0 pass_count=211",
  "https://example.com/reset?lang=en#password",
  '<input type="password" name="password" placeholder="Password" required>',
  '<label for="token">Token</label>',
  '  --token-file string   file with the token (default "/run/token")',
  "Usage: login [--password-stdin] [--username NAME] SERVER",
  `AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==`,
  `${characters(BASE64, 76, "img1")}\n${characters(BASE64, 76, "img2")}\n${
    characters(BASE64, 30, "img3")
  }==`,
  `-----${"BEGIN"} CERTIFICATE-----\n${characters(BASE64, 64, "crt1")}\n${
    characters(BASE64, 64, "crt2")
  }\n-----${"END"} CERTIFICATE-----`,
  `The authenticity of host can't be established. ED25519 key fingerprint is SHA256:${
    characters(BASE64, 43, "fp")
  }.`,
  "00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|",
  "  %3 = call i32 @token_next(ptr %lexer), !dbg !1234",
  "rust_begin_unwind at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:692:5",
  "#12 0.412 Get:1 http://deb.example/debian bookworm InRelease [151 kB]",
];

/** All texts; lines of the unit tests' list included. */
export const HARMLESS_TEXTS: readonly { readonly name: string; readonly text: string }[] = [
  ...LINES,
  ...HARMLESS,
].map((text, i) => ({ name: `text ${i}`, text }));
