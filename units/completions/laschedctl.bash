# shellcheck shell=bash
# bash completion for laschedctl(1): verbs, options and their values as --help has them, and the
# Activity IDs there are.

# Prints the verbs.
_laschedctl_verbs() {
  "$1" --help 2> /dev/null | awk '/^Verbs/ { on = 1; next } !NF { on = 0 } on && /^  [^ ]/ { print $1 }'
}

# Prints the options of a verb, or those of all verbs: --NAME, --NAME=VALUE or --NAME[=VALUE].
_laschedctl_options() { # PROGRAM [VERB]
  {
    [ -z "$2" ] || "$1" "$2" --help
    "$1" --help | awk '!NF { on = 0 } $0 == "everywhere:" { on = 1 } on'
  } 2> /dev/null | awk '/^  -/ { for (i = 1; i <= 2; i++) if ($i ~ /^--/) { print $i; next } }'
}

_laschedctl() {
  local cur='' prev='' words=() cword=0
  _get_comp_words_by_ref -n '=:' cur prev words cword
  local program=${words[0]} verb='' word options index
  local -a socket=() owner=()
  [ "$EUID" != 0 ] || owner=(--owner=root)
  for ((index = 1; index < cword; index++)); do
    word=${words[index]}
    case $word in
    --)
      # What comes now is a command.
      _command_offset $((index + 1))
      return
      ;;
    --socket | --owner)
      [ "$word" = --owner ] && owner=("--owner=${words[index + 1]}") || socket=("--socket=${words[index + 1]}")
      ((index++))
      ;;
    --socket=* | --user | --system) socket=("$word") ;;
    --owner=*) owner=("$word") ;;
    --every-owner) owner=("$word") ;;
    -*) ;;
    *) [ -n "$verb" ] || verb=$word ;;
    esac
  done
  options=$(_laschedctl_options "$program" "$verb")

  # The value of an option: after = or as the next word.
  local option='' value=''
  case $cur in
  --*=*) option=${cur%%=*} value=${cur#*=} ;;
  *)
    if [[ $prev == --* ]] && grep -q -- "^$prev=" <<< "$options"; then
      option=$prev value=$cur
    elif [ "$prev" = -p ]; then
      option=--property value=$cur
    fi
    ;;
  esac
  if [ -n "$option" ]; then
    local values=''
    case $option in
    --owner) values=$(compgen -u) ;;
    --socket) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
    --zone) values=$(timedatectl list-timezones 2> /dev/null) ;;
    --state) values='pending active stale ended dismissed' ;;
    --audience) values="everyone $(compgen -P user: -u) $(compgen -P group: -g)" ;;
    --property) values='id state startDate endDate startedDate endedDate alert.title content.state attributes' ;;
    --for)
      [ "$verb" != wait ] || values='active stale ended dismissed action'
      ;;
    *)
      # Of alternatives such as low|normal|critical the words in small letters.
      values=$(sed -n "s/^$option\\[\\{0,1\\}=\\([^]]*\\)\\]\\{0,1\\}\$/\\1/p" <<< "$options" | grep '|' | tr '|' '\n' | grep -x '[a-z]*')
      ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$value")
    # readline takes words apart at these; the rest of the word stands already.
    [[ $COMP_WORDBREAKS == *=* || $cur != --*=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$option=}")
    __ltrim_colon_completions "$value"
    return
  fi

  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sed 's/\[=.*//; s/=.*/=/' <<< "$options")" -- "$cur")
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
    return
  fi
  case $verb in
  '') mapfile -t COMPREPLY < <(compgen -W "$(_laschedctl_verbs "$program")" -- "$cur") ;;
  clock)
    [ "$prev" = zone ] && word=$(timedatectl list-timezones 2> /dev/null) || word='now advance to next step suspend zone'
    mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
    ;;
  island) mapfile -t COMPREPLY < <(compgen -W 'open dismiss act' -- "$cur") ;;
  presentation)
    if [ "$prev" = check ]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    else
      mapfile -t COMPREPLY < <(compgen -W check -- "$cur")
    fi
    ;;
  schedule | start | run | test | explain | status | doctor | demo | list | enable | disable) ;;
  push)
    [[ $cur != @* ]] || mapfile -t COMPREPLY < <(compgen -P @ -f -- "${cur#@}")
    ;;
  *)
    # An ID may hold blanks and whatever a shell takes for its own.
    local all=()
    [[ $verb != show && $verb != history && $verb != cancel ]] || all=(--all)
    while IFS= read -r word; do
      [[ $word != "$cur"* ]] || COMPREPLY+=("$(printf %q "$word")")
    done < <("$program" "${socket[@]}" list "${all[@]}" "${owner[@]}" 2> /dev/null < /dev/null | cut -f1)
    __ltrim_colon_completions "$cur"
    ;;
  esac
}
complete -F _laschedctl laschedctl
