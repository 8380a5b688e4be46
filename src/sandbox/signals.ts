/** Names of signals on Linux (x86_64 and aarch64 share them): `asm-generic/signal.h`. */
const NAMES =
  ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN " +
    "TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS").split(" ");
/** First and last real-time signals as glibc numbers them: it keeps 32 and 33 for itself. */
const [RTMIN, RTMAX] = [34, 64];

/** The number of a signal that is given as `TERM`, `SIGTERM` or `15`; null for what is none. */
export function signalNumber(text: string): number | null {
  if (/^\d{1,2}$/.test(text)) {
    return Number(text) >= 1 && Number(text) <= RTMAX ? Number(text) : null;
  }
  const index = NAMES.indexOf(text.toUpperCase().replace(/^SIG/, ""));
  return index < 0 ? null : index + 1;
}

/** `SIGKILL`, `SIGRTMIN+1`, or `SIG33` for what has no name. */
export function signalName(signal: number): string {
  const name = NAMES[signal - 1];
  if (name !== undefined) return `SIG${name}`;
  if (signal < RTMIN || signal > RTMAX) return `SIG${signal}`;
  return signal === RTMIN ? "SIGRTMIN" : `SIGRTMIN+${signal - RTMIN}`;
}
