/** Debrief: the only shell of an agent. Chooses the front end and maps every end to an exit status. */
import "./src/cli/check_system.ts";
import { hardenProcess, inheritedDescriptors } from "./src/sandbox/harden.ts";
import { isOneCommand, parseCommandLine } from "./src/cli/command_line.ts";
import { reasonOf, UsageError } from "./src/errors.ts";
import { EXIT } from "./src/exit_codes.ts";
import { posedName } from "./src/cli/posed_name.ts";
import { ClosedPipe, writeText } from "./src/cli/terminal.ts";

async function main(args: readonly string[]): Promise<number> {
  const inherited = inheritedDescriptors();
  hardenProcess();
  const line = parseCommandLine(args, { shell: posedName() });
  if (line.switches.has("help")) {
    writeText(1, (await import("./src/cli/help.ts")).helpText(line.command));
    return EXIT.ok;
  }
  if (line.switches.has("version")) {
    writeText(1, (await import("./src/cli/version.ts")).versionText(line));
    return EXIT.ok;
  }
  switch (line.command) {
    case "policy":
      return await (await import("./src/cli/policy_command.ts")).runPolicyCommand(line);
    case "log":
      return await (await import("./src/cli/log_command.ts")).runLogCommand(line);
    case "show":
      return (await import("./src/cli/show_command.ts")).runShowCommand(line);
    case "chain":
      return (await import("./src/cli/chain_command.ts")).runChainCommand(line);
    case "review":
      return await (await import("./src/cli/review_command.ts")).runReviewCommand(line);
    case "stats":
      return (await import("./src/cli/stats_command.ts")).runStatsCommand(line);
    case "gate":
      return await (await import("./src/cli/gate_command.ts")).runGateCommand(line);
    case "handoff":
      return await (await import("./src/cli/handoff_command.ts")).runHandoffCommand(line);
    case "init":
      return (await import("./src/cli/init_command.ts")).runInitCommand(line);
    case "output":
      return await (await import("./src/cli/output_command.ts")).runOutputCommand(line);
    case "redact":
      return await (await import("./src/cli/redact_command.ts")).runRedactCommand(line);
    case "stdio":
      return await (await import("./src/cli/serve/stdio_command.ts")).runStdioCommand(line);
    case "mcp":
      return await (await import("./src/cli/serve/mcp_command.ts")).runMcpCommand(line);
    case "doctor":
      return await (await import("./src/cli/doctor_command.ts")).runDoctorCommand(line);
    case "completions":
      return (await import("./src/cli/completions_command.ts")).runCompletionsCommand(line);
    case "help":
      return (await import("./src/cli/help_command.ts")).runHelpCommand(line);
    case "install":
      return await (await import("./src/cli/install_command.ts")).runInstallCommand(line);
    case "hook":
      return await (await import("./src/cli/hook_command.ts")).runHookCommand(line);
    case "jobs":
    case "send":
    case "kill":
      throw outsideSession(`debrief ${line.command}`);
    case "run":
      break;
  }
  if (line.switches.has("background")) throw outsideSession("--background");
  if (isOneCommand(line)) {
    return await (await import("./src/cli/oneshot.ts")).runOneshot(line, inherited);
  }
  return await (await import("./src/cli/stream_session.ts")).runStreamSession(line, inherited);
}

/** A job belongs to a session, and this process would end it with itself. */
function outsideSession(what: string): UsageError {
  return new UsageError(
    `Cannot use "${what}" here: a session carries it out, as a line of its own (debrief with commands on standard input)`,
  );
}

/** Print what went wrong as one message: no stack trace reaches a user. */
async function report(error: unknown): Promise<number> {
  if (error instanceof ClosedPipe) return EXIT.signalBase + 13;
  const message = reasonOf(error);
  try {
    const { redactOwnText } = await import("./src/cli/own_text.ts");
    writeText(2, redactOwnText(`debrief: ${message}\n`));
  } catch {
    // Nobody reads standard error: the status has to say it.
  }
  return error instanceof UsageError ? EXIT.usage : EXIT.refused;
}

if (import.meta.main) {
  let status: number;
  try {
    status = await main(Deno.args);
  } catch (error) {
    status = await report(error);
  }
  Deno.exit(status);
}
