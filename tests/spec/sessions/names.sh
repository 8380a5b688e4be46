### exported function in a child
#@ diverges "attributes other than export of variables are not kept"
#@ stdout ""
#@ stderr "bash: line N: f: command not found\n"
#@ code 127
f() { echo child; }
export -f f
bash -c f
### function of a builtin's name
cd() { builtin cd "$@" && echo moved; }
cd /usr
pwd
### function named echo
echo() { printf '<%s>\n' "$*"; }
echo hi
### function named printf
printf() { echo "mine $1"; }
printf x
export K=1
echo $K
### function named builtin
builtin() { echo "hijacked $1"; }
cd /usr
pwd
### function named trap
trap() { echo "mine $1"; }
trap x
export K=2
echo $K
### function named exit
exit() { echo "not leaving"; }
exit 3
echo on
### function named set
set() { echo "mine $*"; }
set x
false
### function named eval
eval() { echo "mine $*"; }
eval x
echo on
### function named test and true
true() { return 1; }
true; echo $?
### function named like a keyword in quotes
function iff { echo iff; }
iff
### alias of a builtin
shopt -s expand_aliases
alias echo='echo aliased'
echo x
alias cd='cd -P'
cd /usr
pwd
### alias that begins a list
shopt -s expand_aliases
alias both='echo one; echo two'
both
### alias to a function
shopt -s expand_aliases
f() { echo "f $*"; }
alias g='f via'
g x
### alias that opens a quote
#@ diverges "a command is read before its aliases are expanded: the quote is not closed"
#@ stdout ""
#@ code 2
shopt -s expand_aliases
alias q='echo "a'
q b"
echo on
### variable that looks like a function
export A='() { echo no; }'
echo "$A"
### a function with a brace in a string
f() { echo "}"; }
f
### a function with a here-document and quotes
f() {
  cat <<'E'
it's $x "y"
E
}
f
f
### a function with nested functions
outer() { inner() { echo inner; }; inner; }
outer
inner
### a function with a case and a loop
f() { for i in "$@"; do case $i in a) echo A;; *) echo other;; esac; done; }
f a b
### a function in a subshell body
f() ( cd /; echo sub )
f
basename $PWD
### a function with redirections
f() { echo err >&2; } 2>&1
f
### recursive function
f() { [ $1 -gt 0 ] && { echo $1; f $(($1-1)); }; }
f 3
