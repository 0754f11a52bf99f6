# Completion of ued's command line for fish.

# The command of an expression with each revision of the last file on the line behind it: `jump 3`.
function __ued_expressions
  set -l token (commandline -ct | string replace -r '^(-e|--expression=)' '' | string unescape)
  set -l command (string match -r '^[\'"]?(?:diff|jump|merge|peek|pick|revert) [0-9]*$' -- "$token")
  or return
  set command (string trim -c '\'"' -- $command | string split ' ')[1]
  for word in (commandline -o)[2..-1]
    set word (string unescape -- $word | string replace -r '^~/' $HOME/)
    # With a folder before it, a name is no option and no command.
    string match -q '/*' -- "$word"; or set word ./$word
    test -f "$word"; and set -f file $word
  end
  set -q file; or return
  ued -s --history=on -e 'history json' $file 2>/dev/null </dev/null \
    | sed -n 's/^{"id":\([0-9]*\),.*"description":"\(.*\)","time":.*/'$command' \1\t\2/p'
end

# The identities and names of all runs.
function __ued_runs
  ued --log --json 2>/dev/null </dev/null \
    | sed -n 's/^{"run":"\([^"]*\)","name":null,.*/\1/p
      s/^{"run":"\([^"]*\)","name":"\(.*\)","time":".*/\1\n\2/p' | sed 's/\\\\\(.\)/\1/g' | sort -u
end

# Options, by 'make completions':
complete -c ued -s E -l extended-regexp -d 'regular expressions are extended ones'
complete -c ued -s G -l traditional -d 'behave as ed did before GNU'
complete -c ued -s l -l loose-exit-status -d 'exit with status 0 even if a command failed'
complete -c ued -s p -l prompt -x -d 'show STRING before each command'
complete -c ued -s q -l quiet -d 'keep standard error quiet'
complete -c ued -l silent -d 'keep standard error quiet'
complete -c ued -s r -l restricted -d 'no shell, and no file outside this folder'
complete -c ued -s s -l script -d 'print no byte counts, and no \'!\' after commands'
complete -c ued -s v -l verbose -d 'explain errors, not only \'?\' (as after \'H\')'
complete -c ued -l strip-trailing-cr -d 'drop a carriage return at the end of lines read'
complete -c ued -l unsafe-names -d 'take control characters in names, as always'
complete -c ued -l create -d 'begin with an empty text if FILE does not exist'
complete -c ued -l json -d 'answer each command in JSON, for programs'
complete -c ued -l history -d 'keep the history of FILE on disk, or not'
complete -c ued -l history=on -d 'keep the history of FILE on disk, or not'
complete -c ued -l history=off -d 'keep the history of FILE on disk, or not'
complete -c ued -l history=require -d 'keep the history of FILE on disk, or not'
complete -c ued -l run -x -d 'name this run in the history'
complete -c ued -s h -l help -d 'print this and exit'
complete -c ued -s V -l version -d 'print the version and exit'
complete -c ued -s e -l expression -x -a '(__ued_expressions)' -d 'run COMMAND instead of standard input, repeatable'
complete -c ued -s f -l file -r -F -d 'run the commands in SCRIPT; repeatable'
complete -c ued -s i -l in-place -d 'write FILE at the end; the old one is FILESUFFIX'
complete -c ued -l atomic -d 'write all files at the end, or none'
complete -c ued -l apply -r -F -d 'apply a unified diff of any files; \'-\' is stdin'
complete -c ued -l diff -d 'write nothing; show what would be written'
complete -c ued -l check -d 'write nothing: exit with 4 if files would change'
complete -c ued -l expect -x -a 'sha256:' -d 'refuse a FILE with other content; one for each FILE'
complete -c ued -l retry -d 'run again when FILE was changed meanwhile'
complete -c ued -l validate -x -d 'write only what COMMAND accepts; \'%\' is the name'
complete -c ued -l log -d 'list all runs, newest first, and their files'
complete -c ued -l record -d 'record changes by other programs as part of the run'
complete -c ued -l search -x -d 'list the groups whose name or text matches'
complete -c ued -l undo-run -x -a '(__ued_runs)' -d 'undo a run in all its files, or in none'
complete -c ued -l since -x -d 'only what is as new as 30s, 10m, 2h, 1d or a date'
# End of options.
