import {
  type Assignment as AssignmentNode,
  type Command,
  forEachChild,
  type ParsedScript,
  type Redirection as RedirectionNode,
  type SyntaxNode,
} from "unbash";
import { aliasName, definedAliases, expandAlias, hidesKeyword } from "./aliases.ts";
import { Collector } from "./collector.ts";
import { Evaluation, foreignSyntax } from "./evaluation.ts";
import { type Frame, type Runner, type Stdin, textOf, within } from "./frame.ts";
import { sureDefinitions, withoutCalls } from "./functions.ts";
import { at, outermost, parsed, type Place, shared, spanIn, spanOf } from "./place.ts";
import type { Assignment, Script, Session } from "./script.ts";
import { isBuiltin, MAX_VIA, startProgram } from "./start.ts";
import { outputOf, stdinOf } from "./stdin.ts";
import { namesSetBy, startsOfAssignment } from "./variables.ts";
import { type Arg, argOf, literalWord } from "./word.ts";

/** What a walk over a script finds. */
export type Findings = Pick<Script, "programs" | "assignments" | "redirections" | "functions">;

/** Finds everything that a script can start. `root` must have passed `findProblem`. */
export function walkScript(root: ParsedScript, source: string, session: Session): Findings {
  const first = new ScriptWalker(session, new Map());
  const findings = first.findings(root, source);
  // A function or trap may run after a later line has defined an alias, so aliases of the script hold everywhere in it.
  return first.defined.size === 0
    ? findings
    : new ScriptWalker(session, first.defined).findings(root, source);
}

const NOT_FOUND = "command_not_found_handle";

class ScriptWalker implements Runner {
  readonly #found = new Collector();
  readonly #session: Session;
  readonly #aliases: Map<string, string>;
  readonly #walkedFunctions = new Set<string>();
  readonly #evaluation = new Evaluation();
  /** Whether the script may end an alias or function of the session, so that the name reads as a program again. */
  #mayForget = false;

  /** Aliases that the script defines. */
  readonly defined = new Map<string, string>();

  constructor(session: Session, defined: ReadonlyMap<string, string>) {
    this.#session = session;
    this.#aliases = new Map([...session.aliases, ...defined]);
  }

