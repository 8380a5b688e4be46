/** Processes of this machine, by what their command line holds. */

function wordsOf(pid: string): readonly string[] {
  try {
    const text = new TextDecoder().decode(Deno.readFileSync(`/proc/${pid}/cmdline`));
    return text.split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

function living(isMeant: (words: readonly string[]) => boolean): readonly string[] {
  return Array.from(Deno.readDirSync("/proc"), ({ name }) => name)
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isMeant(wordsOf(pid)));
}

/** Names of the processes that sleep for exactly this time. */
export function livingWith(time: string): readonly string[] {
  return living((words) => words.length === 2 && words[0] === "sleep" && words[1] === time);
}

/** Names of the processes that were started with a word. */
export function livingNaming(word: string): readonly string[] {
  return living((words) => words.includes(word));
}
