### if elif else
x=2; if [ $x = 1 ]; then echo one; elif [ $x = 2 ]; then echo two; else echo other; fi
### if with a list
if false; true; then echo yes; fi
### if status without a branch
if false; then :; fi; echo $?
### and or chains
true && echo a || echo b; false && echo c || echo d; false || true && echo e
### negation
! true; echo $?; ! false; echo $?; ! true | false; echo $?
### case
x=abc; case $x in a) echo 1;; a*|b) echo 2;; *) echo 3;; esac
### case fall through
case a in a) echo 1;& b) echo 2;;& a*) echo 3;; *) echo 4;; esac
### case patterns in parentheses
case x in (x) echo yes;; esac
### case with quotes
case 'a*' in 'a*') echo literal;; esac; case ab in "a*") echo no;; *) echo other;; esac
### case without match
case x in y) echo no;; esac; echo $?
### case with a class
for c in 5 q -; do case $c in [0-9]) echo digit;; [a-z]) echo letter;; *) echo other;; esac; done
### case empty word
case "" in "") echo empty;; esac
### test strings
[ a = a ] && [ a != b ] && [ -n x ] && [ -z "" ] && echo ok; [ "" ]; echo $?
### test numbers
[ 1 -lt 2 ] && [ 2 -ge 2 ] && [ 3 -ne 4 ] && echo ok; [ a -eq 1 ]; echo $?
### test files
#@ file f "x"
#@ file empty ""
mkdir d; ln -s f l; [ -f f ] && [ -d d ] && [ -L l ] && [ -e l ] && [ -s f ] && [ ! -s empty ] && [ ! -e none ] && echo ok
### test file permissions
#@ file f ""
chmod 755 f; [ -x f ] && [ -r f ] && [ -w f ] && echo all; chmod 644 f; [ -x f ] || echo not executable
### test file comparison
#@ file a ""
touch -d 2001-01-01 old; touch -d 2002-01-01 new; [ new -nt old ] && [ old -ot new ] && [ a -ef ./a ] && echo ok
### test with logic operators
[ 1 = 1 -a 2 = 2 ] && [ 1 = 2 -o 2 = 2 ] && echo ok; test ! 1 = 2 && echo not
### test errors
[ 1 = ]; echo $?; [ ; echo $?; [ a b ]; echo $?; test 1 2 3; echo $?
### double brackets
[[ a = a && ( 1 -lt 2 || x = y ) ]] && echo ok; [[ -z "" && ! -e none ]] && echo ok
### double bracket patterns
[[ abc = a* ]] && echo glob; [[ abc = "a*" ]] || echo literal; [[ abc != b* ]] && echo differs
### double bracket regular expressions
[[ foo123 =~ ([a-z]+)([0-9]+) ]] && echo ${BASH_REMATCH[1]} ${BASH_REMATCH[2]}; r='^a.c$'; [[ abc =~ $r ]] && echo var
### double bracket quoted regular expression
[[ a.c =~ a"."c ]] && echo yes; [[ abc =~ a"."c ]] || echo no
### invalid regular expression
[[ a =~ '(' ]] && echo literal; r='('; [[ a =~ $r ]]; echo $?
### double brackets do not split
x='a b'; [[ $x = 'a b' ]] && echo same; [[ -n $unset ]] || echo unset
### string order
[[ a < b ]] && [[ b > a ]] && echo ordered; [ a \< b ] && echo test
### variable is set
x=; [[ -v x ]] && echo set; [[ -v y ]] || echo unset
### option is set
set -o pipefail; [[ -o pipefail ]] && echo on; [[ -o errexit ]] || echo off
### nocasematch
shopt -s nocasematch; [[ ABC = abc ]] && echo same; case X in x) echo also;; esac
### terminal test
[ -t 1 ] || echo no terminal; [ -t 0 ] || echo none here either
### integer expression expected
if [ "a" -gt 1 ]; then echo no; else echo else $?; fi
### unary operator expected
x=; [ $x = a ]; echo $?
### too many arguments
x='a b c'; [ -n $x ]; echo $?
### arithmetic test in brackets
[[ 2+3 -eq 5 ]] && echo evaluated
### nested if in one line
if true; then if false; then echo a; else echo b; fi; fi
### condition with a pipeline
if echo abc | grep -q b; then echo found; fi
### condition with a redirection
if read x; then echo got $x; fi <<< value
