# Completion of ued's command line for bash.

_ued() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  # `=` is a word of its own where it separates words.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  case $before in
    --history)
      mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$word")
      return
      ;;
    -e | --expression | -p | --prompt | --expect | --validate | --run | --search | --undo-run | --since) return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '
      -E --extended-regexp -G --traditional -l --loose-exit-status -p --prompt= -q --quiet --silent
      -r --restricted -s --script -v --verbose -e --expression= -f --file= -i --in-place
      --apply= --atomic --check --create --diff --expect=sha256: --history --json --retry
      --validate= --run= --log --search= --undo-run= --since=
      --strip-trailing-cr --unsafe-names -h --help -V --version' -- "$word")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return
  fi
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

complete -F _ued ued
