# Completion of lasched-notify(1) for bash
_lasched_notify() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  [ "$word" != = ] || word=""
  [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
  case $before in
  --log-level) mapfile -t COMPREPLY < <(compgen -W "debug info notice warning err" -- "$word") ;;
  --socket | --config) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  --state-directory) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
  *)
    mapfile -t COMPREPLY < <(compgen -W "--system --user --socket= --state-directory= --config=
      --log-level= --version --help" -- "$word")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    ;;
  esac
}
complete -F _lasched_notify lasched-notify
