### words without a shell's meaning
/bin/echo a b 'c d' "e f" g\ h
### name found on the path
basename /a/b/c
### relative program
#@ program bin/tool "#!/bin/sh\necho \"$0 $*\"\n"
bin/tool x y
### program in the working directory
#@ program t "#!/bin/bash\necho $0 $BASH_ARGV0 $#; exit 4\n"
./t x y
### script without an interpreter line
#@ program t "a=(x y); echo ${a[1]} $0 $1\n"
./t arg
### empty program
#@ program t ""
./t
### program that is no script
#@ program t "\u0001\u0002\u0000\n"
./t
### program with an interpreter that is missing
#@ program t "#!/no/interpreter\n"
./t
### program with a carriage return after the interpreter
#@ program t "#!/bin/sh\r\necho\r\n"
./t
### program with an interpreter and an argument
#@ program t "#!/bin/sed -n 2p\nsecond\n"
./t t
### arguments that are empty
/usr/bin/printf [%s] '' "" a
### arguments with newlines and unicode
/usr/bin/printf [%s] 'a
b' 'ñ 世' $'t\tb'
### arguments that look like options
/bin/echo -- -n --help
### arguments that look like operators in quotes
/bin/echo '|' ';' '&' '>' '<' '(' ')' '{' '}' '!' '#' '~' '*'
### trailing blanks and newlines
  /bin/echo   spaced   

### trailing semicolon
/bin/echo a;
### trailing comment
/bin/echo a # b
### leading comment
# about
/bin/echo a
### program that reads standard input
#@ stdin "x\ny\n"
wc -l
### program that copies standard input without a newline
#@ stdin "no newline"
cat -
### program in an environment without a shell
#@ diverges "no shell that counts its level stands between"
#@ stdout ""
#@ code 1
printenv SHLVL
### underscore variable of a program
#@ diverges "no shell that sets it stands between"
#@ stdout ""
#@ code 1
printenv _
### directory variable of a program
printenv PWD
### old directory is not exported
printenv OLDPWD
### home and temporary directory
printenv HOME TMPDIR PATH LANG
### name with a slash that is not there
bin/none arg
### name that is a directory
#@ file d/f ""
./d
### name that is a directory on the path
#@ file d/f ""
PATH=$PWD:$PATH d
### name that is not executable
#@ file f "echo\n"
./f arg
### option of a program that fails
ls --no-such-option-here
### working directory of a program
/bin/pwd
### program that prints on both streams
python3 -c 'import sys; sys.stdout.write("o"); sys.stdout.flush(); sys.stderr.write("e")'
### program that exits 255
perl -e 'exit 255'
### program that ends itself
perl -e 'kill 9, $$'
### program that ignores the broken pipe
python3 -c 'import signal; print(signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN)'
### signals of a program have their defaults
perl -e 'print join(",", grep { defined $SIG{$_} } sort keys %SIG), "\n"'
### blocked signals of a program
grep '^SigBlk' /proc/self/status
### descriptors of a program
ls /proc/self/fd
### program of a quoted name
'/bin/echo' quoted
### program of an escaped name
/bin/ech\o escaped
### builtin names as programs
/usr/bin/test a = a
### builtin with only literal words
echo plain builtin
### builtin that fails with literal words
cd /no/such/directory
### keyword as a program name
/usr/bin/time -f %x false
### tilde is expanded by a shell
basename ~/x
### assignment look-alike as an argument
/bin/echo a=b
### name with an equals sign
a=b/c
### percent name
%1
### dot dot
..
### dash
#@ diverges "the text of a command is never an option of the shell"
#@ stderr "bash: line 1: -: command not found\n"
#@ code 127
-
### colon at the end of a name
echo: a
### name of many letters
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
### unicode name
ñandú --version
### name with a space
'a b' c
### name with a newline
'a
b'
### name with a quote
"it's"
### empty name with arguments
'' a
### script of carriage returns
#@ script "echo a\r\necho b\r\n"
### carriage return after a name
#@ script "true\r\n"
### carriage return between words
#@ script "/bin/echo a\rb"
### form feed is no blank
#@ script "echo a\fb"
### vertical tab is no blank
#@ script "echo\u000ba"
### no-break space is no blank
#@ script "echo\u00a0a"
### escape character in a script
#@ script "printf %s '\u001b' | od -An -tx1"
### delete character in a word
#@ script "printf %s a\u007fb | od -An -tx1"
### byte order mark before the script
#@ script "\ufeffecho a"
### zero width space in a name
#@ script "ec\u200bho a"
### script that ends with several newlines
#@ script "echo a\n\n\n"
### script that ends with a backslash and a newline
#@ script "echo a \\\n"
### script of one backslash
#@ script "\\"
### script of a newline
#@ script "\n"
### script that begins with a dash
#@ diverges "the text of a command is never an option of the shell"
#@ stderr "bash: line 1: -c: command not found\n"
#@ code 127
#@ script "-c"
### script that begins with a hash and a bang
#@ script "#!/bin/sh\necho a"
### controlling terminal
echo x > /dev/tty; echo $?
### executable of the shell
readlink /proc/$$/exe; head -c 4 /proc/self/comm
