/** The screen of `debrief review` in ink: state in, lines out, keys and records back in. */
import { Box, Text, useApp, useInput, useWindowSize } from "ink";
import { useEffect, useRef, useState } from "react";
import type { JournalFeed } from "./journal_feed.ts";
import { keyNames } from "./key_table.ts";
import { type Effect, pressKey } from "./press_key.ts";
import { addNewer, addOlder, type ReviewState } from "./review_state.ts";
import { bodyOf, type ReadOutput, screenLines } from "./screen.ts";
import type { Line, Style } from "./styled_line.ts";

/** Time between two looks at the journal, in ms. */
const FOLLOW_MS = 250;

/** What the screen is made from. */
export interface ReviewProps {
  readonly initial: ReviewState;
  readonly feed: JournalFeed;
  readonly readOutput: ReadOutput;
  readonly copy: (id: string) => void;
  readonly color: boolean;
}

/** How a terminal shows a style. */
interface Look {
  readonly color?: string;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
}

const LOOKS: Readonly<Record<Style, Look>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  ok: { color: "green" },
  warn: { color: "yellow" },
  bad: { color: "red", bold: true },
  title: { inverse: true },
};

/** With `NO_COLOR` weight and inversion stay: they are no colours, and marks say the same. */
function lookOf(style: Style, color: boolean): Look {
  return color ? LOOKS[style] : { ...LOOKS[style], color: undefined };
}

function LineText({ line, color }: { readonly line: Line; readonly color: boolean }) {
  return (
    <Text wrap="truncate-end" inverse={line.selected}>
      {line.spans.map(({ text, style }, index) => (
        <Text key={index} {...lookOf(style, color)}>{text}</Text>
      ))}
    </Text>
  );
}

/** Reads what is there in pieces, then looks for more, until the screen is closed. */
function useFeed(feed: JournalFeed, change: (next: (state: ReviewState) => ReviewState) => void) {
  const { exit } = useApp();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const { entries, done: lost } = feed.newer();
      const message = "records may be missing: the journal was rotated or cut";
      if (entries.length > 0) change((state) => addNewer(state, entries));
      if (lost) change((state) => ({ ...state, message }));
    };
    const load = () => {
      const { entries, skipped, done } = feed.older();
      const message = skipped > 0 ? `${skipped} lines of the journal are no records` : null;
      change((state) => {
        const next = addOlder(state, entries);
        return done ? { ...next, loading: false, message: message ?? next.message } : next;
      });
      return done;
    };
    const step = (work: () => boolean, wait: number) => {
      timer = setTimeout(() => {
        try {
          if (work()) step(() => (look(), true), FOLLOW_MS);
          else step(work, 0);
        } catch (error) {
          exit(error instanceof Error ? error : new Error(String(error)));
        }
      }, wait);
    };
    step(load, 0);
    return () => clearTimeout(timer);
  }, []);
}

/** The whole screen. */
export function ReviewApp({ initial, feed, readOutput, copy, color }: ReviewProps) {
  const { exit } = useApp();
  const size = useWindowSize();
  const [state, setState] = useState(initial);
  // Several keys may arrive before the next rendering: each starts from what the one before it left.
  const latest = useRef(initial);
  const change = (next: (state: ReviewState) => ReviewState) => {
    latest.current = next(latest.current);
    setState(latest.current);
  };
  const carryOut = (effect: Effect | null) => {
    if (effect?.kind === "quit") exit();
    if (effect?.kind === "copy") copy(effect.id);
  };
  useFeed(feed, change);
  useInput((input, flags) => {
    for (const key of keyNames(input, flags)) {
      const pressed = pressKey(latest.current, key, bodyOf(size));
      change(() => pressed.state);
      carryOut(pressed.effect);
    }
  });
  const lines = screenLines(state, { size, readOutput });
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      {lines.map((line, index) => <LineText key={index} line={line} color={color} />)}
    </Box>
  );
}
