/** What tools say when something was refused, and the denial that it is; `@` is the tree, and paths are relative to `work`. */

/** Lines as the tools wrote them, run in a jail: Debian 12, Node 20, Python 3.11. */
export const FILE_COMPLAINTS: readonly { in: string; want: string; root?: boolean }[] = [
  { in: "cat: ../outside/file: Permission denied", want: "read @/outside/file" },
  { in: "cat: @/outside/file: Permission denied", want: "read @/outside/file" },
  { in: "cat: /etc/shadow: Permission denied", want: "read /etc/shadow" },
  { in: "cat: ~/.ssh/id: Permission denied", want: "read @/home/.ssh/id" },
  { in: "bash: line 1: ../outside/new: Permission denied", want: "write @/outside/new" },
  { in: "bash: line 1: @/home/.bashrc: Permission denied", want: "write @/home/.bashrc" },
  { in: "bash: line 1: ../outside/file: Permission denied", want: "read @/outside/file" },
  {
    in: "bash: line 1: /proc/sys/kernel/hostname: Permission denied",
    want: "write /proc/sys/kernel/hostname",
    root: true,
  },
  { in: "sh: 1: cannot create ../outside/new: Permission denied", want: "write @/outside/new" },
  {
    in: "sh: 1: cannot create /etc/newfile: Permission denied",
    want: "write /etc/newfile",
    root: true,
  },
  {
    in: "cp: cannot create regular file '../outside/file': Permission denied",
    want: "write @/outside/file",
  },
  {
    in: "cp: cannot open '../outside/file' for reading: Permission denied",
    want: "read @/outside/file",
  },
  {
    in: "mkdir: cannot create directory \u2018../outside/d\u2019: Permission denied",
    want: "write @/outside/d",
  },
  { in: "touch: cannot touch '../outside/t': Permission denied", want: "write @/outside/t" },
  { in: "tee: ../outside/t: Permission denied", want: "write @/outside/t" },
  { in: "rm: cannot remove '../outside/file': Permission denied", want: "write @/outside/file" },
  {
    in: "mv: cannot move 'file' to '../outside/file': Permission denied",
    want: "write @/outside/file",
  },
  {
    in: "ln: failed to create symbolic link '../outside/l': Permission denied",
    want: "write @/outside/l",
  },
  {
    in: "truncate: cannot open '../outside/file' for writing: Permission denied",
    want: "write @/outside/file",
  },
  { in: "dd: failed to open '../outside/z': Permission denied", want: "write @/outside/z" },
  { in: "ls: cannot open directory '../outside': Permission denied", want: "read @/outside" },
  { in: "ls: cannot open directory '/': Permission denied", want: "read /" },
  { in: "grep: ../outside: Permission denied", want: "read @/outside" },
  { in: "find: \u2018../outside\u2019: Permission denied", want: "read @/outside" },
  { in: "sed: can't read ../outside/file: Permission denied", want: "read @/outside/file" },
  { in: "awk: cannot open ../outside/file (Permission denied)", want: "read @/outside/file" },
  { in: "tar: ../outside/a.tar: Cannot open: Permission denied", want: "write @/outside/a.tar" },
  { in: 'Saving key "../outside/k" failed: Permission denied', want: "write @/outside/k" },
  {
    in: "/usr/bin/ld: cannot open output file ../outside/a: Permission denied",
    want: "write @/outside/a",
  },
  {
    in: "PermissionError: [Errno 13] Permission denied: '../outside/new'",
    want: "write @/outside/new",
  },
  {
    in: "PermissionError: [Errno 13] Permission denied: '../outside/file'",
    want: "read @/outside/file",
  },
  { in: "Error: EACCES: permission denied, open '../outside/n'", want: "write @/outside/n" },
  { in: "Error: EACCES: permission denied, open '../outside/file'", want: "read @/outside/file" },
  {
    in: "npm error Error: EACCES: permission denied, mkdir '../outside/n'",
    want: "write @/outside/n",
  },
  {
    in: "Error: EACCES: permission denied, rename '../outside/file' -> 'x'",
    want: "write @/outside/file",
  },
  { in: "fatal: cannot mkdir ../outside/g: Permission denied", want: "write @/outside/g" },
  {
    in: "error: could not lock config file @/home/.gitconfig: Permission denied",
    want: "write @/home/.gitconfig",
  },
  {
    in: "E: Could not open lock file /var/lib/apt/lists/lock - open (13: Permission denied)",
    want: "write /var/lib/apt/lists/lock",
    root: true,
  },
];

