### single quotes keep everything
echo 'a  $HOME `x` \n "b"'
### double quotes keep blanks
x='a  b'; echo "$x" $x
### double quotes expand substitutions
echo "$(echo one) `echo two` $((1+2))"
### double quotes keep a backslash before other characters
echo "\a \" \\ \$HOME \`"
### backslash quotes one character
echo a\ \ b \$HOME \\ \'
### backslash newline joins lines
echo one \
  two
### backslash newline inside a word
ec\
ho joined
### backslash newline inside double quotes vanishes
echo "a\
b"
### backslash newline inside single quotes stays
echo 'a\
b'
### dollar single quotes decode escapes
echo $'a\tb\nc\\d\'e'
### dollar single quotes decode hexadecimal and octal
echo $'\x41\102\u0043'
### dollar single quotes hold control characters
printf %s $'\a\b\e\f\v' | od -An -c
### dollar double quotes are double quotes without a catalogue
echo $"hello"
### empty words are kept
printf '[%s]' "" '' a $unset b; echo
### adjacent quotes form one word
echo a'b'"c"\d$'e'
### quotes within a parameter default
echo "${x:-"a b"}" ${x:-'c  d'}
### single quotes inside a quoted default are literal
echo "${x:-'a'}"
### nested command substitution in quotes
echo "a $(echo "b $(echo "c d")")"
### nested backquotes need backslashes
echo `echo a \`echo b\``
### quotes in backquotes
echo `echo "a  b"`
### a comment begins only at a word
echo a#b #c
### a comment does not begin in quotes
echo "#a" '#b' \#c
### comment after a pipeline continues on the next line
echo a | # comment
cat
### history expansion is off
echo "a!b" !!
### tilde is not expanded in quotes
echo "~" '~' \~
### braces are not expanded in quotes
echo "{a,b}" '{a,b}' \{a,b\}
### globs are not expanded in quotes
#@ file a.txt ""
echo "*" '*' \* *
### words split at IFS characters
IFS=:; x=a:b::c; printf '[%s]' $x; echo
### quoted words are not split
IFS=:; x=a:b; printf '[%s]' "$x"; echo
### an empty IFS does not split
IFS=; x='a b c'; printf '[%s]' $x; echo
### blanks around IFS characters vanish
IFS=' ,'; x='a , b,c'; printf '[%s]' $x; echo
### newline inside quotes
echo "one
two"
### carriage return in a quoted string
printf %s $'a\rb' | od -An -tx1
### a quoted command name
'echo' "hi"; "ec"ho there
### a command name from a variable
c=echo; $c from variable
### a quoted keyword is a command
'if' 2>/dev/null; echo $?
### printf q quotes for reuse
printf '%q\n' "a b" '$x' "it's" ''
### at operator Q quotes for reuse
x="it's a \$x"; echo "${x@Q}"
### unicode words
echo "Grüße, 世界 🌍"; x=ñandú; echo ${#x} ${x:1:2}
### unicode variable content in a pattern
x=aéb; echo ${x/é/e}
### decoded unicode escape
echo $'\u00e9\u4e16' | od -An -tx1
### many quotes in one line
echo "a"'b'"c"'d'"e"'f'"g" 'h'"i"
### parentheses in quotes
echo "(a)" '(b)' \(c\)
### semicolon and ampersand in quotes
echo "a;b" 'c&d' e\;f
### literal dollar
echo $ "$" '$' a$ $.
### literal equals sign as an argument
echo a=b =c d=
### a long single-quoted word
x='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; echo ${#x}
### a quoted heredoc word inside a substitution
echo "$(cat <<'E'
$x "y"
E
)"
