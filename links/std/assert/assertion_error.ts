/** The error that a failed assertion throws. */
export class AssertionError extends Error {
  /** Takes the message and the options of `Error`. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AssertionError";
  }
}
