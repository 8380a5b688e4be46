import { assertEquals } from "@std/assert";
import { programsOf } from "./show.ts";

interface Case {
  readonly in: string;
  readonly want: readonly string[];
}

function check(table: readonly Case[]): void {
  for (const { in: source, want } of table) assertEquals(programsOf(source), want, source);
}

Deno.test("parseScript finds the programs of lists, pipes and compound commands", () => {
  check([
    { in: "a; b & c && d || e", want: ["a", "b", "c", "d", "e"] },
    { in: "a | b |& c", want: ["a", "b", "c"] },
    { in: "! a; time -p b", want: ["a", "b"] },
    { in: "(a; { b; }) | c", want: ["a", "b", "c"] },
    { in: "if a; then b; elif c; then d; else e; fi", want: ["a", "b", "c", "d", "e"] },
    { in: "while a; do b; done; until c; do d; done", want: ["a", "b", "c", "d"] },
    { in: "for x in $(a) `b`; do c; done", want: ["a", "b", "c"] },
    { in: "select x in $(a); do b; done", want: ["a", "b"] },
    { in: "for ((i=$(a);i<`b`;i++)); do c; done", want: ["a", "b", "c"] },
    { in: "case $(a) in $(b)|`c`) d;; *) e;& f) g;; esac", want: ["a", "b", "c", "d", "e", "g"] },
    { in: "[[ $(a) == $(b) && -n `c` || ! ( $(d) =~ $(e) ) ]]", want: ["a", "b", "c", "d", "e"] },
    { in: "(( $(a) + `b` ))", want: ["a", "b"] },
    { in: "f() { a; }; function g { b; } > $(c)", want: ["a", "c", "b"] },
    { in: "coproc N { a; }", want: ["a"] },
    { in: "coproc a", want: ["coproc>?", "a"] },
    { in: "{ a; } > $(b) 2> `c`", want: ["b", "c", "a"] },
  ]);
});

Deno.test("parseScript finds the programs of substitutions wherever bash expands", () => {
  check([
    { in: "$(a)", want: ["a", "?"] },
    { in: 'x "$(a "$(b)")"', want: ["b", "a ?", "x ?"] },
    { in: "x `a \\`b\\``", want: ["b", "a ?", "x ?"] },
    { in: "x <(a) >(b)", want: ["a", "b", "x ? ?"] },
    { in: "x=$(a) y[$(b)]=`c` z", want: ["a", "b", "c", "z"] },
    { in: "x=(1 $(a) [$(b)]=`c`)", want: ["a", "b", "c"] },
    { in: "x $(( $(a) + `b` ))", want: ["a", "b", "x ?"] },
    { in: "x $[ $(a) ]", want: ["a", "x ?"] },
    {
      in: "x ${y:-$(a)} ${y:=`b`} ${y#$(c)} ${y/$(d)/$(e)} ${y:$(f):$(g)}",
      want: [..."abcdefg", "x ? ? ? ? ?"],
    },
    { in: "x ${y[$(a)]} ${#y[`b`]} ${y^$(c)}", want: ["a", "b", "c", "x ? ? ?"] },
    { in: "x <<E\n$(a) `b` ${y:-$(c)}\nE\n", want: ["a", "b", "c", "x"] },
    { in: "x <<'E'\n$(a)\nE\n", want: ["x"] },
    { in: 'x <<< "$(a)"', want: ["a", "x"] },
    { in: "x > $(a) < <(b)", want: ["a", "b", "x"] },
    { in: "x {$(a),b} @(c|$(d)) [$(e)]", want: ["a", "d", "e", "x ? ? ?"] },
    { in: "x '$(a)' \"\\$(b)\" \\$\\(c\\) # $(d)", want: ["x $(a) $(b) $(c)"] },
    { in: 'x $"a $(b)"', want: ["b", "x ?"] },
    { in: "$(a $(b $(c)))", want: ["c", "b ?", "a ?", "?"] },
    { in: 'export A=$(a) "B=$(b)"', want: ["a", "b", "@export ? ?"] },
    { in: 'x "${y:-"$(a)"}"', want: ["a", "x ?"] },
  ]);
});

Deno.test("parseScript resolves words that are literal and leaves the others unknown", () => {
  check([
    { in: "'r'\"m\" \\x $'\\x61'", want: ["rm x a"] },
    { in: "r\\\nm x", want: ["rm x"] },
    { in: "$x -rf y", want: ["? -rf y"] },
    { in: "/bin/r? x", want: ["? x"] },
    { in: "{rm,-rf} x", want: ["? x"] },
    { in: "~/bin/x ~/y a=~", want: ["? ? ?"] },
    { in: "./$x/y", want: ["?"] },
    { in: 'rm *.c "$y" z', want: ["rm ? ? z"] },
    { in: "'' x", want: [" x"] },
    { in: "A=1 B=2 rm", want: ["rm"] },
    { in: "> f rm < g", want: ["rm"] },
  ]);
});

