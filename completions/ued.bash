# Completion of ued's command line for bash.

_ued_options=(
  # Options, by 'make completions':
  -E --extended-regexp
  -G --traditional
  -l --loose-exit-status
  -p --prompt=
  -q --quiet --silent
  -r --restricted
  -s --script
  -v --verbose
  --strip-trailing-cr
  --unsafe-names
  --create
  --json
  --history
  --run=
  -h --help
  -V --version
  -e --expression=
  -f --file=
  -i --in-place
  --atomic
  --apply=
  --diff
  --check
  --expect=sha256:
  --retry
  --validate=
  --log
  --record
  --search=
  --undo-run=
  --since=
  # End of options.
)

# The last word of the command line that is a file. With a folder before it, a name is no option and no command.
_ued_file() {
  local word file=
  for word in "${COMP_WORDS[@]:1}"; do
    word=${word//[\"\'\\]/}
    [[ $word == "~/"* ]] && word=$HOME/${word:2}
    [[ $word == /* ]] || word=./$word
    [[ -f $word ]] && file=$word
  done
  printf '%s' "$file"
}

# The command of an expression with each revision of the file behind it: `jump 3`.
_ued_revisions() { # COMMAND
  local file
  file=$(_ued_file)
  [[ -z $file ]] || ued -s --history=on -e 'history json' "$file" 2>/dev/null </dev/null \
    | sed -n 's/^{"id":\([0-9]*\),.*/'"$1"' \1/p'
}

# The identities and names of all runs.
_ued_runs() {
  ued --log --json 2>/dev/null </dev/null \
    | sed -n 's/^{"run":"\([^"]*\)","name":null,.*/\1/p
      s/^{"run":"\([^"]*\)","name":"\(.*\)","time":".*/\1\n\2/p' | sed 's/\\\(.\)/\1/g' | sort -u
}

# Offers the lines of standard input that go on as the word does; names with blanks are quoted.
_ued_offer() { # WORD
  local line
  compopt -o filenames
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("$line")
  done
}

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
      mapfile -t COMPREPLY < <(compgen -W 'on off require' -- "$word")
      return
      ;;
    -e | --expression)
      word=${word//[\"\'\\]/}
      if [[ $word =~ ^(diff|jump|merge|peek|pick|revert)\ [0-9]*$ ]]; then
        _ued_offer "$word" < <(_ued_revisions "${BASH_REMATCH[1]}")
      fi
      return
      ;;
    --undo-run)
      _ued_offer "${word//[\"\'\\]/}" < <(_ued_runs)
      return
      ;;
    -f | --file | --apply) ;;
    -p) return ;;
    --*) [[ " ${_ued_options[*]}" == *" $before="* ]] && return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${_ued_options[*]}" -- "$word")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return
  fi
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

complete -F _ued ued
