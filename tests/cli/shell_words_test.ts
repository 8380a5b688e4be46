import { check } from "./check_command_line.ts";

check("passes options of bash on, in every form in which bash takes them", [
  { in: ["-e", "-c", "ls"], want: { switches: ["c"], source: "ls", options: ["-e"] } },
  { in: ["-lx", "-c", "ls"], want: { switches: ["c", "l"], source: "ls", options: ["-x"] } },
  {
    in: ["-euo", "pipefail", "-c", "ls", "x"],
    want: {
      switches: ["c"],
      source: "ls",
      operands: ["x"],
      options: ["-e", "-u", "-o", "pipefail"],
    },
  },
  {
    in: ["-ceo", "pipefail", "ls"],
    want: { switches: ["c"], source: "ls", options: ["-e", "-o", "pipefail"] },
  },
  {
    in: ["-c", "-e", "+o", "pipefail", "-O", "nullglob", "+O", "dotglob", "ls"],
    want: {
      switches: ["c"],
      source: "ls",
      options: ["-e", "+o", "pipefail", "-O", "nullglob", "+O", "dotglob"],
    },
  },
  {
    in: ["-e", "--posix", "-c", "x"],
    want: { switches: ["c"], source: "x", options: ["--posix", "-e"] },
  },
  { in: ["-posix", "-c", "x"], want: { switches: ["c"], source: "x", options: ["--posix"] } },
  {
    in: ["--login", "--norc", "--noprofile", "-norc", "--rcfile", "f", "--noediting", "-c", "x"],
    want: { switches: ["c"], source: "x" },
  },
  {
    in: ["--note", "n", "-e", "--timeout=2s", "-c", "x", "--note"],
    want: {
      switches: ["c"],
      source: "x",
      operands: ["--note"],
      values: { note: "n", timeout: "2s" },
      options: ["-e"],
    },
  },
]);

check("takes script files and standard input", [
  { in: ["./a.sh"], want: { script: "./a.sh" } },
  { in: ["-e", "b/a", "-x", "1"], want: { script: "b/a", operands: ["-x", "1"], options: ["-e"] } },
  { in: ["-s"], want: { switches: ["s"], readsScript: true } },
  {
    in: ["-es", "a", "-b"],
    want: { switches: ["s"], readsScript: true, operands: ["a", "-b"], options: ["-e"] },
  },
  { in: ["-s", "--", "-b"], want: { switches: ["s"], readsScript: true, operands: ["-b"] } },
]);

check("reads the words of a shell by whose name it was called", [
  { in: [], want: { readsScript: true } },
  { in: ["-c", "log"], want: { switches: ["c"], source: "log" } },
  { in: ["log", "--limit"], want: { script: "log", operands: ["--limit"] } },
  { in: ["--", "a b", "c"], want: { script: "a b", operands: ["c"] } },
  { in: ["-h", "-c", "x"], want: { switches: ["c"], source: "x", options: ["-h"] } },
  { in: ["--version"], want: { exact: ["bash", "--version"] } },
  { in: ["--help"], want: { exact: ["bash", "--help"] } },
  { in: ["-l", "--version"], want: { exact: ["bash", "--version"] } },
  {
    in: ["--block", "off", "-c", "x"],
    want: { switches: ["c"], source: "x", values: { block: "off" } },
  },
], "bash");

check("gives sh what bash of that name has", [
  { in: ["-ec", "x"], want: { switches: ["c"], source: "x", options: ["--posix", "-e"] } },
], "sh");
