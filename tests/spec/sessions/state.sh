### the acceptance example
export A=1
cd /usr
echo $A $PWD
false
### working directory
mkdir -p a/b
cd a
cd b
pwd | sed 's,.*/a/,a/,'
cd ../..
ls
### working directory and OLDPWD
cd /usr
cd /
cd -
echo $PWD
### a directory that is removed
mkdir d
cd d
cd ..
rmdir d
ls | wc -l
### exported variable
export A=1 B="two words"
echo $A "$B"
sh -c 'echo $B'
### exported variable changed
export A=1
A=2
echo $A
sh -c 'echo $A'
### exported variable unset
export A=1
unset A
echo [$A]
### exported variable with a newline
export A='one
two'
echo "$A"
### exported variable with quotes and dollars
export A='it'"'"'s "$HOME" `x` \n'
echo "$A"
### exported empty variable
export A=
echo ${A+set}
### path extended
mkdir bin
printf '#!/bin/sh\necho mine\n' > bin/tool
chmod +x bin/tool
export PATH=$PWD/bin:$PATH
tool
### declare x
declare -x A=5
env | grep ^A=
### plain variable
#@ diverges "only exported variables are kept"
#@ stdout "[]\n"
x=1
echo [$x]
### plain variable in one command
x=1; echo $x
y=2 && echo $y
### variable unexported
#@ diverges "only exported variables are kept"
#@ stdout "[]\n"
export A=1
export -n A
echo [$A]
### array
#@ diverges "only exported variables are kept, and an array cannot be exported"
#@ stdout "\n"
a=(1 2)
echo ${a[1]}
### function
f() { echo "f $1"; }
f x
f y
### function of many lines
greet() {
  local who=$1
  if [ -n "$who" ]; then
    echo "hello $who"
  fi
}
greet world
### function redefined and removed
f() { echo 1; }
f() { echo 2; }
f
unset -f f
f
### function that calls a function
g() { echo g; }
f() { g; }
f
g() { echo new; }
f
### function with a here-document
f() {
cat <<E
doc $1
E
}
f x
### function that changes the directory
up() { cd ..; }
mkdir d
cd d
up
ls
### function that exports
f() { export V=$1; }
f 7
echo $V
### function with quotes and unicode
f() { echo "it's 'ñ' \$1 `echo sub`"; }
f
### function that shadows a program
ls() { echo mine; }
ls
command ls -d .
### function of a name with a dash
my-f() { echo dash; }
my-f
### alias
shopt -s expand_aliases
alias hi='echo hello'
hi there
### alias removed
shopt -s expand_aliases
alias hi='echo hello'
unalias hi
hi
### alias with quotes
shopt -s expand_aliases
alias q='echo "it'"'"'s"'
q
### alias without the option
#@ diverges "aliases are expanded as in an interactive shell"
#@ stdout "hello\n"
#@ stderr ""
#@ code 0
alias hi='echo hello'
hi
### shell option
#@ diverges "shell options are not kept"
#@ stdout "a\nb\n"
#@ code 0
set -e
echo a
false
echo b
### set e in one command
set -e; echo a; false; echo no
echo b
### nounset
#@ diverges "shell options are not kept"
#@ stdout "\nend\n"
#@ stderr ""
#@ code 0
set -u
echo $nope
echo end
### shopt
#@ diverges "shell options are not kept"
#@ stdout "x*y\n"
shopt -s nullglob
echo x*y
### trap
#@ diverges "a trap belongs to the command that sets it"
#@ stdout "bye\na\n"
trap 'echo bye' EXIT
echo a
### trap within one command
(trap 'echo bye' EXIT; echo a)
echo b
### background job
sleep 0.01 &
wait
echo done
### positional parameters
#@ diverges "positional parameters are not kept"
#@ stdout "0\n"
set -- a b
echo $#
### umask
#@ diverges "the mask of one command's process is not the next one's"
#@ stdout "0022\n"
umask 077
umask
### last status
false
echo $?
### sourced file
printf 'export S=1\nsf() { echo sourced; }\n' > lib
. ./lib
echo $S
sf
### eval that exports
eval 'export E=1'
echo $E
### subshell changes nothing
(cd /; export Z=1; f() { :; })
echo [$Z]
ls
### environment of one command only
V=1 sh -c 'echo $V'
echo [$V]
### exec replaces the shell
exec echo a
echo b
### redirection by exec
#@ diverges "each command has a shell of its own"
#@ stdout "b\n"
exec > f
echo b
### hash and random
hash -r
[ -n "$RANDOM" ] && echo random
### special variables are those of the shell
echo $BASHPID | grep -c '[0-9]'
echo ${0##*/} $#
