/** Files that a command must not be able to read or change. */
import type { Case } from "./attempt.ts";
import { SECRET_FILES } from "./place.ts";

const [EPERM, EXDEV, EACCES, ENOSYS] = [1, 18, 13, 38] as const;

/** Reading. */
export const READ_CASES: readonly Case[] = [
  ...SECRET_FILES.map((path) => ({ in: `reading ~/${path}`, try: `grep -q . ~/${path}` })),
  { in: "reading /etc/shadow", try: "grep -q . /etc/shadow", control: "root" as const },
  { in: "listing the home directory", try: "ls ~" },
  { in: "listing ~/.ssh", try: "ls ~/.ssh" },
  {
    in: "watching a directory outside",
    try: "python3 -c 'import ctypes, os, sys; c = ctypes.CDLL(None)\n" +
      'sys.exit(c.inotify_add_watch(c.inotify_init1(0), os.environ["OUTSIDE"].encode(), 256) < 0)\'',
  },
  { in: "reading a file outside", try: "cat $OUTSIDE/secret" },
  { in: "reading by a redirection", try: "read -r line <$OUTSIDE/secret" },
  { in: "reading and writing by a redirection", try: "exec 9<>$OUTSIDE/secret" },
  { in: "sourcing a file outside", try: ". $OUTSIDE/victim; (($? == 127))" },
  { in: "reading with ..", try: "cat ../../../outside/secret" },
  { in: "reading with dots and slashes", try: "cat $WORK//./..//outside/./secret" },
  { in: "reading by a link", try: "ln -s $OUTSIDE/secret l && cat l" },
  { in: "reading by a link to a directory", try: "ln -s $OUTSIDE d && cat d/secret" },
  { in: "reading by a link to /", try: "ln -s / r && cat r$OUTSIDE/secret" },
  { in: "reading by a chain of links", try: "ln -s ../../.. a; ln -s a/outside b; cat b/secret" },
  { in: "reading by /proc/self/root", try: "cat /proc/self/root$OUTSIDE/secret" },
  { in: "reading by /proc/self/cwd", try: "cat /proc/self/cwd/../../../outside/secret" },
  { in: "reading by /proc/thread-self/root", try: "cat /proc/thread-self/root/$OUTSIDE/secret" },
  { in: "reading by /proc/PPID/root", try: "cat /proc/$VICTIM/root$OUTSIDE/secret" },
  { in: "reading by a changed directory", try: "cd $OUTSIDE && cat secret" },
  { in: "copying a file in", try: "cp $OUTSIDE/secret here" },
  { in: "archiving a directory", try: "tar -cf - -C $OUTSIDE . >t" },
  { in: "searching a tree", try: "grep -rq $SECRET $OUTSIDE" },
  { in: "reading by a file of names", try: "echo $OUTSIDE/secret >n; tar -cf t -P -T n" },
  {
    in: "reading with a directory descriptor",
    try: 'python3 -c \'import os; d = os.open(os.environ["OUTSIDE"], os.O_PATH); ' +
      'os.read(os.open("secret", os.O_RDONLY, dir_fd=d), 1)\'',
  },
  { in: "reading by git", try: "git hash-object $OUTSIDE/secret" },
  { in: "reading by a compiler's #include", try: 'echo "#include \\"$OUTSIDE/victim\\"" | cpp' },
  { in: "openat with a directory descriptor", try: "calls dir-fd", want: [EACCES] },
  { in: "open after chdir", try: "calls chdir", want: [EACCES] },
  { in: "reopening an O_PATH descriptor", try: "calls reopen-path-fd", want: [EACCES] },
  { in: "openat2", try: "calls openat2", want: [ENOSYS] },
  { in: "open_by_handle_at", try: "calls open_by_handle_at", want: [EPERM], control: "root" },
  { in: "reading a hard link to a file outside", try: "ln $OUTSIDE/secret h && cat h" },
  { in: "reading a file that was moved in", try: "mv $OUTSIDE/movable . && cat movable/file" },
];

