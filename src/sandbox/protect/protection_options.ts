/** What a protection is told, and what it tells. */

/** What to protect. */
export interface ProtectionOptions {
  /** Real paths of directories that commands may write with all that is beneath, but for temporary ones. */
  readonly roots: readonly string[];
  /** Directories in which the well-known names are protected, besides each repository. */
  readonly anchors: readonly string[];
  /** Further paths. */
  readonly paths: readonly string[];
  /** Real paths that the user has taken out of the protection, with all that is beneath. */
  readonly excepted: readonly string[];
  /** True for a path beneath which commands may write, in a root or not. */
  readonly isWritable: (path: string) => boolean;
  readonly home: string;
  /** Where sessions tell each other what they have seen; outside of everything that commands reach. */
  readonly shared?: string;
}

/** What was found after a command. */
export interface ProtectionReport {
  /** What was put back, in words: paths, with keys of configurations. */
  readonly restored: readonly string[];
  /** Directories to remove from inside the jail, absolute. */
  readonly doomed: readonly string[];
  /** What could not be looked at, in words. */
  readonly notices: readonly string[];
}
