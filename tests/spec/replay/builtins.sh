### echo options
echo -n a; echo -e 'b\tc\x41\0101'; echo -E 'd\t'; echo -ne 'e\n'; echo - -- -x
### echo stops at backslash c
echo -e 'a\cb'; echo
### echo without arguments
echo; echo ""; echo " "
### printf formats
printf '%s|%5s|%-5s|%.2s\n' a b c def; printf '%d %i %o %x %X %c\n' 10 -3 8 255 255 xyz
### printf repeats the format
printf '%s-%s\n' a b c; printf '%s\n' 1 2 3
### printf numbers
printf '%05d %+d %e %.2f %g\n' 42 7 12345.678 3.14159 0.0001; printf '%d\n' 0x1f "'A" 010
### printf invalid number
printf '%d\n' abc; echo $?
### printf escapes
printf 'a\tb\\n\n\101\n'; printf '%b' 'x\ty\n' 'z\n'
### printf into a variable
printf -v x '%03d' 7; echo $x; printf -v 'a[2]' hi; echo ${a[2]}
### printf star width
printf '%*d|%-*d|\n' 5 42 5 42
### printf percent
printf '100%%\n'; printf '%'; echo $?
### printf without a newline
printf 'no newline'
### printf time of a fixed second
TZ=UTC printf '%(%Y-%m-%d %H:%M:%S)T\n' 86400
### printf missing arguments
printf '[%s] [%d]\n'; printf; echo $?
### read fields
read a b c <<< 'one two three four'; echo "$a|$b|$c"
### read raw
read -r x <<< 'a\tb'; echo "$x"; read x <<< 'a\tb'; echo "$x"
### read a delimiter
read -d : x <<< 'a:b'; echo $x; printf 'a\0b\0' | while read -r -d '' x; do echo "<$x>"; done
### read characters
read -n 2 x <<< abcdef; echo $x; read -N 3 x <<< $'a\nbc'; echo "$x"
### read from standard input
#@ stdin "first\nsecond\n"
read x; read y; echo $y $x; read z; echo $? "[$z]"
### read timeout
read -t 0.05 x < <(sleep 0.3); [ $? -gt 128 ] && echo timed out
### read at the end of a file
read x < /dev/null; echo $?
### read keeps blanks with an empty IFS
IFS= read -r x <<< '  a  '; echo "[$x]"; read x <<< '  a  '; echo "[$x]"
### read continues a line
#@ stdin "a\\\nb\n"
read x; echo $x
### read into REPLY
read <<< ' x y '; echo "[$REPLY]"
### cat reads standard input
#@ stdin "in\nput"
cat
### two readers share standard input
#@ stdin "1\n2\n3\n"
read x; echo "x=$x"; cat
### standard input is empty by default
cat; echo $?
### unused standard input
#@ stdin "unused"
echo done
### cd and pwd
mkdir -p a/b; cd a; cd b; pwd | sed 's,.*/a,a,'; cd ../..; cd - > /dev/null; pwd | sed 's,.*/a,a,'
### cd to a missing directory
cd none; echo $?
### cd to a file
#@ file f ""
cd f; echo $?
### cd too many
cd a b; echo $?
### cd without arguments
cd; [ "$PWD" = "$HOME" ] && echo home
### cd sets OLDPWD
cd /usr; cd /; echo $OLDPWD $PWD
### cd through a link
mkdir real; ln -s real link; cd link; basename "$PWD"; basename "$(pwd -P)"; cd ..; ls
### CDPATH
mkdir -p p/q; CDPATH=p; cd q > /dev/null; basename $PWD
### pushd and popd
mkdir a; pushd a > /dev/null; basename $PWD; popd > /dev/null; dirs -c; popd; echo $?
### export
x=1; export x y=2; sh -c 'echo $x $y'; export -n x; sh -c 'echo [$x]'
### environment of one command
X=1 sh -c 'echo $X'; echo [$X]; A=1 B=2 env | grep -E '^[AB]=' | sort
### assignment only
x=1 y=2; echo $x $y; z=$(exit 3); echo $?
### assignment before a builtin
X=5 eval 'echo $X'; echo [$X]
### append assignment
x=a; x+=b; echo $x; declare -i n=1; n+=1; echo $n
### readonly
readonly r=1; r=2; echo after
### readonly in a subshell
readonly r=1; (r=2); echo $?; unset r; echo $?
### unset
x=1; unset x; echo [${x-unset}]; unset none; echo $?; unset -v PATH; echo [$PATH]
### declare global in a function
f() { declare -g x=1; declare y=2; }; f; echo $x [$y]
### declare case attributes
declare -u x=abc; declare -l y=DEF; echo $x $y
### nameref
x=1; declare -n r=x; r=5; echo $x
### shopt query
shopt -q extglob; echo $?; shopt expand_aliases; shopt none; echo $?
### set o listing
set -o | grep -E '^(errexit|pipefail)'; set +o | grep pipefail
### getopts
set -- -a -b val rest; while getopts ab: o; do echo $o $OPTARG; done; shift $((OPTIND-1)); echo $1
### getopts errors
set -- -x -b; while getopts ab: o; do echo "$o"; done; set -- -z; OPTIND=1; getopts :a o; echo $o $OPTARG
### test builtin
test -n a; echo $?; test; echo $?
### true false colon
true x; echo $?; false x; echo $?; : $((x=3)); echo $x
### umask
umask 027; umask; umask -S; touch f; stat -c %a f
### ulimit
ulimit -f 1024; ulimit -f; (ulimit -c 0; ulimit -c)
### times has two lines
times | wc -l
### exit statuses
for s in 0 1 2 42 126 127 128 129 200 254 255 256 -1; do (exit $s); echo -n "$? "; done
### exit non numeric
exit abc; echo no
### exit too many
exit 1 2; echo $?
### caller and BASH_SOURCE
f() { caller 0; }; f; echo ${BASH_SOURCE[0]:-none}
### help of a builtin
help -d true; help none-such; echo $?
### suspend without job control
fg; echo $?; bg; echo $?
### mapfile callback
mapfile -c 1 -C 'echo cb' -t a <<< $'x\ny'; echo ${#a[@]}
### let and expr
expr 2 + 3; expr a : a; expr 1 = 2; echo $?
### history and fc are off
history | wc -l; set -o | grep '^history'
### bind complaints go to standard error
compgen -b | grep -c '^echo$'; compgen -W 'alpha beta' a
### dirs and tilde
cd "$HOME"; dirs
### seq and yes
seq -s, 5; yes x | head -n 2 | tr '\n' ' '
### logout and enable complaints
logout; echo $?
### wrong option of a builtin
cd -z; echo $?; export -z; echo $?; read -z; echo $?
### which shell
echo $BASH; echo ${BASH##*/} ${0##*/}
### hash of a command
hash ls; hash | grep -c ls; hash none-such; echo $?
