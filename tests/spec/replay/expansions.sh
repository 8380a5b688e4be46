### default value
echo ${x-a} ${x:-b}; x=; echo "[${x-a}]" ${x:-b}
### assigned default
echo ${x:=5} $x
### alternative value
x=1; echo ${x:+set} [${y:+set}] ${x+a}
### error when unset
echo ${x:?is missing}; echo not reached
### error when unset with the default message
: ${x?}
### length
x=hello; echo ${#x} ${#}
### substring
x=abcdef; echo ${x:2} ${x:1:3} ${x: -2} ${x:1:-1} ${x:0:0}
### shortest and longest prefix
x=a/b/c; echo ${x#*/} ${x##*/}
### shortest and longest suffix
x=a.b.c; echo ${x%.*} ${x%%.*}
### substitution
x=banana; echo ${x/a/o} ${x//a/o} ${x/#b/B} ${x/%a/A} ${x//a}
### substitution with a pattern
x=a1b22; echo ${x//[0-9]/.} ${x//+([0-9])/N}
### case conversion
x=hello; echo ${x^} ${x^^}; y=WORLD; echo ${y,} ${y,,}
### indirect expansion
a=b; b=c; echo ${!a}
### names by prefix
zz_1=; zz_2=; echo ${!zz_*} "${!zz_@}"
### transformation operators
x=a; y='\t'; echo ${x@U} "${y@E}" ${x@A} ${x@a}
### positional parameters
#@ args ["name","one","two three","four"]
echo $0 $# "$1" "$2"; printf '[%s]' "$@"; printf '[%s]' "$*"; printf '[%s]' $*; echo
### positional parameters joined with IFS
#@ args ["sh","a","b","c"]
IFS=-; echo "$*" $*
### shift
#@ args ["sh","a","b","c"]
shift; echo $1 $#; shift 2; echo $#; shift; echo $?
### set positional parameters
set -- x "y z"; echo $# $2; set --; echo $#
### slice of positional parameters
set -- a b c d; echo ${@:2:2} ${*: -1} "${@:0:1}"
### more than nine parameters
set -- 1 2 3 4 5 6 7 8 9 ten; echo $10 ${10}
### zero without arguments
echo "$0"
### zero given
#@ args ["my-name"]
echo "$0" $#
### status parameter
false; echo $?; true; echo $?; (exit 42); echo $?
### option flags parameter
echo $-; set -e; echo $-
### process id in a subshell is the same
a=$$; (test $$ = $a && echo same); [ $BASHPID = $$ ] && echo top
### last argument parameter
echo a b c >/dev/null; echo $_
### command substitution strips trailing newlines
x=$(printf 'a\n\n\n'); echo "[$x]"
### command substitution keeps inner newlines
x=$(printf 'a\n\nb\n'); echo "$x"
### command substitution status
x=$(exit 3); echo $?
### command substitution reads a file
#@ file f "content\n"
echo "$(<f)"
### nul bytes vanish in a substitution
x=$(printf 'a\0b'); echo ${#x}
### nested substitution
echo $(echo $(echo $(echo deep)))
### arithmetic in an expansion
i=5; echo $((i*2)) $[i+1] ${#i}
### brace list
echo {a,b,c} x{1,2}y {a,b}{1,2}
### brace sequence
echo {1..5} {5..1} {a..e} {01..03} {1..10..3} {-2..2}
### nested braces
echo {a,{b,c}d,e} {{1,2},{3,4}}
### braces that do not expand
echo {a} {} {a,b a,b} {1..a}
### braces with empty elements
echo a{,b}c {,x}y
### brace before variable
x=1; echo {$x,2} $x{a,b}
### tilde
test ~ = "$HOME" && echo same; test ~/x = "$HOME/x" && echo same
### tilde plus and minus
cd /usr; cd /; echo ~+ ~-
### tilde after a colon in an assignment
x=~:~; test "$x" = "$HOME:$HOME" && echo both
### tilde of an unknown user
echo ~nobody-of-this-name/x
### glob star
#@ file b.txt ""
#@ file a.txt ""
#@ file c.log ""
echo *.txt *; echo *.none
### glob question mark and class
#@ file a1 ""
#@ file a2 ""
#@ file b1 ""
echo a? [ab]1 [!a]1 [[:alpha:]][0-9]
### hidden files need a dot
#@ file .hidden ""
#@ file seen ""
echo *; echo .h*; shopt -s dotglob; echo *
### glob in directories
#@ file d/x.c ""
#@ file d/e/y.c ""
#@ file z.c ""
echo */*.c */; shopt -s globstar; echo **/*.c
### nullglob and failglob
shopt -s nullglob; echo a*b; shopt -u nullglob; shopt -s failglob; echo a*b; echo $?
### extended globs
#@ file a.c ""
#@ file b.h ""
#@ file c.o ""
shopt -s extglob
echo !(*.o) @(a|b).* *.+(c|h)
### nocaseglob
#@ file Ab ""
shopt -s nocaseglob; echo aB*
### glob result with spaces
#@ file "a b" "x\n"
for f in a*; do echo "[$f]"; done; cat a*
### a glob in a variable expands unquoted
#@ file q1 ""
x='q*'; echo $x "$x"
### noglob
#@ file q1 ""
set -f; echo q*
### glob order
#@ file B ""
#@ file a ""
#@ file _ ""
#@ file 1 ""
echo *
### word splitting of a substitution
for w in $(printf 'a b\nc\td'); do echo "[$w]"; done
### unset variable
unset x; echo "[$x]" ${x}y
### variable next to text
x=a; echo $xb ${x}b $x-b "$x"b
### special variables
echo $LINENO $SHLVL $UID ${BASH_VERSINFO[0]} $PPID >/dev/null; echo $LINENO
### line numbers across lines
echo $LINENO

echo $LINENO
### random with a seed
RANDOM=1; a=$RANDOM; RANDOM=1; [ $a = $RANDOM ] && echo repeatable
### seconds can be set
SECONDS=100; [ $SECONDS -ge 100 ] && echo counts
### bad substitution
#@ syntax
#@ code 2
echo ${x!}; echo after
### bad substitution ends the line only
#@ syntax
#@ stdout ""
#@ code 2
echo ${a b} ; echo same line
echo next
