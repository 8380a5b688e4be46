### operators
echo $((1+2)) $((7-9)) $((3*4)) $((7/2)) $((-7/2)) $((7%3)) $((-7%3)) $((2**10))
### precedence
echo $((1+2*3)) $(((1+2)*3)) $((2**3**2)) $((-2**2))
### comparison and logic
echo $((1<2)) $((1>2)) $((1==1)) $((1!=1)) $((1&&0)) $((1||0)) $((!5))
### bits
echo $((5&3)) $((5|3)) $((5^3)) $((~5)) $((1<<4)) $((256>>3))
### ternary and comma
echo $((1?2:3)) $((0?2:3)) $((1,2,3))
### assignment operators
x=5; echo $((x+=2)) $((x*=3)) $((x-=1)) $((x/=2)) $((x%=4)) $x
### increments
x=1; echo $((x++)) $x $((++x)) $((x--)) $((--x)) $x
### bases
echo $((0x1f)) $((017)) $((2#1010)) $((36#z)) $((16#FF))
### unset and empty are zero
unset x; y=; echo $((x)) $((y+1))
### names recurse
a=b; b=c; c=7; echo $((a))
### overflow wraps
echo $((9223372036854775807+1))
### division by zero
echo $((1/0)); echo after
### arithmetic syntax error
echo $((1+)); echo after
### invalid octal
echo $((08)); echo after
### value too great for base
echo $((2#3)); echo after
### arithmetic command status
((1)); echo $?; ((0)); echo $?; ((x=5)); echo $x $?
### arithmetic for
for ((i=0;i<3;i++)); do echo $i; done
### arithmetic for without parts
i=0; for ((;;)); do ((i++>2)) && break; done; echo $i
### let
let x=2+3 'y = x * 2'; echo $x $y; let 0; echo $?
### integer attribute
declare -i n=2+3; echo $n; n+=4; echo $n; n=abc; echo $n
### array subscripts
a=(5 6 7); echo $((a[1]+a[2])) $((a[0]++)) ${a[0]}
### arithmetic in a subscript
a=(x y z); i=1; echo ${a[i+1]} ${a[i]}
### arithmetic in a substring
x=abcdef; n=2; echo ${x:n+1:n}
### command substitution inside arithmetic
echo $(( $(echo 4) * `echo 2` ))
### blanks and newlines inside
echo $(( 1 +
 2 ))
### shift of a negative number
echo $((-8>>1)) $((-1<<3))
### large multiplication
echo $((123456789*987654321))
### string comparison is not arithmetic
[[ abc -eq 0 ]]; echo $?
### quoted expression
echo $(("1+2")) $(("x"))
### compare in a condition
x=5; if ((x>3 && x<10)); then echo between; fi
### nounset in arithmetic
set -u; echo $((nope+1)); echo after
### assignment in a subshell does not leave it
x=1; (x=2; ((x++))); echo $x