/** Writing. What the host itself would suffer from is only opened, never changed. */
export const WRITE_CASES: readonly Case[] = [
  { in: "creating a file outside", try: "echo x >$OUTSIDE/new" },
  { in: "overwriting a file outside", try: "echo x >$OUTSIDE/victim" },
  { in: "overwriting with >|", try: "echo x >|$OUTSIDE/victim" },
  { in: "appending to a file outside", try: "echo x >>$OUTSIDE/victim" },
  { in: "emptying a file by name", try: ": >$OUTSIDE/victim" },
  { in: "truncate", try: "calls truncate", want: [EACCES] },
  { in: "writing by dd", try: "dd if=/dev/zero of=$OUTSIDE/victim bs=1 count=1 conv=notrunc" },
  { in: "writing by tee", try: "echo x | tee -a $OUTSIDE/victim" },
  { in: "editing in place", try: "sed -i s/un// $OUTSIDE/victim" },
  { in: "writing by a link", try: "ln -s $OUTSIDE/victim l && echo x >>l" },
  { in: "creating by a dangling link", try: "ln -s $OUTSIDE/by-link l && echo x >l" },
  { in: "creating a directory outside", try: "mkdir $OUTSIDE/made" },
  { in: "creating a link outside", try: "ln -s x $OUTSIDE/symlink" },
  { in: "creating a fifo outside", try: "mkfifo $OUTSIDE/fifo" },
  { in: "a hard link out", try: "echo x >mine; ln mine $OUTSIDE/linked" },
  { in: "a hard link in", try: "ln $OUTSIDE/victim mine" },
  { in: "a hard link by descriptor", try: "calls link-descriptor", want: [EACCES, EXDEV] },
  { in: "moving a file out", try: "echo x >mine; mv mine $OUTSIDE/moved" },
  { in: "exchanging two names", try: "calls exchange", want: [EACCES, EXDEV] },
  { in: "an unnamed file outside", try: "calls tmpfile", want: [EACCES] },
  { in: "renaming a file outside", try: "mv $OUTSIDE/directory/file $OUTSIDE/directory/renamed" },
  { in: "deleting a file outside", try: "rm -f $OUTSIDE/doomed" },
  { in: "deleting a directory outside", try: "rmdir $OUTSIDE/empty" },
  { in: "deleting a tree by a link", try: "ln -s $OUTSIDE d && rm -r d/secret" },
  { in: "unpacking over the workspace's edge", try: "echo x >../../../outside/unpacked" },
  { in: "renaming the workspace", try: "mv $WORK $WORK.moved && mv $WORK.moved $WORK" },
  { in: "writing next to the workspace", try: "echo x >$ROOT/beside" },
  { in: "changing ~/.bashrc", try: "echo x >>~/.bashrc" },
  { in: "creating ~/.profile", try: "echo x >~/.profile" },
  { in: "adding an SSH key", try: "echo x >>~/.ssh/authorized_keys" },
  { in: "changing git's configuration", try: "git config --global core.pager x" },
  { in: "creating a policy", try: "echo '{}' >~/.config/debrief/policy.jsonc" },
  { in: "creating a user's service", try: "mkdir -p ~/.config/systemd/user" },
  { in: "writing into /tmp", try: "f=/tmp/escape-probe-$$; echo x >$f && rm $f" },
  { in: "writing into /var/tmp", try: "f=/var/tmp/escape-probe-$$; echo x >$f && rm $f" },
  { in: "writing into /dev/shm", try: "f=/dev/shm/escape-probe-$$; echo x >$f && rm $f" },
  { in: "opening /etc/passwd to write", try: "exec 9>>/etc/passwd", control: "root" },
  { in: "opening /bin/ls to write", try: "exec 9>>/usr/bin/uname", control: "root" },
  { in: "creating a cron job", try: "f=/etc/escape-$$; : >$f && rm $f", control: "root" },
  { in: "/proc/self/oom_score_adj", try: "echo 0 >/proc/self/oom_score_adj" },
  { in: "/proc/sys/kernel", try: "exec 9>/proc/sys/kernel/core_pattern", control: "root" },
  { in: "/proc/sys/vm", try: "exec 9>/proc/sys/vm/swappiness", control: "root" },
  { in: "the shell's name", try: "exec 9>/proc/$VICTIM/comm" },
  { in: "the shell's oom score", try: "exec 9>/proc/$VICTIM/oom_score_adj" },
  { in: "a device that no rule names", try: "exec 9<>/dev/ptmx" },
  { in: "a character device", try: "calls char-node", want: [EPERM, EACCES], control: "root" },
  { in: "a block device", try: "calls block-node", want: [EPERM, EACCES], control: "root" },
];

