### sed
printf 'one\ntwo\nthree\n' | sed -n '2,3s/t/T/p'; echo abc | sed 's/b/[&]/;s/c$/C/'
### sed in place
#@ file f "a\nb\n"
sed -i 's/a/x/' f; cat f; sed -i.bak '1d' f; cat f f.bak
### sed script file
#@ file s "s/1/one/\n/2/d\n"
printf '1\n2\n3\n' | sed -f s
### awk
printf 'a 1\nb 2\n' | awk '{s+=$2; print $1} END {print s}'
### awk with a separator and variables
echo a:b:c | awk -F: -v n=2 '{print $n, NF; printf "%03d\n", n}'
### awk exit status
awk 'BEGIN { print "x"; exit 3 }'; echo $?
### sort
printf 'b 2\na 10\nc 1\n' | sort -k2n; printf 'b\na\nb\n' | sort -u; printf '1\n10\n2\n' | sort -rn
### uniq
printf 'a\na\nb\na\n' | uniq -c; printf 'a\na\nb\n' | uniq -d
### tr
echo hello | tr a-y b-z; echo aabb | tr -s a; echo a1b2 | tr -d 0-9; echo a-b | tr -c a-z '_'
### cut
echo a:b:c | cut -d: -f1,3; echo abcdef | cut -c2-4
### head and tail
seq 10 | head -n 2; seq 10 | tail -n 2; seq 10 | tail -n +9; printf abc | head -c 2; seq 5 | head -n -3
### wc
#@ file f "a b\nc\n"
wc f; wc -l -w f; wc -c < f
### find
#@ file d/a.txt "x"
#@ file d/e/b.txt ""
#@ file d/c.md ""
find d -name '*.txt' | sort; find d -type d | sort; find d -empty -type f | sort
### find with exec
#@ file d/a "1\n"
#@ file d/b "2\n"
find d -type f -exec cat {} + | sort; find d -type f -exec basename {} \; | sort; find d -name a -delete; ls d
### xargs
printf 'a b\nc\n' | xargs -n 1 echo x; printf 'a b\0c\0' | xargs -0 -I{} echo '<{}>'; printf '1\n2\n' | xargs
### xargs with a shell
seq 3 | xargs -I{} sh -c 'echo $(({} * 2))'
### grep
printf 'foo\nbar\nfoobar\n' | grep foo; printf 'a\nb\n' | grep -v a; printf 'a\na\n' | grep -c a; echo ABC | grep -io b
### grep with context and numbers
seq 9 | grep -n -B1 -A1 5; printf 'x1\ny2\n' | grep -E '^[xy][0-9]$'; echo a.b | grep -F .
### grep recursive
#@ file d/a "needle\n"
#@ file d/b "hay\n"
grep -r needle d; grep -rl hay d; grep -q none d/a; echo $?
### tee
echo x | tee a b | cat; echo y | tee -a a; cat a b
### diff
#@ file a "1\n2\n3\n"
#@ file b "1\nx\n3\n"
diff a b; echo $?; diff -u a b | tail -n +3; cmp a b; echo $?
### patch
#@ file f "1\n2\n"
#@ file p "--- f\n+++ f\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"
patch -p0 < p; cat f
### comm and join
#@ file a "a 1\nb 2\n"
#@ file b "b x\nc y\n"
comm a b; join a b
### paste
paste -d, <(seq 3) <(seq 4 6); seq 4 | paste - -; seq 3 | paste -s -d+
### tar
#@ file d/a "content\n"
#@ file d/b ""
tar cf t.tar d; tar tf t.tar | sort; rm -r d; tar xf t.tar; cat d/a; ls d
### tar with compression
#@ file d/a "zipped\n"
tar czf t.tgz d; rm -r d; tar xzf t.tgz; cat d/a; tar xzOf t.tgz d/a
### gzip
echo data > f; gzip f; ls; gunzip -c f.gz; gzip -d f.gz; cat f; echo x | gzip -9 | gunzip
### bzip2 and xz
echo abc | bzip2 | bunzip2; echo abc | xz | unxz
### base64 and checksums
echo hello | base64; echo aGVsbG8K | base64 -d; echo hello | sha256sum; echo hello | md5sum; echo hello | cksum
### od and xxd
printf 'AB\n' | od -c; printf 'AB' | od -An -tx1
### rev tac nl fold
echo abc | rev; seq 3 | tac; printf 'a\nb\n' | nl; echo abcdef | fold -w 2
### expand column fmt
printf 'a\tb\n' | expand -t 4; printf 'a b\nccc d\n' | column -t; echo a b c d | fmt -w 4
### split and cat
seq 5 > f; split -l 2 f part_; ls part_*; cat part_ab
### basename dirname realpath
basename /a/b.c .c; dirname /a/b; mkdir d; realpath d/.. | grep -c "$PWD"; readlink -f d | sed 's,.*/,,'
### ln and stat
#@ file f "12345"
ln f hard; ln -s f soft; readlink soft; stat -c '%s %h %F' f; stat -c %F soft
### cp mv rm
#@ file f "x\n"
cp f g; mv g h; ls; mkdir d; cp -r d e; rm f h; ls
### touch and date of a file
touch -d '2001-02-03 04:05:06 UTC' f; TZ=UTC stat -c %y f; TZ=UTC date -r f +%F
### date of a fixed time
TZ=UTC date -d @0 '+%Y-%m-%d %H:%M:%S'; TZ=UTC date -d '2024-02-29 +1 year' +%F
### chmod and ls
#@ file f ""
chmod 640 f; stat -c %a f; chmod u+x,g-r f; stat -c %A f; mkdir -m 700 d; stat -c %a d
### du and df of a file
head -c 8192 /dev/zero > f; du -b f; df . > /dev/null; echo $?
### mktemp lies in the private directory
f=$(mktemp); case $f in "$TMPDIR"/*) echo inside;; esac; rm $f; d=$(mktemp -d); rmdir $d; echo $?
### env and printenv
env -i A=1 B=2 env | sort; A=x printenv A; printenv NONE; echo $?
### id and whoami
id -u; id -un; whoami; logname 2>/dev/null; groups | wc -l
### uname and hostname
uname -s; [ -n "$(uname -r)" ] && echo release; [ -n "$(hostname)" ] && echo host
### nproc and getconf
[ $(nproc) -ge 1 ] && echo processors; getconf PAGE_SIZE
### sleep and timeout
sleep 0.01; echo $?; timeout 1 sh -c 'exit 3'; echo $?
### seq and factor
seq 1 2 7; seq -w 8 10; factor 60; numfmt --to=iec 2048
### shuf with a source
shuf -i 1-5 --random-source=/dev/zero | sort -n | tr '\n' ' '
### bc and expr
echo '2^10; scale=3; 1/3' | bc; expr 7 \* 6
### python prints and exits
python3 -c 'import sys; print("out"); print("err", file=sys.stderr); sys.exit(5)'
### python reads standard input
#@ stdin "3\n4\n"
python3 -c 'import sys; print(sum(int(l) for l in sys.stdin))'
### python traceback
python3 -c 'raise ValueError("bad")'
### python script with arguments
#@ file s.py "import sys\nprint(sys.argv)\n"
python3 s.py a "b c"
### python heredoc
python3 - x <<'E'
import sys, os
print(sys.argv[1], os.getcwd() == os.environ["PWD"])
E
### python starts a program
python3 -c 'import subprocess; print(subprocess.run(["sh","-c","exit 4"]).returncode)'
### python with threads and processes
python3 -c 'import multiprocessing as m, threading as t
r=[]; x=t.Thread(target=lambda: r.append(1)); x.start(); x.join(); print(r)'
### python ended by a signal
python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)'
### python temporary file
python3 -c 'import tempfile; f=tempfile.TemporaryFile(); f.write(b"x"); f.seek(0); print(f.read())'
### python sqlite
python3 -c 'import sqlite3; c=sqlite3.connect("t.db"); c.execute("create table t(x)"); c.execute("insert into t values(1)"); c.commit(); print(c.execute("select * from t").fetchall())'
### perl
perl -e 'print "a\n"; print STDERR "b\n"; exit 6'; printf 'x y\n' | perl -lane 'print $F[1]'
### perl in place
#@ file f "cat\n"
perl -pi -e 's/cat/dog/' f; cat f
### node
node -e 'console.log([1,2].map(x => x*2)); console.error("err"); process.exit(7)'
### node reads and writes files
#@ file a.json "{\"x\":[1,2]}"
node -e 'const fs=require("fs"); const o=JSON.parse(fs.readFileSync("a.json")); fs.writeFileSync("b", String(o.x.length)); console.log(fs.readFileSync("b","utf8"))'
### node starts a program
node -e 'console.log(require("child_process").execSync("echo sub").toString())'
### node error
node -e 'process.exitCode=3; Promise.resolve().then(()=>console.log("later"))'
### jq
echo '{"a":[1,{"b":"x"}]}' | jq -c '.a[1]'; echo '{}' | jq -e .x; echo $?; echo bad | jq . ; echo $?
### git
git init -q -b main r && cd r && git config user.name A && git config user.email a@example.org
export GIT_AUTHOR_DATE='2024-01-02T03:04:05Z' GIT_COMMITTER_DATE='2024-01-02T03:04:05Z'
echo x > f; git add f; git commit -qm 'first commit'; git log --oneline; git status --short; echo y >> f; git diff; git show --stat HEAD | tail -n 2
### git branches
git init -q -b main r && cd r && git config user.name A && git config user.email a@example.org
git commit -q --allow-empty -m one; git checkout -q -b topic; echo t > t; git add .; git commit -qm two; git checkout -q main; git merge -q topic; ls; git branch; git rev-list --count HEAD
### git stash and tags
git init -q -b main r && cd r && git config user.name A && git config user.email a@example.org
echo a > f; git add f; git commit -qm a; echo b > f; git stash -q; cat f; git stash pop -q; cat f; git tag v1; git describe --tags
### git clone locally
git init -q -b main a && cd a && git config user.name A && git config user.email a@example.org && git commit -q --allow-empty -m x && cd .. && git clone -q a b; git -C b log --format=%s
### git outside of a repository
cd / && git rev-parse --show-toplevel; echo $?
### make
#@ file Makefile "all: a.out\n\t@echo linked $<\na.out: src\n\tcp src a.out\nfail:\n\t@exit 3\n"
#@ file src "x\n"
make; make; make fail; echo $?
### make in parallel
#@ file Makefile "all: a b\na b:\n\t@echo $@ > $@\n"
make -j2 > /dev/null; cat a b
### gcc hello world
#@ file h.c "#include <stdio.h>\nint main(int c, char **v) { printf(\"hello %d\\n\", c); return 3; }\n"
gcc -o h h.c && ./h a b; echo $?
### gcc error
#@ file h.c "int main(void) { return x; }\n"
gcc h.c; echo $?
### shared library
#@ file l.c "int f(void) { return 5; }\n"
#@ file m.c "int f(void);\nint main(void) { return f(); }\n"
gcc -shared -fPIC -o libl.so l.c && gcc m.c -L. -ll -o m && LD_LIBRARY_PATH=. ./m; echo $?
### dash
sh -c 'echo $0; echo "a\tb"'; dash -c 'exit 4'; echo $?
### script of several programs
printf 'GET /a 200\nGET /b 404\nGET /a 200\n' | awk '{print $2, $3}' | sort | uniq -c | sort -rn | sed 's/^ *//'
### file locking
flock lock echo held; flock -n lock -c 'echo again'
### named pipe
mkfifo p; (echo through > p &); cat p
### unix socket in python
python3 -c 'import socket; a,b=socket.socketpair(); a.send(b"x"); print(b.recv(1))'
### memory map in python
python3 -c 'import mmap; m=mmap.mmap(-1,10); m[0:2]=b"ab"; print(m[0:2])'
### ps sees its own processes
ps -o comm= -p $$; [ -r /proc/self/status ] && echo proc
### truncate and dd
truncate -s 10 f; stat -c %s f; dd if=/dev/zero of=g bs=4 count=2 2>/dev/null; stat -c %s g
### install and tree of directories
install -d a/b/c; install -m 600 /dev/null a/f; stat -c %a a/f; ls -R a
### man of nothing and pager
git --no-pager --version | cut -d' ' -f1; echo x | ${PAGER:-cat}
### stdbuf and unbuffer order
stdbuf -oL echo line; printf 'a\n' | stdbuf -o0 cat
### watch a command with a bounded loop
for i in 1 2 3; do date -d @$i -u +%s; done
