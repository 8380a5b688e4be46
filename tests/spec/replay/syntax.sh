### missing then
#@ syntax
if true; echo a; fi
### missing fi
#@ syntax
if true; then echo a
### missing done
#@ syntax
while true; do echo a
### unexpected done
#@ syntax
done
### unexpected fi after a command
#@ syntax
echo a; fi
### unexpected parenthesis
#@ syntax
echo a )
### missing parenthesis
#@ syntax
(echo a
### missing brace
#@ syntax
{ echo a
### unmatched double quote
#@ syntax
echo "a
### unmatched single quote
#@ syntax
echo 'a
### unmatched backquote
#@ syntax
echo `a
### unmatched substitution
#@ syntax
echo $(echo a
### unmatched parameter brace
#@ syntax
echo ${a
### unmatched arithmetic
#@ syntax
echo $((1+2
### two semicolons
#@ syntax
echo a ;; echo b
### semicolon first
#@ syntax
; echo a
### pipe first
#@ syntax
| cat
### pipe at the end
#@ syntax
echo a |
### and at the end
#@ syntax
echo a &&
### ampersand first
#@ syntax
& echo a
### redirection without a target
#@ syntax
echo a >
### redirection before a newline
#@ syntax
echo a >
b
### bad function name
#@ syntax
f( { echo a; }
### function without a body
#@ syntax
f()
### case without esac
#@ syntax
case x in x) echo a;;
### case without in
#@ syntax
case x x) echo;; esac
### for without do
#@ syntax
for x in a b; echo $x; done
### for with a bad name
for 1x in a; do echo $x; done; echo after
### empty group
#@ syntax
{ }
### empty subshell
#@ syntax
()
### empty then
#@ syntax
if true; then fi
### empty loop body
#@ syntax
while false; do done
### unmatched double bracket
#@ syntax
[[ a = b
### bad double bracket
#@ syntax
#@ code 2
[[ a b c ]]
### and in a double bracket alone
#@ syntax
#@ code 2
[[ && ]]
### newline in an array
a=(1
2); echo ${#a[@]}
### parenthesis in an argument
#@ syntax
echo a(b)
### reserved words as arguments
echo if then else fi do done case esac for while until in function time { } !
### reserved word after a command
true then
### error in a later line
#@ syntax
#@ stdout ""
echo first
if
### error in a nested substitution
#@ syntax
#@ code 2
echo $(if)
### error in an eval does not stop the script
eval '('; echo after
### error in a function body
#@ syntax
f() { if; }
### lone bang
!
echo $?
### lone redirection in a group
{ > f; } ; ls f
### semicolon newline
echo a;
echo b;
### ampersand newline
true &
wait; echo b
### empty script

### blanks only
   
### comment only
# nothing
### several comments and blanks

# one

echo a # two
# three
### script that begins with blank lines


echo late
### script that ends in a backslash
echo a \
### several statements on lines
a=1
b=2
if [ $a = 1 ]
then
  echo $a
  echo $b
fi
### newlines where they may stand
for x in a b
do
  echo $x
done |
  sort -r &&
  echo ok ||
  echo no
### case on several lines
case x in
  a)
    echo a
    ;;
  x | y)
    echo found
    ;;
esac
### function on several lines
f()
{
  echo body
}
f
### if with newlines and comments
if true # first
then # second
  echo x # third
fi # fourth
### array on several lines with comments
a=(
  one # first
  two
)
echo ${a[@]}
### deep nesting
if true; then if true; then if true; then for i in 1; do while true; do case x in x) { (echo deep); };; esac; break; done; done; fi; fi; fi
### long list
:; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; :; echo end
### keyword time
TIMEFORMAT=x; time echo a
### arithmetic that looks like a subshell
((1+1)); echo $?; ( (echo nested) )
### double parentheses that are subshells
( ( true ) || ( false ) ) && echo yes
### brace expansion against a group
{ echo a; }; echo {a..c}
### dollar at the end
echo a$
### nested quotes in substitutions in quotes
echo "x$(echo "y$(echo 'z "w"')")"
### case in a substitution
echo $(case a in a) echo in;; esac)
### case with parentheses in a substitution
echo $(case a in (a) echo in;; esac)
### comment in a substitution
echo $(echo a # comment )
)
### here-document in a quoted substitution
echo "$(cat <<E
it's "quoted"
E
)"
### command named like an assignment
a=b=c env | grep '^a='
### assignment with a subscript
a[1]=x b[2+1]=y; echo ${!a[@]} ${!b[@]}
### plus equals
x=1; x+=2; echo $x
### colon commands
: ; : a b c; echo $?
### select and coproc as words
echo select coproc time
### function with keyword and subshell
function f (
  echo sub
)
f
### function with redirection
f() { echo to; } > out; f; cat out
### until with a list
until true; false; true; do :; done; echo $?
### bang before a subshell
! (exit 3); echo $?
### bang twice
! ! true; echo $?
### pipes with comments
echo a | # first
  # second
  cat
### line continuation in a pipeline
echo a \
  | tr a b \
  | cat
### line continuation in a word list
for x in a \
  b; do echo $x; done
### tabs as blanks
echo	a	b
### extglob in a case
case foo.txt in *.@(txt|md)) echo doc;; esac
