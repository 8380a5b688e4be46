### pipeline
printf 'b\na\nc\n' | sort | head -n 2
### pipeline status is the last
false | true; echo $?; true | false; echo $?
### pipefail
set -o pipefail; false | true; echo $?; (exit 3) | (exit 4) | true; echo $?
### pipe both streams
{ echo out; echo err >&2; } |& sort
### pipeline in a substitution
x=$(echo abc | tr b X); echo $x
### variables set in a pipeline are lost
echo v | read x; echo "[$x]"
### lastpipe keeps them
shopt -s lastpipe; echo v | read x; echo "[$x]"
### pipeline with a group
{ echo 1; echo 2; } | { read a; read b; echo $b $a; }
### pipeline with a loop
seq 3 | while read i; do echo $((i*i)); done
### pipeline with a function
up() { tr a-z A-Z; }; echo abc | up
### broken pipe status
yes | head -n 1 > /dev/null; echo ${PIPESTATUS[@]}
### broken pipe with pipefail
set -o pipefail; yes | head -n 1; echo $?
### long pipeline
echo 1 | cat | cat | cat | cat | cat | cat | cat | cat | cat
### newline after a pipe
echo a |
tr a b
### status of a missing command in a pipeline
none-such-command | cat; echo ${PIPESTATUS[@]}
### subshell
(x=1; echo $x; exit 5); echo $? [$x]
### subshell directory
mkdir d; (cd d; pwd | sed 's,.*/,,'); pwd | grep -c '/d$'
### nested subshells
( ( echo deep ) ); (exit 3) || (echo $?; exit 4); echo $?
### group
{ echo a; x=1; }; echo $x
### group status
{ false; }; echo $?; { true; false; } || echo failed
### group needs a terminator
{ echo a; echo b; } | wc -l
### exit in a group ends the shell
{ exit 7; }; echo no
### exit in a subshell does not
( exit 7 ); echo $?
### background and wait
sleep 0.05 & wait; echo done
### wait for a status
(exit 9) & wait $!; echo $?
### wait for several
(exit 1) & a=$!; (exit 2) & b=$!; wait $a; echo $?; wait $b; echo $?
### wait n
(exit 6) & wait -n; echo $?; wait -n; echo $?
### wait for no child
wait 1; echo $?
### background output
{ sleep 0.05; echo late; } & echo early; wait
### background list
true && echo listed & wait
### background reads nothing
cat & wait $!; echo $?
### job list is empty without job control
sleep 0 & wait; jobs; echo $?
### kill a background job
#@ mask " *[0-9]+ Terminated"
sleep 60 & kill $!; wait $!; echo $?
### kill with a signal name
#@ mask " *[0-9]+ Killed"
sleep 60 & kill -KILL $!; wait $!; echo $?
### kill zero
sleep 60 & kill -0 $! && echo alive; kill $!; wait $! 2>/dev/null
### kill a missing process
kill 2147483646; echo $?
### kill lists names
kill -l 9; kill -l TERM; kill -l 137
### disown and finish
sleep 0 & disown; echo $?
### coproc
coproc { read x; echo "got $x"; }; echo hello >&${COPROC[1]}; read y <&${COPROC[0]}; echo $y
### named coproc
coproc UP { tr a-z A-Z; }; echo abc >&${UP[1]}; exec {UP[1]}>&-; cat <&${UP[0]}
### trap on exit
trap 'echo bye' EXIT; echo hi
### trap on exit keeps the status
trap 'echo $?' EXIT; exit 3
### trap on exit changes the status
trap 'exit 9' EXIT; exit 3
### trap on a signal
trap 'echo caught' USR1; kill -USR1 $$; echo after
### trap on TERM
trap 'echo term; exit 5' TERM; kill $$; echo no
### ignored signal
trap '' TERM; kill $$; echo alive
### trap on ERR
trap 'echo err $?' ERR; false; (exit 4); true; false || true; echo end
### trap on RETURN and DEBUG
f() { trap 'echo ret' RETURN; echo in; }; f; trap 'echo "+ $BASH_COMMAND"' DEBUG; x=1; echo $x
### trap p
trap 'echo x' INT; trap -p; trap - INT; trap -p INT
### trap in a subshell is reset
trap 'echo parent' EXIT; (trap 'echo child' EXIT; :); echo mid
### signal ends the shell
kill -TERM $$; echo no
### kill ends the shell
kill -KILL $$
### interrupt ends the shell
kill -INT $$; echo no
### hang-up
kill -HUP $$
### pipe signal
kill -PIPE $$
### quit
kill -QUIT $$
### user signal
kill -USR2 $$
### alarm
kill -ALRM $$
### child ended by a signal
#@ mask " *[0-9]+ (Terminated|Killed)"
sh -c 'kill -TERM $$'; echo $?; sh -c 'kill -KILL $$'; echo $?
### child that aborts
#@ mask " *[0-9]+ Aborted"
sh -c 'kill -ABRT $$'; echo $?
### timeout program
timeout 0.1 sleep 5; echo $?; timeout 5 true; echo $?
### nohup
nohup echo kept; echo $?
### setsid
setsid -w sh -c 'exit 4'; echo $?
### env runs a command
env X=1 sh -c 'echo $X'; env -i sh -c 'echo [$HOME]'; env false; echo $?
### nice
nice -n 1 sh -c 'exit 3'; echo $?
### xargs status
echo a | xargs false; echo $?; echo a | xargs none-such; echo $?
### time keyword
TIMEFORMAT=; time true; echo $?
### negated pipeline with pipefail
set -o pipefail; ! false | true; echo $?
### parallel jobs
for i in 1 2 3; do { echo $i > f$i; } & done; wait; cat f1 f2 f3
### pipe to a background reader
mkfifo p; cat p > out & echo through > p; wait; cat out
