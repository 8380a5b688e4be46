# capture.zsh SCRIPT LINE: prints what an interactive zsh offers behind a line, one match a line. Completion functions
# work in a line editor only, so one is run on a terminal of its own, and everything that is added to its list is noted.
zmodload zsh/zpty || exit 3
zpty shell 'TERM=dumb zsh -f -i'
zpty -w shell "PROMPT=''; autoload -Uz compinit; compinit -D -u; source ${(q)1}; bindkey '^I' complete-word
typeset -ga found
compadd() {
  local -a hits
  case \" \$* \" in (*' -O '*|*' -A '*|*' -D '*) builtin compadd \"\$@\"; return ;; esac
  builtin compadd -A hits \"\$@\"
  found+=(\$hits)
  builtin compadd \"\$@\"
}
finish() { print; print -r -- '<<'; print -rl -- \$found; print -r -- '>>'; exit }
comppostfuncs=(finish)
print READY"
local line on=0
while zpty -r shell line; do [[ $line == READY* ]] && break; done
zpty -w -n shell "$2"$'\t'
while zpty -r shell line; do
  line=${${line%$'\n'}%$'\r'}
  [[ $line == '>>' ]] && exit
  (( on )) && [[ -n $line ]] && print -r -- $line
  [[ $line == '<<' ]] && on=1
done
exit 4