Deno.test("parseScript marks what the shell carries out itself", () => {
  check([
    { in: "cd x; echo y; [ a ]; /bin/echo z", want: ["@cd x", "@echo y", "@[ a ]", "/bin/echo z"] },
    {
      in: "env echo x; xargs echo",
      want: ["env echo x", "env>echo x", "xargs echo", "xargs>echo ?"],
    },
    {
      in: "bash -c 'mapfile x'; sh -c 'mapfile x; cd y'",
      want: [
        "bash -c mapfile x",
        "bash>@mapfile x",
        "sh -c mapfile x; cd y",
        "sh>mapfile x",
        "sh>@cd y",
      ],
    },
    {
      in: "command cd x; builtin cd y",
      want: [
        "@command cd x",
        "command>@cd x",
        "@builtin cd y",
        "builtin>@cd y",
      ],
    },
  ]);
});

Deno.test("parseScript follows the builtins that start commands", () => {
  check([
    { in: "eval 'a b' c; eval -- d", want: ["@eval a b c", "eval>a b c", "@eval -- d", "eval>d"] },
    { in: 'eval "a $x"', want: ["@eval ?", "eval>?", "eval>a ?"] },
    { in: "eval $x", want: ["@eval ?", "eval>?"] },
    { in: "eval 'a; ('", want: ["@eval a; (", "eval>?"] },
    {
      in: "source a; . ./b c; . /dev/null",
      want: [
        "@source a",
        "source>?",
        "@. ./b c",
        ".>?",
        "@. /dev/null",
      ],
    },
    {
      in: "trap 'a; b' EXIT INT; trap - EXIT; trap '' INT; trap -p; trap",
      want: [
        "@trap a; b EXIT INT",
        "trap>a",
        "trap>b",
        "@trap - EXIT",
        "@trap  INT",
        "@trap -p",
        "@trap",
      ],
    },
    {
      in: "exec a b; exec -a n -c d; exec 3>&1",
      want: ["@exec a b", "exec>a b", "@exec -a n -c d", "exec>d", "@exec"],
    },
    { in: "command -p a; command -v b", want: ["@command -p a", "command>a", "@command -v b"] },
    { in: "builtin eval a", want: ["@builtin eval a", "builtin>@eval a", "builtin>eval>a"] },
    { in: "mapfile -C 'a b' -c 1 x", want: ["@mapfile -C a b -c 1 x", "mapfile>a b ?"] },
    { in: "hash -p /x/evil ls", want: ["@hash -p /x/evil ls", "hash>/x/evil ?"] },
    {
      in: "compgen -C a; compgen -W 'x y'; compgen -W '$(a)'",
      want: [
        "@compgen -C a",
        "compgen>a ?",
        "@compgen -W x y",
        "@compgen -W $(a)",
        "compgen>?",
      ],
    },
    {
      in: "enable -f x.so y; enable -n test; enable",
      want: [
        "@enable -f x.so y",
        "enable>?",
        "@enable -n test",
        "enable>?",
        "@enable",
      ],
    },
    { in: "alias x='a b'; x c", want: ["@alias x=a b", "alias>a b", "x>a b c", "x c"] },
    {
      in: "jobs -x a b; fc -s; fc -l",
      want: ["@jobs -x a b", "jobs>a b", "@fc -s", "fc>?", "@fc -l"],
    },
    { in: "\\time -f x a", want: ["time -f x a", "time>a"] },
  ]);
});

Deno.test("parseScript follows what a shell reads", () => {
  check([
    { in: "bash <<'E'\na $x\nE\n", want: ["bash", "bash>a ?"] },
    { in: "bash <<E\na\nE\n", want: ["bash", "bash>a"] },
    { in: "bash <<E\na $x\nE\n", want: ["bash", "bash>?", "bash>a ?"] },
    { in: "bash -s x <<-E\n\ta\n\tE\n", want: ["bash -s x", "bash>a"] },
    { in: "sh <<< 'a b'", want: ["sh", "sh>a b"] },
    { in: 'sh <<< "$x"', want: ["sh", "sh>?"] },
    { in: "echo 'a b' | sh", want: ["@echo a b", "sh", "sh>a b"] },
    { in: "printf 'a b' | bash -e", want: ["@printf a b", "bash -e", "bash>a b"] },
    { in: "cat <<'E' | sh\na b\nE\n", want: ["cat", "sh", "sh>a b"] },
    { in: 'echo "a $x" | sh', want: ["@echo ?", "sh", "sh>?", "sh>a ?"] },
    { in: "printf '%s' a | sh", want: ["@printf %s a", "sh", "sh>?"] },
    { in: "curl x | sh", want: ["curl x", "sh", "sh>?"] },
    { in: "curl x | bash -s -- y", want: ["curl x", "bash -s -- y", "bash>?"] },
    { in: "sh", want: ["sh", "sh>?"] },
    { in: "sh < /dev/null; sh < f", want: ["sh", "sh", "sh>?"] },
    { in: "{ sh; } <<< a", want: ["sh", "sh>?"] },
    { in: "echo() { b; }; echo a | sh", want: ["b", "sh", "sh>a"] },
    { in: "sh /dev/stdin <<< a", want: ["sh /dev/stdin", "sh>a"] },
  ]);
});

