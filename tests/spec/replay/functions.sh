### function
f() { echo "$1-$2 $#"; }; f a b; f "a b"
### function keyword
function f { echo kw; }; function g() { echo both; }; f; g
### function status
f() { return 7; }; f; echo $?; g() { false; }; g; echo $?
### return without a value
f() { false; return; }; f; echo $?
### return outside of a function
return 3; echo $?
### return modulo
f() { return 257; }; f; echo $?
### local variables
x=out; f() { local x=in; echo $x; g; }; g() { echo dynamic $x; }; f; echo $x
### local outside of a function
local x=1; echo $?
### recursion
fac() { (( $1 < 2 )) && echo 1 || echo $(( $1 * $(fac $(( $1 - 1 ))) )); }; fac 6
### function in a subshell body
f() ( x=1; exit 3 ); f; echo $? [$x]
### function redefined
f() { echo 1; }; f; f() { echo 2; }; f
### function unset
f() { :; }; unset -f f; f; echo $?
### function shadows a command
ls() { echo mine; }; ls; command ls -d .; \ls
### function shadows a builtin
echo() { builtin echo "<$*>"; }; echo hi
### function exported to a child bash
f() { echo exported; }; export -f f; bash -c f
### function names
my-func() { echo dash; }; my.func() { echo dot; }; _f() { echo under; }; my-func; my.func; _f
### declare f
f() { if true; then echo x; fi; }; declare -f f; declare -F f
### type of names
f() { :; }; type -t f echo if ls none; type f
### positional parameters are restored
set -- outer; f() { set -- inner; echo $1; }; f x; echo $1
### arguments passed on
f() { g "$@"; }; g() { printf '[%s]' "$@"; echo; }; f "a b" "" c
### assignment before a function
f() { echo $V; }; V=1 f; echo [$V]
### while
i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done
### until
i=0; until [ $i -ge 2 ]; do echo $i; ((i++)); done
### for over words
for x in a "b c" d; do echo "[$x]"; done
### for over arguments
#@ args ["sh","x","y z"]
for a; do echo "[$a]"; done; for a do echo $a; done
### for over nothing
for x in; do echo no; done; echo $?
### break and continue
for i in 1 2 3 4 5; do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done
### break out of two loops
for i in 1 2; do for j in 1 2; do echo $i$j; break 2; done; done; echo end
### continue an outer loop
for i in 1 2; do for j in 1 2; do [ $j = 1 ] && continue 2; echo no; done; echo never; done; echo end
### break outside of a loop
break; echo $?
### loop status
for i in 1; do false; done; echo $?; while false; do :; done; echo $?
### loop variable remains
for i in 1 2; do :; done; echo $i
### loop over lines
printf 'a b\nc\n' | while IFS= read -r l; do echo "[$l]"; done
### last line without a newline
printf 'a\nb' | while read l; do echo $l; done; printf 'a\nb' | while read l || [ -n "$l" ]; do echo $l; done
### select reads a choice
#@ stdin "2\n"
select x in a b; do echo "chose $x"; break; done
### loop with a redirection and a pipe
for i in 3 1 2; do echo $i; done | sort > f; cat f
### infinite loop with exit
while :; do exit 4; done
### nested loops and case
for i in 1 2 3; do case $i in 2) continue;; esac; for j in a; do echo $i$j; done; done
### C style loop with two variables
for ((i=0,j=3;i<j;i++,j--)); do echo $i $j; done
### braces as a loop body
for ((i=0;i<2;i++)) { echo $i; }
### loop over a glob
#@ file a.x ""
#@ file b.x ""
for f in *.x; do echo ${f%.x}; done
### alias is off in scripts
alias hi='echo hello'
hi; echo $?
### alias with expand_aliases
shopt -s expand_aliases
alias hi='echo hello'
hi there
### alias on its own line only
shopt -s expand_aliases; alias hi='echo hello'; hi
### alias with a trailing blank
shopt -s expand_aliases
alias say='echo ' w=world
say w
### unalias
shopt -s expand_aliases
alias a='echo 1'
unalias a
a; echo $?
### alias listing
alias x='y z'; alias x; alias none; echo $?
### eval
eval 'x=1; echo $x'; eval echo '$x' two; eval "echo a; false"; echo $?
### eval of nothing
eval; echo $?; eval ''; echo $?
### eval syntax error
eval 'if'; echo after $?
### eval with quotes
x='a b'; eval "y='$x'"; echo "$y"; eval 'printf "%s\n" "$x"'
### exec replaces
exec echo replaced; echo no
### exec of a missing program
exec none-such-program; echo no
### exec with another name
exec -a other sh -c 'echo $0'
### exec with redirections only
exec 2>&1; ls /none/such; echo end
### source
#@ file lib.sh "v=1\nf() { echo from lib $1; }\n"
source ./lib.sh; f $v; . ./lib.sh; f 2
### source with arguments
#@ file lib.sh "echo \"$1 $#\"; return 4; echo no\n"
. ./lib.sh a b; echo $?
### source of a missing file
source ./none.sh; echo $?
### source of a syntax error
#@ file bad.sh "if\n"
source ./bad.sh; echo $?
### source through PATH
#@ file inc "echo found\n"
PATH=$PWD:$PATH; source inc
### source of a process substitution
source <(echo 'x=5'); echo $x
### script with a shebang
#@ file s.sh "#!/bin/bash\necho $0 $1; exit 3\n"
chmod +x s.sh; ./s.sh arg; echo $?
### script without a shebang
#@ file s "echo no shebang $1\n"
chmod +x s; ./s x; echo $?
### shebang with an argument
#@ file s "#!/bin/sed 1d\nline\n"
chmod +x s; ./s s
### bash runs a file
#@ file s "echo $0 $@\n"
bash s 1 2; bash ./s; sh s 3
### bash with a script on standard input
echo 'echo $1 in' | bash -s arg; bash <<< 'echo here'
### nested bash
bash -c 'echo $0 $1; exit 4' name arg; echo $?
### command builtin
command echo a; command -v echo ls if; command -v none; echo $?; command -V none
### builtin of a missing builtin
builtin nope; echo $?
### hash and type path
type -P sh; hash -r; echo $?
### enable
enable -n echo; type -t echo; enable echo; type -t echo
