/** What an escape sequence does to a window of rows. */
import { type EscapeSequence, isScreenMode } from "./escape_sequence.ts";
import type { ScreenWindow } from "./screen_window.ts";

/** Moves, erases or does nothing: colours, titles and modes leave no trace in text. */
export function applyEscape(window: ScreenWindow, sequence: EscapeSequence): void {
  const final = String.fromCharCode(sequence.final);
  if (!sequence.isControl) single(window, final);
  else if (!sequence.isPrivate) control(window, { final, sequence });
  // What an alternative screen showed is gone when it ends.
  else if (final === "l" && isScreenMode(sequence)) window.eraseInScreen(2);
}

function control(
  window: ScreenWindow,
  { final, sequence }: { readonly final: string; readonly sequence: EscapeSequence },
): void {
  const { first, second } = sequence;
  const amount = Math.max(1, first);
  switch (final) {
    case "A":
      return window.moveRows(-amount);
    case "B":
      return window.moveRows(amount);
    case "C":
      return window.moveColumns(amount);
    case "D":
      return window.moveColumns(-amount);
    case "E":
    case "F":
      window.moveRows(final === "E" ? amount : -amount);
      return window.toColumn(0);
    case "G":
    case "`":
      return window.toColumn(amount - 1);
    case "d":
      return window.toRow(amount - 1);
    case "H":
    case "f":
      window.toRow(amount - 1);
      return window.toColumn(Math.max(1, second) - 1);
    case "J":
      return window.eraseInScreen(first);
    case "K":
      return window.eraseInRow(first);
    case "L":
    case "M":
      return window.shiftRows(final === "L" ? amount : -amount);
    case "s":
      return window.save();
    case "u":
      return window.restore();
  }
}

function single(window: ScreenWindow, final: string): void {
  switch (final) {
    case "7":
      return window.save();
    case "8":
      return window.restore();
    case "D":
      return window.moveRows(1);
    case "E":
      return window.newline();
    case "M":
      return window.moveRows(-1);
    case "c":
      window.eraseInScreen(2);
      window.toRow(0);
      window.toColumn(0);
  }
}
