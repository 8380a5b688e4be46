/** The shape of `protect` in a policy file. */
import * as v from "valibot";
import { problemOfPath } from "./path_entry.ts";
import { list } from "./schema_list.ts";

/** A path without wildcards. */
function problemOfProtected(entry: string): string | null {
  return problemOfPath(entry, "allow");
}

/** A list of what is added, or what is added and what is taken out. */
export const ProtectSchema = v.optional(v.pipe(
  v.union(
    [
      list(problemOfProtected),
      v.strictObject({
        add: v.optional(v.pipe(
          list(problemOfProtected),
          v.description(
            "Further paths to protect, with everything beneath; they only accumulate.",
          ),
        )),
        except: v.optional(v.pipe(
          list(problemOfProtected),
          v.description(
            "Paths of the built-in list that commands may change after all, with everything beneath. " +
              "A policy that narrows another one takes nothing out of its protection.",
          ),
        )),
      }),
    ],
    'a list of strings or an object with "add" and "except"',
  ),
  v.description(
    "Files that are put back after a command has changed them, although it may write there. Git hooks and configuration, " +
      "start-up files of shells, and settings of editors and agents from which code would run are so without being listed. " +
      "A list is what is added.",
  ),
));
