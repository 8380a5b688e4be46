/**
 * The last rows of a terminal's screen, for output that moves its cursor up or down: what is overwritten or erased there
 * is gone, and a row is final when it has left the window at its top. Characters are kept as the bytes that they came
 * as, one code unit for each byte, so that nothing is lost that is no UTF-8.
 */

/** Rows that can still change; progress displays that are higher scroll on every terminal. */
export const WINDOW_ROWS = 64;
/** Furthest column that a movement can reach: a few bytes must not make a row of any length. */
const MAX_COLUMN = 256;
/** Longest row in cells; a longer one is no row of a display. */
const MAX_ROW = 1024;
const BLANK = " ";

class Row {
  readonly cells: string[] = [];
  /** False for a row that nothing was ever written to, or that was erased with the screen: it is no line of output. */
  touched = false;

  put(column: number, char: string): void {
    while (this.cells.length < column) this.cells.push(BLANK);
    this.cells[column] = char;
    this.touched = true;
  }

  clear(): void {
    this.cells.length = 0;
    this.touched = false;
  }

  get text(): string {
    const last = this.cells.findLastIndex((cell) => cell !== BLANK);
    return this.cells.slice(0, last + 1).join("");
  }
}

/** A cursor on rows. Every operation costs at most a constant, or what was written before it. */
export class ScreenWindow {
  #rows: Row[] = [new Row()];
  #row = 0;
  #column = 0;
  /** Rows that have left the window; saved positions are counted from the first row of all. */
  #left = 0;
  #saved = { row: 0, column: 0 };
  #final = "";

  #current(): Row {
    return this.#rows[this.#row] as Row;
  }

  /** Writes one character where the cursor stands. */
  put(char: string): void {
    this.#current().put(this.#column++, char);
  }

  /** True when the row is longer than any display's. */
  get isTooLong(): boolean {
    return this.#column > MAX_ROW;
  }

  /** Ends the line: the cursor goes to the first column of the next row. */
  newline(): void {
    this.#current().touched = true;
    this.#column = 0;
    this.#row++;
    if (this.#row === this.#rows.length) this.#rows.push(new Row());
    if (this.#rows.length > WINDOW_ROWS) this.#leave();
  }

  #leave(): void {
    const row = this.#rows.shift();
    if (row?.touched) this.#final += row.text + "\n";
    this.#row = Math.max(0, this.#row - 1);
    this.#left++;
  }

  /** Moves by rows. Above the window there are rows that are final already: they come back empty, to be written anew. */
  moveRows(by: number): void {
    const most = WINDOW_ROWS - this.#rows.length;
    const above = Math.min(Math.max(0, -by - this.#row), most);
    if (above > 0) {
      this.#rows.unshift(...Array.from({ length: above }, () => new Row()));
      this.#row += above;
      this.#left -= above;
    }
    this.#row = Math.min(Math.max(0, this.#row + by), WINDOW_ROWS - 1);
    this.#fill();
  }

  /** Makes the row of the cursor, which stands no further right than a movement in it could reach. */
  #fill(): void {
    while (this.#rows.length <= this.#row) this.#rows.push(new Row());
    this.toColumn(this.#column);
  }

  /** Moves to a row of the window, counted from 0. */
  toRow(row: number): void {
    this.moveRows(Math.min(Math.max(0, row), WINDOW_ROWS - 1) - this.#row);
  }

  /** Moves by columns. */
  moveColumns(by: number): void {
    this.toColumn(this.#column + by);
  }

  /** Moves to a column, counted from 0. */
  toColumn(column: number): void {
    const most = Math.max(MAX_COLUMN, this.#current().cells.length);
    this.#column = Math.min(Math.max(0, column), most);
  }

  /** Erases in the row: 0 from the cursor on, 1 up to it, 2 all of it (`EL` of ECMA-48). */
  eraseInRow(what: number): void {
    const { cells } = this.#current();
    if (what === 0) cells.length = Math.min(cells.length, this.#column);
    if (what === 1) cells.fill(BLANK, 0, Math.min(cells.length, this.#column + 1));
    if (what === 2) cells.length = 0;
  }

  /** Erases rows: 0 from the cursor on, 1 up to it, 2 and more all of them (`ED` of ECMA-48). */
  eraseInScreen(what: number): void {
    if (what < 2) this.eraseInRow(what);
    const from = what === 0 ? this.#row + 1 : 0;
    const to = what === 1 ? this.#row : this.#rows.length;
    for (let i = from; i < to; i++) this.#rows[i]?.clear();
  }

  /** Inserts empty rows at the cursor, or deletes rows there when `count` is negative; others move. */
  shiftRows(count: number): void {
    const most = Math.min(Math.abs(count), WINDOW_ROWS);
    if (count < 0) this.#rows.splice(this.#row, most);
    else this.#rows.splice(this.#row, 0, ...Array.from({ length: most }, () => new Row()));
    this.#rows.length = Math.min(this.#rows.length, WINDOW_ROWS);
    this.#fill();
  }

  /** Keeps the cursor's place. */
  save(): void {
    this.#saved = { row: this.#left + this.#row, column: this.#column };
  }

  /** Returns to the place that was kept. */
  restore(): void {
    this.toRow(this.#saved.row - this.#left);
    this.toColumn(this.#saved.column);
  }

  /** Takes the rows that have left the window since the last call. */
  takeFinal(): string {
    const final = this.#final;
    this.#final = "";
    return final;
  }

  /** Takes everything and starts anew; the last row gets its newline only when a row follows it. */
  takeAll(): string {
    const last = this.#rows.findLastIndex(({ touched }) => touched);
    let text = this.takeFinal();
    for (const [i, row] of this.#rows.entries()) {
      if (i > last || !row.touched) continue;
      text += row.text + (i < this.#rows.length - 1 ? "\n" : "");
    }
    this.#rows = [new Row()];
    this.#row = 0;
    this.#column = 0;
    this.#left = 0;
    this.#saved = { row: 0, column: 0 };
    return text;
  }
}
