### indexed array
a=(one "two three" four); echo ${a[0]} "${a[1]}" ${#a[@]} "${a[@]}"
### array elements as words
a=("x y" z); printf '[%s]' "${a[@]}"; printf '[%s]' "${a[*]}"; printf '[%s]' ${a[@]}; echo
### sparse array
a=([2]=c [5]=f); a[9]=j; echo ${!a[@]} ${#a[@]} ${a[-1]}
### append
a=(1); a+=(2 3); a[0]+=x; echo ${a[@]}
### unset element
a=(a b c); unset 'a[1]'; echo ${a[@]} ${!a[@]} ${#a[@]}
### slices
a=(0 1 2 3 4 5); echo ${a[@]:2:3} ${a[@]: -2} ${a[@]:4}
### element operations
a=(foo.c bar.c); echo ${a[@]%.c} ${a[@]/o/0} ${a[@]^} ${#a[0]}
### associative array
declare -A m=([a]=1 ["b c"]=2); echo ${m[a]} "${m[b c]}" ${#m[@]}; m[d]=3; for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort
### associative array test
declare -A m=([x]=1); [[ -v m[x] ]] && echo has; [[ -v m[y] ]] || echo lacks
### array from a command
a=($(echo a b c)); echo ${#a[@]} ${a[2]}
### array from lines
#@ file l "one\ntwo three\n\nfour"
mapfile -t a < l; printf '[%s]' "${a[@]}"; echo ${#a[@]}
### mapfile with a count and an origin
#@ file l "1\n2\n3\n4\n"
mapfile -t -s 1 -n 2 -O 5 a < l; declare -p a
### read into an array
IFS=, read -ra a <<< 'x,y z,,w'; declare -p a
### array copied
a=(1 "2 3"); b=("${a[@]}"); declare -p b
### array in a function by reference
f() { local -n r=$1; r+=(z); }; a=(x); f a; echo ${a[@]}
### local array
f() { local a=(in); echo ${a[@]}; }; a=(out); f; echo ${a[@]}
### readonly array
declare -r a=(1 2); a[0]=5; echo after ${a[0]}
### declare p of several kinds
declare -i i=3; declare -x e=1; declare -r r=2; declare -a a=(1); declare -A m=([k]=v); declare -p i e r a m
### scalar becomes element zero
a=x; a[1]=y; declare -p a; echo $a
### empty array
a=(); echo "[${a[@]}]" ${#a[@]}; set -u; echo "${a[@]}"; echo ok
### negative subscript out of range
a=(1); echo ${a[-5]}; echo after
### bad subscript in assignment
a[-3]=x; echo $?
### nested quotes in keys
declare -A m; k='a"b]c'; m[$k]=1; echo "${!m[@]}"
### array of arguments
set -- a "b c"; a=("$@" d); echo ${#a[@]} "${a[1]}"
### last element through a sequence
a=({1..20}); echo ${a[-1]} ${#a[@]}
### glob into an array
#@ file p1 ""
#@ file p2 ""
a=(p*); echo ${#a[@]} ${a[@]}
### join with IFS
a=(x y z); IFS=,; echo "${a[*]}"
### PIPESTATUS array
true | false | (exit 5); echo ${PIPESTATUS[@]}
### BASH_REMATCH array
[[ "2024-05-06" =~ ^([0-9]+)-([0-9]+) ]] && echo ${BASH_REMATCH[@]}
### FUNCNAME array
f() { g; }; g() { echo ${FUNCNAME[@]}; }; f
### array quoted transformation
a=(a "b c"); echo "${a[@]@Q}"; echo "${a[@]@K}"