/** Debrief's own files. STATE holds journal, key, lock and outputs. */
export const OWN_FILE_CASES: readonly Case[] = [
  { in: "listing the state directory", try: "ls $STATE" },
  { in: "reading the journal", try: "cat $STATE/journal.jsonl" },
  { in: "appending to the journal", try: "echo '{}' >>$STATE/journal.jsonl" },
  { in: "emptying the journal", try: "truncate -s 0 $STATE/journal.jsonl" },
  { in: "deleting the journal", try: "rm -f $STATE/journal.jsonl", want: [1] },
  { in: "reading its key", try: "cat $STATE/$KEY" },
  { in: "locking its lock", try: "exec 9<$STATE/$LOCK && flock -n 9" },
  { in: "writing its lock", try: "exec 9>>$STATE/$LOCK" },
  { in: "reading kept outputs", try: "ls $STATE/outputs" },
  { in: "creating a kept output", try: "echo x >$STATE/outputs/c0000000" },
  { in: "renaming the state directory", try: "mv $STATE $STATE.moved && mv $STATE.moved $STATE" },
  { in: "changing the policy file", try: "echo x >>$POLICY" },
  { in: "replacing the policy file", try: "echo x >p && mv p $POLICY" },
  {
    in: "writing the session's copies",
    try: 'echo x >"${DEBRIEF_COPIES:-$TMPDIR/../copies}/record"',
  },
  { in: "writing beside the private directory", try: "mkdir $TMPDIR/../made" },
  { in: "renaming the private directory", try: "mv $TMPDIR $TMPDIR.x && mv $TMPDIR.x $TMPDIR" },
  { in: "listing other sessions' directories", try: "ls $ROOT/tmp" },
  { in: "changing Debrief's program", try: "exec 9>>$PROGRAM", control: "root" },
];

/** Set-user-id and set-group-id bits, by every call that can leave them behind. */
export const SET_ID_CASES: readonly Case[] = [
  "suid-fchmodat",
  "suid-dirty",
  "sgid-fchmodat",
  "suid-fchmod",
  "suid-fchmodat2",
  "suid-openat",
  "suid-tmpfile",
  "suid-mknodat",
].map((name): Case => ({ in: `a set-id bit by ${name}`, try: `calls ${name}`, want: [EPERM] }))
  .concat(
    ["suid-open", "suid-creat", "suid-chmod"].map((name) => ({
      in: `a set-id bit by ${name}`,
      try: `calls ${name}`,
      want: [EPERM],
      only: "x86_64" as const,
    })),
    { in: "a set-id bit by chmod", try: "cp /bin/true t && chmod u+s t", want: [1] },
    { in: "a set-id bit by install", try: "install -m 4755 /bin/true t", want: [1] },
    {
      in: "a set-id bit out of an archive",
      try:
        'python3 -c \'import io,tarfile\nt = tarfile.open("t", "w")\ni = tarfile.TarInfo("f")\n' +
        "i.mode = 0o4755\nt.addfile(i, io.BytesIO())\nt.close()' && tar -xpf t && test -u f",
    },
  );

const OS = (call: string) =>
  `python3 -c 'import os; o = os.environ["OUTSIDE"]; v = o + "/victim"; ${call}'`;

/** What a file is known by. Without a jail these succeed: the victim is the user's own. */
export const METADATA_CASES: readonly Case[] = [
  { in: "chmod", try: "chmod 640 $OUTSIDE/victim" },
  { in: "chmod by a link", try: "ln -s $OUTSIDE/victim l && chmod 641 l" },
  { in: "chmod with ..", try: "chmod 642 ../../../outside/victim" },
  { in: "chmod from within", try: "cd $OUTSIDE && chmod 643 victim" },
  { in: "chmod of a directory", try: "chmod 750 $OUTSIDE/directory" },
  { in: "chmod beneath /proc/self/root", try: "chmod 644 /proc/self/root$OUTSIDE/victim" },
  { in: "chmod beneath /proc/self/cwd", try: "cd $OUTSIDE && chmod 645 /proc/self/cwd/victim" },
  { in: "chmod of the home directory", try: "chmod 755 ~" },
  {
    in: "chmod at a directory",
    try: OS('os.chmod("victim", 0o646, dir_fd=os.open(o, os.O_PATH))'),
  },
  {
    in: "chmod of a descriptor",
    try: OS('f = os.open(v, os.O_PATH); os.chmod(f"/proc/self/fd/{f}", 0o647)'),
  },
  {
    in: "chmod of a descriptor in /dev/fd",
    try: OS('f = os.open(v, os.O_PATH); os.chmod(f"/dev/fd/{f}", 0o641)'),
  },
  { in: "chown", try: OS("os.chown(v, os.getuid(), os.getgid())") },
  { in: "lchown", try: OS("os.lchown(v, -1, os.getgid())") },
  { in: "touch", try: "touch -c -d 2001-01-01 $OUTSIDE/victim" },
  { in: "touch by a link", try: "ln -s $OUTSIDE/victim l && touch -c l" },
  { in: "utime of a link", try: OS("os.utime(v, (1, 1), follow_symlinks=False)") },
  { in: "setxattr", try: OS('os.setxattr(v, "user.x", b"")') },
  { in: "lsetxattr", try: OS('os.setxattr(v, "user.y", b"", follow_symlinks=False)') },
];
