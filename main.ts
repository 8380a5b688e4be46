/** Debrief: the only shell of an agent. Chooses the front end and maps every end to an exit status. */
import "./src/cli/check_system.ts";
import { begin } from "./src/cli/begin.ts";
import type { CommandLine } from "./src/cli/command_line.ts";
import { EXIT } from "./src/exit_codes.ts";
import { outsideSession } from "./src/cli/outside_session.ts";
import { writeText } from "./src/cli/terminal.ts";

async function carryOut(line: CommandLine, inherited: ReadonlySet<number>): Promise<number> {
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
  return await (await import("./src/cli/run_line.ts")).runLine(line, inherited);
}

/** Carry out a command line. @returns the exit status. */
export function main(args: readonly string[]): Promise<number> {
  return begin(args, carryOut);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
