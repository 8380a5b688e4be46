### output to a file
echo a > f; echo b >> f; cat f
### input from a file
#@ file in "x\ny\n"
cat < in; wc -l < in
### standard error to a file
ls /none 2> err; echo $?; wc -l < err
### both to one file
{ echo out; echo err >&2; } > f 2>&1; cat f
### ampersand redirection
{ echo out; echo err >&2; } &> f; { echo more >&2; } &>> f; cat f
### standard error to standard output
{ echo out; echo err >&2; } 2>&1
### standard output to standard error
echo to stderr >&2; echo to stdout
### order matters
{ echo out; echo err >&2; } 2>&1 > f; echo file: $(cat f)
### swap the streams
{ echo out; echo err >&2; } 3>&1 1>&2 2>&3 3>&-
### noclobber
set -C; echo a > f; echo b > f; echo $?; echo c >| f; cat f
### read and write
printf 'abcdef' > f; exec 3<>f; read -n 3 x <&3; printf X >&3; exec 3>&-; echo $x; cat f
### descriptor duplication
exec 3>f; echo a >&3; echo b >&3; exec 3>&-; cat f
### closed descriptor
echo a 3>&- ; echo b >&3; echo $?
### closed standard output
echo a >&-; echo $?
### closed standard input
cat <&-; echo $?
### descriptor in a variable
exec {fd}>f; echo x >&$fd; exec {fd}>&-; cat f; [ $fd -ge 10 ] && echo high
### moved descriptor
exec 3>f; echo moved 4>&3- >&4; cat f
### redirection before the command
> f echo first; < f cat
### redirection alone creates a file
> empty; ls; wc -c < empty
### several outputs truncate all
echo x > a > b; wc -c a b
### redirection of a loop
for i in 1 2 3; do echo $i; done > f; cat f
### redirection of a while loop
#@ file in "1\n2\n3\n"
while read x; do echo "<$x>"; done < in
### redirection of a function
f() { echo body; } > out; f; f; cat out
### redirection of a subshell
(echo a; echo b >&2) > f 2> g; cat f g
### redirection of if
if true; then echo yes; fi > f; cat f
### ambiguous redirection
x='a b'; echo hi > $x; echo $?
### empty redirection target
echo hi > $unset; echo $?
### missing input
cat < none; echo $?
### missing input keeps the script going
wc < none; echo after
### redirect into a directory
echo x > .; echo $?
### redirect below a missing directory
echo x > no/such/f; echo $?
### null device
echo gone > /dev/null; cat /dev/null; echo $?
### standard streams by name
echo a > /dev/stdout; echo b > /dev/stderr; echo c | cat /dev/stdin
### descriptors by name
echo a > /dev/fd/1; echo b >/dev/fd/2
### full device
echo a > /dev/full; echo $?
### zero device
head -c 4 /dev/zero | od -An -tx1
### exec redirects the rest
exec > f; echo hidden; exec >&2; cat f
### a failing exec redirection ends the shell
exec < none; echo not reached
### redirection error of a builtin
read x < none; echo $?
### redirection error of a special builtin
: > no/such; echo after $?
### tee
echo a | tee f g; cat f g
### appending twice through one descriptor
exec 3>>f; echo 1 >&3; echo 2 >> f; echo 3 >&3; cat f
### heredoc
cat <<E
one $((1+1))
  two
E
### quoted heredoc
cat <<'E'
$x `y` \n
E
### heredoc with tabs removed
	cat <<-E
		a
	b
	E
### heredoc with expansions
x=v; cat <<E
$x ${x}y $(echo sub) \$x \\ "q" 'r'
E
### heredoc with a partly quoted word
cat <<E"O"F
$x
EOF
### heredoc line continuation
cat <<E
a\
b
E
### two heredocs on one line
cat <<A; cat <<B
first
A
second
B
### heredoc on a descriptor
cat 3<<E <&3
third
E
### heredoc in a pipeline
cat <<E | tr a-z A-Z
lower
E
### heredoc into a loop
while read a b; do echo "$b $a"; done <<E
1 2
3 4
E
### heredoc in a function
f() { cat <<E
arg $1
E
}; f x; f y
### heredoc in a substitution
x=$(cat <<E
inside
E
); echo $x
### heredoc after a command list
true && cat <<E || echo no
yes
E
### heredoc without an end
cat <<E
text
### empty heredoc
cat <<E
E
echo $?
### heredoc with a delimiter of blanks
cat <<'a b'
text
a b
### a delimiter must stand alone
cat <<E
E 
 E
E
### here-string
cat <<< "a  b"; cat <<< $x; read a b <<< "1 2"; echo $b
### here-string with newlines
wc -l <<< $'a\nb\nc'
### here-string with a substitution
tr a b <<< "$(echo aaa)"
### here-string expands but does not split
x='a   b'; cat <<< $x; cat <<< *
### large heredoc through a pipe
x=$(printf '%070000d' 0); cat <<E | wc -c
$x
E
### process substitution for input
cat <(echo a) <(echo b); diff <(echo x) <(echo x) && echo equal
### process substitution for output
echo data > >(cat > f; echo end >> f); wait $!; cat f
### process substitution in a loop
while read l; do n=$((n+1)); done < <(printf '1\n2\n3\n'); echo $n
### tee into a process substitution
echo abc | tee >(tr a-z A-Z > up) | cat; while [ ! -s up ]; do sleep 0.01; done; cat up
### process substitution status is not the command's
cat <(exit 3); echo $?
### comm of two substitutions
comm -12 <(printf 'a\nb\nc\n') <(printf 'b\nc\nd\n')
### descriptor of a process substitution
exec 3< <(echo from three); cat <&3
### read and write one file
echo a > f; cat f > f; wc -c < f
### output after a closed pipe reader
yes | head -n 2
### descriptors of the parent are not there
{ echo a >&9; } 2>/dev/null; echo $?
### descriptor with letters is a file name
echo x >&a1; echo $?; cat a1
### redirection through a link
ln -s real link; echo x > link; cat real
### dangling descriptor in a child
exec 7>f; sh -c 'echo child >&7'; cat f
### output redirected for one builtin only
echo a > f; echo b; cat f
### truncation of a longer file
echo longer > f; echo s > f; cat f
### here-document and pipe both
cat <<E - | sort
b
a
E