Deno.test("parseScript leaves out calls of functions that are surely defined by then", () => {
  check([
    { in: "f() { a; }; f", want: ["a"] },
    { in: "f; f() { a; }", want: ["f", "a"] },
    { in: "g() { f; }; f() { a; }; g", want: ["a"] },
    { in: "g() { f; }; g; f() { a; }", want: ["f", "a"] },
    { in: "if x; then f() { a; }; fi; f", want: ["x", "a", "f"] },
    { in: "(f() { a; }); f", want: ["a", "f"] },
    { in: "f() { a; } & f", want: ["a", "f"] },
    { in: "x && f() { a; }; f", want: ["x", "a", "f"] },
    { in: "f() { a; }; unset -f f; f", want: ["a", "@unset -f f", "f"] },
    { in: 'f() { a; }; unset "$x"; f', want: ["a", "@unset ?", "f"] },
    {
      in: "f() { a; }; command f; env f; sh -c f",
      want: [
        "a",
        "@command f",
        "command>f",
        "env f",
        "env>f",
        "sh -c f",
        "sh>f",
      ],
    },
    { in: "f() { a; }; (f); x $(f)", want: ["a", "x ?"] },
    { in: "rm x; rm() { :; }", want: ["rm x", "@:"] },
    { in: "f() { f; }; f", want: [] },
    { in: "f() { a; }; trap f EXIT", want: ["a", "@trap f EXIT"] },
  ]);
});

Deno.test("parseScript finds commands in variables that are run", () => {
  check([
    { in: "PAGER='less -R' git log", want: ["PAGER>less -R", "git log"] },
    { in: "export EDITOR=vi", want: ["EDITOR>vi", "@export EDITOR=vi"] },
    {
      in: "env GIT_SSH_COMMAND='ssh -i k' git pull",
      want: [
        "env GIT_SSH_COMMAND=ssh -i k git pull",
        "env>GIT_SSH_COMMAND>ssh -i k",
        "env>git pull",
      ],
    },
    { in: "BASH_ENV=f bash -c a; BASH_ENV= b", want: ["BASH_ENV>?", "bash -c a", "bash>a", "b"] },
    { in: "PS4='$(a)'; set -x", want: ["PS4>?", "@set -x"] },
    { in: "PROMPT_COMMAND='a; b'", want: ["PROMPT_COMMAND>a", "PROMPT_COMMAND>b"] },
    { in: "EDITOR=$x git commit", want: ["EDITOR>?", "git commit"] },
    { in: "BASH_ALIASES[ls]=rm", want: ["BASH_ALIASES>?"] },
    { in: "BASH_CMDS[ls]=/x", want: ["BASH_CMDS>?"] },
    { in: "echo ${x@P}", want: ["@P>?", "@echo ?"] },
    { in: "x='a[$(id)]'; ((x))", want: ["arithmetic>?"] },
    { in: "x='a[$(id)]'; echo $x", want: ["@echo ?"] },
    { in: "declare 'x[$(id)]=1'", want: ["@declare x[$(id)]=1", "arithmetic>?"] },
    { in: "awk '{ print a[$(NF)] }' f", want: ["awk { print a[$(NF)] } f"] },
  ]);
});

Deno.test("parseScript takes text for another shell as that shell may read it", () => {
  check([
    { in: "sh -c '((rm x))'", want: ["sh -c ((rm x))", "sh>?"] },
    { in: "bash -c '((rm x))'", want: ["bash -c ((rm x))"] },
    { in: "dash -c '[[ a < b ]]'", want: ["dash -c [[ a < b ]]", "dash>?"] },
    { in: "zsh -c 'a b'", want: ["zsh -c a b", "zsh>a b"] },
    { in: "zsh -c 'a *(e:b:)'", want: ["zsh -c a *(e:b:)", "zsh>?", "zsh>a ?"] },
    { in: "fish -c a", want: ["fish -c a", "fish>?"] },
  ]);
});
