### no output
:
### no trailing newline
printf 'no newline'
### only a newline
echo
### many newlines
printf '\n\n\n'
### no newline on both streams
printf out; printf err >&2
### long output is complete
seq 20000
### long lines are complete
printf '%0100000d\n' 7
### a long line without a newline
head -c 300000 /dev/zero | tr '\0' x
### long standard error is complete
seq 5000 >&2
### both streams long
for i in $(seq 300); do echo "out $i"; echo "err $i" >&2; done
### carriage return and newline
printf 'a\r\nb\r\n'
### carriage returns of a progress bar
printf '10%%\r50%%\r100%%\n'
### carriage return at the end
printf 'a\r'
### tabs and form feeds
printf 'a\tb\vc\fd\n'
### bell and backspace
printf 'a\a\bb\n'
### colour sequences
printf '\033[31mred\033[0m plain\n'
### cursor sequences
printf 'a\033[2K\033[1Gb\n'
### title sequence
printf '\033]0;title\007text\n'
### unicode
printf 'Grüße 世界 🌍 ñ é\n'
### combining and wide characters
printf 'e\u0301 \u200d \ufeff|\n'
### byte order mark first
printf '\xef\xbb\xbftext\n'
### right-to-left marks
printf 'a\u202eb\u202c\n'
### invalid bytes in text
printf 'caf\xe9 au lait\n'
### truncated character at the end
printf 'abc\xe4\xb8'
### nul byte in text
printf 'a\0b\n'
### nul-separated names
printf 'a\0b\0' | tr '\0' '\n'; printf 'x\0y\0'
### binary output
head -c 64 /dev/zero
### latin1 on standard error
printf 'fehler: \xfc\n' >&2
### a character split over writes
printf '\xe4'; sleep 0.02; printf '\xb8'; sleep 0.02; printf '\x96\n'
### slow writes
for i in 1 2 3; do echo $i; sleep 0.02; done
### output of a background process that ends
(sleep 0.05; echo late) & wait
### alternating streams
echo 1; echo 2 >&2; echo 3; echo 4 >&2
### lines that look like paths and dates
echo "/usr/lib:12:3: error 2024-01-01"
### json
echo '{"a": [1, 2], "b": "x\ny"}'
### dashes that start a line
printf -- '--- a/file\n+++ b/file\n@@ -1 +1 @@\n'
### backslashes
printf '%s\n' 'C:\dir\new' 'a\\b' '\'
### backslash at the end of a line
printf 'a \\\nb\n'
### percent signs
echo '100% %s %d'
### markup
echo '<a href="x">&amp;</a>'
### shell text as output
echo 'x=$(rm -rf /) && `id`'
### very many short lines
yes a | head -n 50000 | tail -n 3
### megabyte
head -c 1048576 /dev/zero | tr '\0' 'y' | fold -w 80
### large standard error and small output
head -c 200000 /dev/zero | tr '\0' 'e' | fold -w 100 >&2; echo done
### output from many processes
for i in $(seq 40); do /bin/echo $i; done
### environment is that of the jail
env | grep -v -E '^(_|SHLVL)=' | sort
### depth variable is set
[ "$DEBRIEF_DEPTH" -ge 1 ] && echo nested
### working directory
pwd; pwd -P; echo $PWD
### file listing
#@ file a "1"
#@ file b/c "2"
ls -1; ls -A b; ls | wc -l
### names with odd characters
touch 'a b' 'c"d' "e'f" 'g$h' 'i*j'; ls; rm *; ls | wc -l
### name with a newline
touch $'a\nb'; ls | wc -l; rm $'a\nb'
### unicode names
touch ñ 世界; ls; echo *
### deep directories
mkdir -p a/b/c/d/e/f/g; cd a/b/c/d/e/f/g; touch x; cd ../../../../../../..; find a -type f
### output with a reader that stops early
seq 100000 | head -n 1
### help texts
sed --version | head -n 1 | cut -c1-3; bash --version | head -n 1 | cut -c1-8
### a prompt without an answer
read -p 'name? ' x; echo "[$x]" $?