  findings(root: ParsedScript, source: string): Findings {
    this.#mayForget = /alias|shopt|BASH_ALIASES/.test(source);
    const frame = outermost(source);
    if (hidesKeyword(this.#session.aliases, source)) this.unknown(source, within(frame, "alias"));
    this.#visit(root, { source, outer: null, frame });
    // Bash calls this one by itself, for any name that it does not find.
    const unfound = this.#session.functions.get(NOT_FOUND);
    if (unfound !== undefined) {
      this.script(unfound, { ...within(frame, NOT_FOUND), inFunction: true });
    }
    const dormant = this.#evaluation.result();
    if (dormant !== null) {
      this.unknown(dormant.text, within({ ...frame, span: dormant.span }, "arithmetic"));
    }
    const session = new Set(this.#session.functions.keys());
    return this.#found.result(
      withoutCalls(this.#found.candidates, sureDefinitions(root, source), session),
    );
  }

  start(argv: readonly Arg[], frame: Frame): void {
    startProgram(argv, frame, this);
  }

  emit(argv: readonly Arg[], frame: Frame): void {
    const name = argv[0]!.value;
    const span = frame.via.length === 0 ? frame.span : spanOf(argv, frame.span);
    const builtin = name !== null && isBuiltin(name, frame);
    const args = argv.slice(1).map((arg) => arg.value);
    const program = { name, args, span, text: textOf(argv), via: frame.via, builtin };
    this.#found.add({ program, own: frame.own, inFunction: frame.inFunction });
    if (builtin) this.#builtinEffects(name, args, frame);
    const body = name === null ? undefined : this.#session.functions.get(name);
    if (body === undefined || frame.shell === null || this.#walkedFunctions.has(name!)) return;
    this.#walkedFunctions.add(name!);
    this.script(body, { ...within(frame, name!), inFunction: true, stdin: { kind: "unknown" } });
  }

  script(text: string, frame: Frame): void {
    if (/^[ \t\n]*$/.test(text)) return;
    if (frame.via.length > MAX_VIA || !this.#found.allowsNested(text.length)) {
      return this.unknown(text, frame);
    }
    const root = parsed(text);
    if (root === null) return this.unknown(text, frame);
    this.#visit(root, { source: text, outer: frame.span, frame });
  }

  unknown(text: string, frame: Frame): void {
    this.#found.addUnknown(text, frame);
  }

  assign(assignment: Assignment, frame: Frame): void {
    this.#found.assignments.push(assignment);
    startsOfAssignment(assignment, frame, this);
  }

  #builtinEffects(name: string, args: readonly (string | null)[], frame: Frame): void {
    this.#evaluation.builtin(name, args);
    if (name === "alias" && frame.own) {
      for (const [alias, value] of definedAliases(args)) this.defined.set(alias, value);
    }
    for (const variable of namesSetBy([name, ...args])) this.#set(variable, null, frame);
  }

  #set(name: string | null, value: string | null, frame: Frame): void {
    this.assign({ name, value, append: false, scope: "script", span: frame.span }, frame);
  }

  #visit(node: SyntaxNode, place: Place): void {
    const { frame } = place;
    this.#evaluation.visit(node, spanIn(node, place));
    if (frame.shell === "posix" && foreignSyntax(node)) {
      this.unknown(place.source.slice(node.pos, node.end), frame);
    }
    switch (node.type) {
      case "Script":
        return this.#visitNested(node, place);
      case "Command":
        return this.#visitCommand(node, place);
      case "Pipeline":
        return node.commands.forEach((command, at) => {
          const before = at === 0 ? null : node.commands[at - 1]!;
          const stdin = before === null
            ? frame.stdin
            : outputOf(before, place.source, (name) =>
              this.#session.functions.has(name) || this.#aliases.has(name));
          this.#visit(command, { ...place, frame: { ...frame, stdin } });
        });
      case "Redirected": {
        for (const redirect of node.redirects) this.#visitRedirection(redirect, place);
        // Which of the commands inside reads it is not told.
        const stdin = stdinOf(node.redirects, place.source, frame.stdin);
        const inner: Stdin = stdin.kind === "empty" ? stdin : { kind: "unknown" };
        return this.#visit(node.command, { ...place, frame: { ...frame, stdin: inner } });
      }
      case "Function":
        return this.#visitFunction(node, place);
      case "Redirect":
      case "HereString":
      case "HereDoc":
        return this.#visitRedirection(node, place);
      case "Assignment":
        return this.#visitAssignment(node, place, "script");
      case "For":
      case "Select":
        this.#set(literalWord(node.name.text)?.value ?? null, null, at(node, place));
        return this.#visitChildren(node, place);
      case "Coproc":
        // Bash rewrites nested ones and then looks for a program of the default name.
        if (node.name === undefined) {
          this.unknown(place.source.slice(node.pos, node.end), within(at(node, place), "coproc"));
        }
        return this.#visitChildren(node, place);
      case "Subshell":
      case "BraceGroup":
      case "If":
      case "While":
      case "Case":
        return this.#visitChildren(node, {
          ...place,
          frame: { ...frame, stdin: shared(frame.stdin) },
        });
      case "ParameterExpansion":
        return this.#visitParameter(node, place);
      default:
        return this.#visitChildren(node, place);
    }
  }

  #visitChildren(node: SyntaxNode, place: Place): void {
    forEachChild(node, (child) => this.#visit(child, place));
  }

