/** Flags by which a project is set up; part of the one table of flags. */
import type { Flag } from "./flag.ts";

/** In the order in which help lists them. */
export const INIT_FLAGS: readonly Flag[] = [
  {
    name: "name",
    value: "NAME",
    summary: "call the project's policy so instead of by the name of its directory",
    commands: ["init"],
  },
  { name: "dry-run", summary: "show what would be written, and write nothing", commands: ["init"] },
  { name: "yes", summary: "write without asking", commands: ["init"] },
  {
    name: "force",
    summary: "replace a policy of this name that says something else",
    commands: ["init"],
  },
];
