### true
true
### false
false
### exit 0
exit 0
### exit 1
exit 1
### exit 2 is passed through
exit 2
### exit 3
exit 3
### exit 77
exit 77
### exit 124 is passed through
exit 124
### exit 125 is passed through
exit 125
### exit 126 is passed through
exit 126
### exit 127 is passed through
exit 127
### exit 128
exit 128
### exit 130
exit 130
### exit 137
exit 137
### exit 255
exit 255
### exit 256 wraps
exit 256
### exit without a value
false; exit
### last command decides
false; true
### and list that fails
true && false
### plain program
/bin/true
### plain program that fails
/bin/false
### plain program with a status
#@ file s.sh "#!/bin/sh\nexit 9\n"
#@ file run "chmod +x s.sh; ./s.sh\n"
bash run
### program not found
no-such-program
### program not found with arguments
no-such-program --flag "a b"
### program not found in a list
no-such-program; echo $?
### path not found
./no-such-file
### absolute path not found
/no/such/program x
### not executable
#@ file f "echo no\n"
./f
### not executable in a list
#@ file f "echo no\n"
./f; echo $?
### a directory is no program
mkdir d; ./d; echo $?
### a directory as a plain command
/usr
### a directory with a slash
/usr/ arg
### missing interpreter
#@ file s "#!/no/such/interpreter\necho x\n"
chmod +x s; ./s; echo $?
### interpreter with a carriage return
#@ file s "#!/bin/sh\r\necho x\r\n"
chmod +x s; ./s; echo $?
### interpreter is a directory
#@ file s "#!/usr\necho x\n"
chmod +x s; ./s; echo $?
### empty executable
#@ file e ""
chmod +x e; ./e; echo $?
### binary garbage
printf '\177ELFgarbage' > g; chmod +x g; ./g; echo $?
### text with a control byte is no script
printf '\0\1\2\3\n' > g; chmod +x g; ./g; echo $?
### a path through a file
#@ file f ""
./f/x; echo $?
### loop of links
ln -s a b; ln -s b a; ./a; echo $?
### a name that is too long
x=$(printf '%0300d' 0); ./$x 2>/dev/null; echo $?
### argument list too long
x=$(printf '%0140000d' 0); /bin/echo $x 2>/dev/null; echo $?
### empty command name
""; echo $?
### command from an empty expansion
$unset; echo $?; $(true); echo $?; $(false); echo $?
### command with PATH unset
PATH=; ls; echo $?; /bin/echo still
### PATH for one command
PATH=/none ls; echo $?; ls -d .
### program in the working directory needs a path
#@ file prog "#!/bin/sh\necho ran\n"
chmod +x prog; prog; echo $?; PATH=.:$PATH; prog
### errexit
set -e; echo a; false; echo no
### errexit in a condition
set -e; if false; then :; fi; false || true; ! true; echo reached
### errexit in a function
set -e; f() { false; echo no; }; f; echo no
### errexit in a function used as a condition
set -e; f() { false; echo yes; }; f && echo also
### errexit in a subshell
set -e; (false; echo no); echo never
### errexit in a substitution
set -e; x=$(false; echo kept); echo $x; y=$(false); echo never
### errexit and a pipeline
set -e; false | true; echo reached; set -o pipefail; false | true; echo no
### errexit status
set -e; (exit 42); echo no
### errexit with local
set -e; f() { local x=$(false); echo masked; }; f
### errexit with arithmetic
set -e; i=0; ((i++)); echo no
### errexit switched off
set -e; set +e; false; echo on
### errexit trap
set -e; trap 'echo trapped $?' ERR EXIT; false
### bash e option
bash -ec 'false; echo no'; echo $?
### nounset
set -u; echo $nope; echo no
### nounset in a function
set -u; f() { echo $1; }; f; echo no
### nounset with a default
set -u; echo ${nope-default} ${nope:+x} $#; echo $@
### xtrace
set -x; echo a "b c"; x=1; [ $x = 1 ]; set +x; echo quiet
### xtrace of a pipeline in order
set -x; echo a > f; cat < f
### xtrace with PS4
PS4='>> '; set -x; for i in 1 2; do : $i; done
### verbose
set -v
echo a
### noexec
set -n; echo no
### allexport
set -a; x=1; sh -c 'echo $x'
### physical
mkdir r; ln -s r l; set -P; cd l; basename $PWD
### posix mode
set -o posix; shopt -o posix
### restricted shell
bash -r -c 'cd /'; echo $?
### unknown option of set
set -Z; echo $?
### unknown option of bash
bash --nope -c true 2>&1 | head -n 1
### plain program ended by a signal
#@ file s "kill -TERM $$\n"
sh s
### plain program that aborts
#@ file s "kill -ABRT $$\n"
sh s
### plain program that is killed
#@ file s "kill -KILL $$\n"
sh s
### plain program with a broken pipe
#@ file s "kill -PIPE $$\n"
sh s
### segmentation fault
#@ file s "kill -SEGV $$\n"
sh s
### floating point exception
#@ file s "kill -FPE $$\n"
sh s
### stop and continue
sh -c 'kill -CONT $$; echo on'
### last command of a list ended by a signal
true; sh -c 'kill -TERM $$'
### status of the pipeline's last program
echo x | sh -c 'exit 6'
### grep without a match
grep none /dev/null
### diff that differs
#@ file a "1\n"
#@ file b "2\n"
diff a b
### test that fails
test 1 = 2
### ls of a missing file
ls missing-file
### cat of several with one missing
#@ file a "a\n"
cat a missing a
### find with an error
find no-such-dir
### rm of a missing file
rm none; echo $?; rm -f none; echo $?
### mkdir twice
mkdir d; mkdir d; echo $?; mkdir -p d/e; echo $?
### rmdir of a full directory
mkdir -p d/e; rmdir d; echo $?
### cp of a directory without r
mkdir d; cp d e; echo $?
### wrong option of a program
ls --no-such-option 2>&1 | head -n 1; sort -Z 2>&1 | head -n 1
### kill of its own group
sh -c 'trap "" TERM; kill -TERM 0; echo alive'
### command substitution that fails
echo $(no-such-program); echo $?
### status of an assignment from a failing command
x=$(no-such-program) 2>/dev/null; echo $?
### exit in a function in a pipeline
f() { exit 3; }; f | cat; echo $? ${PIPESTATUS[0]}
### errexit with a missing program
set -e; no-such-program; echo no
### command not found handle
command_not_found_handle() { echo "handled $1"; return 44; }; nope x; echo $?