/** About hosts. */
export const NET_COMPLAINTS: readonly { in: string; want: string }[] = [
  { in: "curl: (6) Could not resolve host: example.org", want: "net example.org" },
  { in: "wget: unable to resolve host address \u2018example.org\u2019", want: "net example.org" },
  { in: "Connecting to 127.0.0.1:9... failed: Permission denied.", want: "net 127.0.0.1:9" },
  {
    in: "fatal: unable to access 'https://example.org/a.git/': Could not resolve host: example.org",
    want: "net example.org:443",
  },
  {
    in: "ssh: Could not resolve hostname example.org: Temporary failure in name resolution",
    want: "net example.org",
  },
  {
    in:
      "npm error request to https://registry.example.org/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.example.org",
    want: "net registry.example.org:443",
  },
  { in: "  [cause]: Error: getaddrinfo EAI_AGAIN example.org", want: "net example.org" },
  {
    in: "Error: connect EACCES 127.0.0.1:80 - Local (undefined:undefined)",
    want: "net 127.0.0.1:80",
  },
  { in: "Error: listen EACCES: permission denied 0.0.0.0:3000", want: "net 0.0.0.0:3000" },
  {
    in:
      'psql: error: could not translate host name "db.example.org" to address: Temporary failure in name resolution',
    want: "net db.example.org",
  },
  { in: "bash: line 1: /dev/tcp/127.0.0.1/80: Permission denied", want: "net 127.0.0.1:80" },
];

/**
 * About connections that failed, for whatever reason: a supervisor or a proxy knows exactly which were refused, and
 * `want` is what is left to guess where there is neither.
 */
export const CONNECTION_COMPLAINTS: readonly { in: string; want: readonly string[] }[] = [
  {
    in: "curl: (7) Failed to connect to 10.1.2.3 port 8080 after 0 ms: Couldn't connect to server",
    want: ["net 10.1.2.3:8080"],
  },
  {
    in:
      "curl: (7) Failed to connect to 2606:4700::1111 port 443 after 0 ms: Couldn't connect to server",
    want: ["net [2606:4700::1111]:443"],
  },
  {
    in:
      "fatal: unable to access 'http://[fe80::1]:8080/a/': Failed to connect to fe80::1 port 8080 after 0 ms: Couldn't connect to server",
    want: ["net [fe80::1]:8080"],
  },
  // Nobody listens there.
  { in: "curl: (7) Failed to connect to localhost port 3000 after 2 ms: refused", want: [] },
  { in: "curl: (7) Failed to connect to 127.0.0.1 port 3000: Connection refused", want: [] },
  { in: "curl: (7) Failed to connect to ::1 port 3000: Couldn't connect to server", want: [] },
  {
    in:
      "fatal: unable to access 'http://localhost:3000/x/': Failed to connect to localhost port 3000 after 4 ms: Couldn't connect to server",
    want: [],
  },
  { in: "ssh: connect to host localhost port 22: Connection refused", want: [] },
  { in: "bash: line 1: /dev/tcp/127.0.0.1/3000: Connection refused", want: [] },
  { in: "Could not connect to Redis at 127.0.0.1:6379: Connection refused", want: [] },
  { in: "could not connect to server: Connection refused", want: [] },
  { in: "Failed to connect to bus: No such file or directory", want: [] },
];
