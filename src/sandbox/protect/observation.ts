/** What a session has seen of the protected paths before its commands ran, as other sessions read it. */
import type { ByteText } from "../linux/beneath.ts";
import type { FileState } from "./file_state.ts";
import type { ProtectedEntry, ProtectedKind } from "./protected_entry.ts";

/** A directory that commands write. */
export interface ObservedRoot {
  /** Absolute, as bytes. */
  readonly path: ByteText;
  /** True when every repository beneath it was found. */
  readonly walked: boolean;
}

/** One session's view; all paths are absolute, as bytes. */
export interface Observation {
  readonly roots: readonly ObservedRoot[];
  /** What the user has taken out of the protection, as text. */
  readonly excepted: readonly string[];
  /** Relative places of hooks that configurations name. */
  readonly hooks: readonly string[];
  /** Repositories' own directories, with their identity. */
  readonly gitDirectories: ReadonlyMap<ByteText, string>;
  readonly entries: ReadonlyMap<ByteText, ProtectedEntry>;
}

/** `FileState` without its bytes, which stand behind the text: their offset and length. */
type PlainState =
  | readonly ["f", number, number, number, number, number]
  | readonly ["l", ByteText]
  | readonly ["d", number, number, number, readonly (readonly [ByteText, PlainState])[]];

/**
 * Hundreds of paths are protected where nothing is, the same names in each directory: a list of names is written once,
 * and with each directory its number.
 */
interface Plain {
  readonly roots: readonly ObservedRoot[];
  readonly excepted: readonly string[];
  readonly hooks: readonly string[];
  readonly git: readonly (readonly [ByteText, string])[];
  readonly lists: readonly (readonly (readonly [ProtectedKind, ByteText])[])[];
  readonly absent: readonly (readonly [ByteText, number])[];
  readonly present: readonly (readonly [ProtectedKind, ByteText, ByteText, PlainState | 0])[];
}

const NEWLINE = 10;

class Encoding {
  readonly contents: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;

  state(state: FileState): PlainState | 0 | null {
    switch (state.kind) {
      case "absent":
        return 0;
      case "link":
        return ["l", state.target];
      case "file": {
        const offset = this.#length;
        this.contents.push(state.bytes);
        this.#length += state.bytes.length;
        return ["f", state.mode, state.uid, state.gid, offset, state.bytes.length];
      }
      case "directory": {
        const entries: (readonly [ByteText, PlainState])[] = [];
        for (const [name, inner] of state.entries) {
          const plain = this.state(inner);
          if (plain) entries.push([name, plain]);
        }
        return ["d", state.mode, state.uid, state.gid, entries];
      }
      default:
        return null;
    }
  }
}

/** Write an observation down: a line of JSON, and behind it the contents of all files. */
export function encodeObservation(observation: Observation): Uint8Array<ArrayBuffer> {
  const encoding = new Encoding();
  const present: Plain["present"][number][] = [];
  const names = new Map<ByteText, [ProtectedKind, ByteText][]>();
  for (const { kind, path, holder, state } of observation.entries.values()) {
    const plain = encoding.state(state);
    if (plain === null) continue;
    if (plain === 0 && path.startsWith(`${holder}/`)) {
      const list = names.get(holder) ?? [];
      if (list.length === 0) names.set(holder, list);
      list.push([kind, path.slice(holder.length + 1)]);
    } else present.push([kind, path, holder, plain]);
  }
  const numbers = new Map<string, number>();
  const absent = [...names].map(([holder, list]): [ByteText, number] => {
    const key = JSON.stringify(list);
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return [holder, numbers.get(key)!];
  });
  const { roots, excepted, hooks, gitDirectories } = observation;
  const lists = [...numbers.keys()].map((key) => JSON.parse(key));
  const plain: Plain = {
    ...{ roots, excepted, hooks, lists, absent, present },
    git: [...gitDirectories],
  };
  const text = new TextEncoder().encode(JSON.stringify(plain) + "\n");
  const size = encoding.contents.reduce((sum, { length }) => sum + length, text.length);
  const bytes = new Uint8Array(size);
  bytes.set(text);
  let at = text.length;
  for (const content of encoding.contents) {
    bytes.set(content, at);
    at += content.length;
  }
  return bytes;
}

function decodeState(plain: PlainState | 0, contents: Uint8Array<ArrayBuffer>): FileState {
  if (plain === 0) return { kind: "absent" };
  if (plain[0] === "l") return { kind: "link", target: plain[1] };
  const [, mode, uid, gid] = plain;
  if (plain[0] === "f") {
    const [offset, length] = [plain[4], plain[5]];
    return { kind: "file", mode, uid, gid, bytes: contents.slice(offset, offset + length) };
  }
  const entries = plain[4].map(([name, inner]): [ByteText, FileState] => [
    name,
    decodeState(inner, contents),
  ]);
  return { kind: "directory", mode, uid, gid, entries: new Map(entries) };
}

/** Read an observation. @throws {SyntaxError} for what `encodeObservation` has not written. */
export function decodeObservation(bytes: Uint8Array<ArrayBuffer>): Observation {
  const end = bytes.indexOf(NEWLINE);
  const plain: Plain = JSON.parse(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))));
  const contents = bytes.subarray(end + 1);
  const entries = new Map<ByteText, ProtectedEntry>();
  for (const [holder, number] of plain.absent) {
    for (const [kind, name] of plain.lists[number]!) {
      const path = `${holder}/${name}`;
      entries.set(path, { kind, path, holder, state: { kind: "absent" } });
    }
  }
  for (const [kind, path, holder, state] of plain.present) {
    entries.set(path, { kind, path, holder, state: decodeState(state, contents) });
  }
  const { roots, excepted, hooks } = plain;
  return { roots, excepted, hooks, entries, gitDirectories: new Map(plain.git) };
}
