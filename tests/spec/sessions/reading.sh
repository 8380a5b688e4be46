### one command
echo a
### several commands
echo a
echo b
echo c
### no final newline
#@ script "echo a\necho b"
### blank lines and comments

# first

echo a

   # indented
echo b # trailing

### nothing at all
#@ script ""
### only blanks
#@ script "\n  \n\t\n"
### only comments
# a
#b
### command on several lines
if true
then
  echo yes
fi
echo after
### loop on several lines
for i in 1 2
do
  echo $i
done
### while loop with a here-string
while read x
do echo "<$x>"
done <<< "a
b"
### case on several lines
case abc in
  a*) echo starts ;;
  *) echo other ;;
esac
### function on several lines
f() {
  echo "in $1"
}
f one
f two
### group and subshell on several lines
{
  echo a
  echo b
}
(
  echo c
)
### here-document
cat <<E
line one
line two
E
echo after
### here-document with a quoted word
cat <<'E'
$HOME `x`
E
### here-document with tabs
cat <<-E
	tabbed
	E
echo after
### two here-documents
cat <<A; cat <<B
first
A
second
B
echo after
### here-document in a loop
for i in 1 2; do
cat <<E
item $i
E
done
### here-document that holds shell text
cat <<'E'
if then fi ( " '
E
echo after
### here-document with blank lines and comments
cat <<E

# not a comment

E
### continuation with a backslash
echo a \
  b \
  c
### continuation after a pipe
echo abc |
tr a-z A-Z
### continuation after and
true &&
echo yes
false ||
echo no
### quoted string on several lines
echo "one
two
three"
echo 'a
b'
### substitution on several lines
echo $(
echo inner
)
### arithmetic on several lines
echo $((
1 + 2
))
### array on several lines
a=(1
2
3); echo ${#a[@]}
### parameter expansion on several lines
echo ${x:-a
b}
### several commands on a line
echo a; echo b && echo c
### semicolons at line ends
echo a;
echo b;
### carriage returns in quotes
printf '%s' 'a' | od -An -c
### tabs before commands
	echo a
	echo b
### a comment within a continued command
echo a |
# comment
cat
### a backslash in a comment
# ends with \
echo a
### unterminated quote at the end
#@ script "echo a\necho \"b\n"
#@ diverges "the block reports a syntax error"
#@ stderr ""
### unterminated here-document at the end
#@ script "echo a\ncat <<E\nbody\n"
### unterminated if at the end
#@ script "echo a\nif true; then\n"
#@ diverges "the block reports a syntax error"
#@ stderr ""
### continuation at the end
#@ diverges "text that ends in a backslash keeps it, as after bash -c"
#@ stdout "a\nb \\\n"
#@ script "echo a\necho b \\"
### pipe at the end
#@ script "echo a\necho b |\n"
#@ diverges "the block reports a syntax error"
#@ stderr ""
### syntax error in the middle
#@ diverges "the block reports a syntax error"
#@ stderr ""
echo a
echo b )
echo c
### syntax error in a later line of a command
#@ diverges "the block reports a syntax error"
#@ stderr ""
echo a
if true; then
  echo b
done
echo c
### unicode
echo "Grüße 世界"
x=ñ; echo ${#x}
### long line
: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; echo end
### words that look like keywords
echo if
echo then else
### brace on the next line
f()
{
echo body
}
f
### else and elif
if false
then echo a
elif true
then echo b
else echo c
fi
### nested constructs
for i in 1 2; do
  if [ $i = 2 ]; then
    case $i in
      2) { echo two; };;
    esac
  fi
done
### commands that read standard input
#@ diverges "the commands' own stream is nothing for a command to read"
#@ stdout "0\nrest\n"
cat | wc -l
echo rest
### read takes nothing from the stream
#@ diverges "the commands' own stream is nothing for a command to read"
#@ stdout "[]\n"
#@ stderr "bash: line N: value: command not found\n"
read x
value
echo "[$x]"
### carriage returns at line ends
#@ script "echo a\r\necho b\r\n"
### carriage returns in a here-document
#@ script "cat <<'E' | od -An -c\na\r\nE\n"
### carriage return alone
#@ script "echo a\rb\n"
### form feed and other controls
#@ script "printf %s '\f\u001b\u0001' | od -An -tx1\n"
### byte order mark at the start
#@ script "\ufeffecho a\n"
### line separator of unicode
#@ script "echo 'a\u2028b'\n"
### here-document at the end without a newline
#@ script "cat <<E\nbody\nE"
### here-document of a hundred lines
#@ script "cat <<E | wc\nline 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\nline 10\nline 11\nline 12\nline 13\nline 14\nline 15\nline 16\nline 17\nline 18\nline 19\nline 20\nline 21\nline 22\nline 23\nline 24\nline 25\nline 26\nline 27\nline 28\nline 29\nline 30\nline 31\nline 32\nline 33\nline 34\nline 35\nline 36\nline 37\nline 38\nline 39\nline 40\nline 41\nline 42\nline 43\nline 44\nline 45\nline 46\nline 47\nline 48\nline 49\nline 50\nline 51\nline 52\nline 53\nline 54\nline 55\nline 56\nline 57\nline 58\nline 59\nline 60\nline 61\nline 62\nline 63\nline 64\nline 65\nline 66\nline 67\nline 68\nline 69\nline 70\nline 71\nline 72\nline 73\nline 74\nline 75\nline 76\nline 77\nline 78\nline 79\nline 80\nline 81\nline 82\nline 83\nline 84\nline 85\nline 86\nline 87\nline 88\nline 89\nline 90\nline 91\nline 92\nline 93\nline 94\nline 95\nline 96\nline 97\nline 98\nline 99\nE\n"
