### directory with a space
mkdir 'a b'
cd 'a b'
basename "$PWD"
### directory with a newline
mkdir $'a\nb'
cd $'a\nb'
basename "$PWD" | od -An -c
### directory with a trailing newline
mkdir $'a\n'
cd $'a\n'
pwd | tail -n 2 | od -An -c
### directory with quotes and unicode
mkdir "d'\"ñ\$x"
cd "d'\"ñ\$x"
basename "$PWD"
### directory through a link
mkdir real
ln -s real link
cd link
basename "$PWD"
cd ..
ls
### directory that is renamed
#@ diverges "a session stands in a path, not in a directory that no path leads to"
#@ stdout "case\n"
mkdir d
cd d
mv ../d ../e
basename $PWD
### directory that is removed below the session
#@ diverges "a session stands in a path, not in a directory that no path leads to"
#@ stdout "case\n"
#@ stderr ""
mkdir -p d/e
cd d/e
rm -r ../../d
cd . && basename $PWD
### PWD is not believed
cd /usr
PWD=/none
unset PWD
pwd
### exported IFS does no harm
export IFS=:/
cd /usr
pwd
### variable with every quote
export A=$'a\'b"c\\d\te\nf$g`h!i'
echo "$A"
### variable that begins with a dash or an equals sign
export A=-n B==x
echo "[$A$B]"
### variable with invalid bytes
#@ diverges "exported bytes that are not UTF-8 become U+FFFD"
#@ stdout " ef bf bd\n"
export A=$'\xff'
printf %s "$A" | od -An -tx1
### many variables
export A1=1 A2=2 A3=3 A4=4 A5=5 A6=6 A7=7 A8=8 A9=9
echo $A1$A2$A3$A4$A5$A6$A7$A8$A9
### variable of the field separator
#@ diverges "only exported variables are kept, and bash imports no IFS"
#@ stdout "a:b\n"
IFS=:
x=a:b; echo $x
### exported attribute with integer
#@ diverges "attributes other than export are not kept"
#@ stdout "5+1\n"
declare -ix N=5
N+=+1
echo $N
### readonly exported variable
#@ diverges "attributes other than export are not kept"
#@ stdout "2\n"
#@ stderr ""
readonly R=1; export R
R=2
echo $R
### descriptor three of a command
exec 3>f; echo three >&3; exec 3>&-
cat f
### descriptor three is the command's own
exec 3>f; echo three >&3
cat f
cd /usr
pwd
### descriptor three is closed at the start
echo x >&3
echo $?
### descriptors of a session's program
:; ls /proc/self/fd | grep -c '^[3-9]$'
### trap and directory in one command
#@ diverges "a trap belongs to the command that sets it"
#@ stdout "bye\n/usr\n"
trap 'echo bye' EXIT; cd /usr
pwd
### trap and variable in one command
trap 'rm -f tmpfile' EXIT; export A=5
echo $A
pwd
echo $A
### nounset and state
set -u; cd /usr
pwd
### noglob and state
set -f; export A='*'; cd /usr
echo "$A" $PWD
### xtrace and state
#@ diverges "shell options are not kept"
#@ stderr "++ cd /usr\n"
set -x; cd /usr
pwd
### posix mode and state
set -o posix; f() { echo f; }; cd /usr
pwd
f
### noclobber and state
set -C; cd /usr
pwd
### changed field separator and state
IFS=x; export A=axb; cd /usr
echo "$A" $PWD
### failglob and state
shopt -s failglob; cd /usr
pwd
### lastpipe and state
shopt -s lastpipe; cd /usr
pwd
### command killed by a signal keeps the state before
#@ diverges "the signal ends the command's own shell, the session goes on"
#@ stdout "/usr\n"
#@ code 0
cd /usr
kill -KILL $$
pwd
### exported PATH without programs
export PATH=/none
cd /usr
echo $PWD
pwd
### unset of everything important
unset HOME PATH
echo "[$HOME]"
### exported HOME
export HOME=$PWD
cd
basename $PWD
echo ~ | sed 's,.*/,,'
### deep state
f1() { :; }; f2() { f1; }; export V1=1; cd /usr
f2 && echo $V1 $PWD
### exit status is kept through the report
(exit 37)
### output of a background process between commands
{ sleep 0.05; echo late > late; } &
wait; sleep 0.2
cat late
### state of a command that fails
cd /usr; export A=1; false
echo $A $PWD
### state of a command with a syntax error in eval
cd /usr; eval '('
pwd
### state of a plain command is unchanged
cd /usr
/bin/true
pwd
### last status of a failing command
false
echo $?
### last status of a plain program
sh -c 'exit 42'
echo $?
### last status of a program that is missing
no-such-program
echo $?
### last status in a condition
(exit 3)
if [ $? = 3 ]; then echo three; fi
### last status after a signal
#@ diverges "a single program is started without a shell, which would announce the signal"
#@ stderr ""
#@ mask " *[0-9]+ Killed"
sh -c 'kill -KILL $$'
echo $?
### last status at an exit
(exit 9)
exit
### trap on ERR and DEBUG
#@ diverges "a trap belongs to the command that sets it"
#@ stdout "err\non\n"
trap 'echo err' ERR; false
false
echo on
### trap on DEBUG is silent at the end
#@ diverges "a trap belongs to the command that sets it"
#@ stdout "dbg\na\nb\n"
trap 'echo dbg' DEBUG; echo a
echo b
### verbose shows the session's lines only
#@ diverges "shell options are not kept"
#@ stderr ""
set -v
echo a
### errexit with a trap
trap 'echo bye' EXIT; set -e; false; echo no
echo no