  // The text of old-style substitutions is decoded first, and positions index the result.
  #visitNested(node: ParsedScript, place: Place): void {
    if (node.source === undefined) return this.#visitChildren(node, place);
    this.#visitChildren(node, {
      ...place,
      source: node.source,
      outer: place.outer ?? place.frame.span,
    });
  }

  #visitFunction(node: Extract<SyntaxNode, { type: "Function" }>, place: Place): void {
    const text = place.source.slice(node.name.pos, node.name.end);
    const span = spanIn(node, place);
    const name = literalWord(text)?.value ?? text;
    this.#found.functions.push({ name, text: place.source.slice(node.pos, node.end), span });
    if (this.#aliases.has(aliasName(text))) this.unknown(text, within(at(node, place), "alias"));
    const frame: Frame = { ...place.frame, inFunction: true, stdin: { kind: "unknown" } };
    this.#visit(node.body, { ...place, frame });
  }

  #visitParameter(node: Extract<SyntaxNode, { type: "ParameterExpansion" }>, place: Place): void {
    const { operation } = node;
    const frame = at(node, place);
    // `${x@P}` expands the value of x like a prompt, commands included.
    if (operation?.type === "Transform" && operation.operand.text.includes("P")) {
      this.unknown(node.text, within(frame, "@P"));
    }
    if (operation?.type === "Default" && operation.operator.includes("=")) {
      this.#set(
        node.prefix === "!" ? null : node.parameter,
        literalWord(operation.operand.text)?.value ?? null,
        frame,
      );
    }
    this.#visitChildren(node, place);
  }

  #visitRedirection(node: RedirectionNode, place: Place): void {
    const { source } = place;
    const target = node.type === "HereDoc" || node.target === undefined
      ? null
      : literalWord(source.slice(node.target.pos, node.target.end))?.value ?? null;
    const fd = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : null;
    const span = spanIn(node, place);
    this.#found.redirections.push({ operator: node.operator, fd, target, span });
    if (node.descriptor?.type === "FileDescriptorVariable") {
      this.#set(node.descriptor.name, null, at(node, place));
    }
    this.#visitChildren(node, place);
  }

  #visitAssignment(node: AssignmentNode, place: Place, scope: "script" | "command"): void {
    const text = node.value.type === "Word"
      ? place.source.slice(node.value.pos, node.value.end)
      : null;
    const value = text === null ? null : literalWord(text)?.value ?? null;
    const span = spanIn(node, place);
    this.assign({ name: node.name, value, append: node.append === true, scope, span }, place.frame);
    this.#visitChildren(node, place);
  }

  #visitCommand(node: Command, place: Place): void {
    const frame = at(node, place);
    const { source } = place;
    const scope = node.name === undefined ? "script" : "command";
    for (const part of node.prefix) {
      if (part.type === "Assignment") this.#visitAssignment(part, { ...place, frame }, scope);
      else this.#visitRedirection(part, { ...place, frame });
    }
    if (node.name === undefined) return;
    const expansion = frame.own
      ? expandAlias(node, { source, aliases: this.#aliases, active: frame.aliases })
      : null;
    if (expansion !== null) {
      const [name] = expansion.names;
      const inner = { ...within(frame, name!), aliases: [...frame.aliases, ...expansion.names] };
      if (expansion.text === null) this.unknown(source.slice(node.pos, node.end), inner);
      else this.script(expansion.text, inner);
      // The text has everything but the bodies of here-documents.
      const bodies = node.suffix.filter((part) => part.type === "HereDoc");
      const certain = this.#session.aliases.has(name!) && !this.#mayForget;
      if (certain) return bodies.forEach((part) => this.#visit(part, { ...place, frame }));
    }
    this.#visit(node.name, { ...place, frame });
    const argv = [argOf(node.name, source, spanIn(node.name, place))];
    for (const part of node.suffix) {
      // The parser takes the definitions of `alias` for assignments.
      const definition = part.type === "Assignment" && node.name.text === "alias";
      if (definition) this.#visitChildren(part, { ...place, frame });
      else this.#visit(part, { ...place, frame });
      if (part.type === "Word" || part.type === "Assignment") {
        argv.push(argOf(part, source, spanIn(part, place)));
      }
    }
    this.#declared(argv, frame);
    this.start(argv, { ...frame, stdin: stdinOf(node.redirects, source, frame.stdin) });
  }

  // `export "A=1"` sets A as well, though the parser sees a word.
  #declared(argv: readonly Arg[], frame: Frame): void {
    if (!/^(?:export|declare|typeset|local|readonly)$/.test(argv[0]!.value ?? "")) return;
    for (const arg of argv.slice(1)) {
      const text = arg.value ?? arg.template;
      if (!/^["'\\$]/.test(arg.text)) continue;
      const found = /^([A-Za-z_]\w*)=([^]*)$/.exec(text ?? "");
      if (found !== null) this.#set(found[1]!, arg.value === null ? null : found[2]!, frame);
      else if (arg.value === null) this.#set(null, null, frame);
    }
  }
}
