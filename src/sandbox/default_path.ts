/** Where programs are looked for when the environment does not say: `confstr(_CS_PATH)` and what installs locally. */
export const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
