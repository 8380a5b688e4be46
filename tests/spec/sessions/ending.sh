### status of the last command
false
true
### failing last command
true
false
### exit in the middle
echo a
exit 3
echo b
### exit without a value
false
exit
### exit zero
exit
echo no
### exit in a list
echo a; exit 4; echo b
echo c
### exit after and
true && exit 5
echo no
### exit in a group
{ exit 6; }
echo no
### exit in a condition
if true; then
  exit 7
fi
echo no
### exit in a function
f() { exit 8; }
f
echo no
### exit in a subshell
(exit 9)
echo $?
### exit in a pipeline
exit 1 | cat
echo on
### exit in a substitution
x=$(exit 3); echo $?
echo on
### exit on the right of or
false || exit 2
echo no
### exit with a large value
exit 300
### exit in a sourced file
echo 'exit 5' > lib
. ./lib
echo no
### exit in eval
eval 'exit 6'
echo no
### exit with a trap in one command
trap 'echo bye' EXIT; exit 3
### exit with a wrong value
exit abc
echo no
### return at the top
return 3
echo on
### command not found in the middle
echo a
no-such-program
echo b
### command not found at the end
echo a
no-such-program
### not executable
touch f
./f
### signal in a child
sh -c 'kill -TERM $$'; echo $?
echo on
### unset variable error ends the shell
#@ diverges "the status is that of bash -c"
#@ code 127
echo a
: ${nope:?is missing}
echo b
### failed substitution
cat none
echo on
### division by zero
echo $((1/0))
echo on
### readonly assignment
readonly r=1; r=2
echo on
### syntax error in eval
eval '('
echo on
### bad redirection
cat < none
echo on
### last command with a signal
#@ diverges "a single program is started without a shell, which would announce the signal"
#@ stderr ""
#@ mask " *[0-9]+ Killed"
sh -c 'kill -KILL $$'
### kill of the command's own shell
#@ diverges "the signal ends the command's own shell, the session goes on"
#@ stdout "no\n"
#@ code 0
kill -TERM $$
echo no
### status of a pipeline
true | false
### negated
! true
### background at the end
true &
### output without a newline
printf a
printf b
### both streams
echo out
echo err >&2
### many commands
echo 1
echo 2
echo 3
echo 4
echo 5
echo 6
echo 7
echo 8
echo 9
echo 10
