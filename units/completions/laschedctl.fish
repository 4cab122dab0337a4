# fish completion for laschedctl(1): verbs and options as --help has them, and the Activity IDs there are.

function __laschedctl_verb --description 'The verb on the command line'
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
        else if contains -- $word --socket --owner
            set skip yes
        else if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
    return 1
end

function __laschedctl_verbs --description 'Verbs, each with what it does'
    laschedctl --help 2>/dev/null | awk '
        /^Verbs/ { on = 1; next }
        !NF { on = 0 }
        on && /^  [^ ]/ { verb = $1; next }
        on { sub(/^ +/, ""); print verb "\t" $0 }'
end

function __laschedctl_options --description 'Options of the verb, each with what it does'
    set -l verb (__laschedctl_verb)
    begin
        test -n "$verb"; and laschedctl $verb --help
        laschedctl --help | awk '!NF { on = 0 } $0 == "everywhere:" { on = 1 } on'
    end 2>/dev/null | awk '/^  -/ {
        for (i = 1; i <= 2; i++) if ($i ~ /^--/) break
        option = $i; sub(/\[?=.*/, "", option)
        text = $0; sub(/^ *(-[a-z], )?[^ ]+ +/, "", text)
        print option "\t" text
    }'
end

function __laschedctl_ids --description 'Activity IDs, each with its title'
    set -l socket
    set -l owner
    test (id -u) = 0; and set owner --owner=root
    set -l words (commandline -opc)
    for index in (seq 2 (count $words))
        switch $words[$index]
            case --user --system '--socket=*'
                set socket $words[$index]
            case --socket
                set socket --socket=$words[(math $index + 1)]
            case --every-owner '--owner=*'
                set owner $words[$index]
            case --owner
                set owner --owner=$words[(math $index + 1)]
        end
    end
    set -l all
    contains -- (__laschedctl_verb) show history cancel; and set all --all
    laschedctl $socket list $all $owner 2>/dev/null </dev/null | awk -F '\t' '{ print $1 "\t" $6 }'
end

function __laschedctl_is --description 'Whether the verb is one of these'
    contains -- (__laschedctl_verb; or echo -) $argv
end

function __laschedctl_takes_ids
    set -l verb (__laschedctl_verb); or return 1
    not contains -- $verb schedule start run test clock explain presentation island status doctor demo list enable disable push
end

function __laschedctl_values --description 'The alternatives of an option, as --help has them' --argument-names option
    set -l verb (__laschedctl_verb)
    laschedctl $verb --help 2>/dev/null | string match -rg -- "^  (?:-., )?--$option\\[?=([^] ]*)" |
        string split '|' | string match -r '^[a-z]+$' | sort -u
end

complete -c laschedctl -f
complete -c laschedctl -n 'not __laschedctl_verb >/dev/null' -a '(__laschedctl_verbs)'
complete -c laschedctl -n 'string match -q -- "-*" (commandline -ct)' -a '(__laschedctl_options)'
complete -c laschedctl -n __laschedctl_takes_ids -a '(__laschedctl_ids)'
complete -c laschedctl -n 'contains -- clock (__laschedctl_verb)' -a 'now advance to next step suspend zone'
complete -c laschedctl -n '__laschedctl_is presentation; and not contains -- check (commandline -opc)' -a check
complete -c laschedctl -n '__laschedctl_is presentation; and contains -- check (commandline -opc)' -F
complete -c laschedctl -n '__laschedctl_is island' -a 'open dismiss act'
complete -c laschedctl -n '__laschedctl_is island' -l format -x -a '(__laschedctl_values format)'
# What these take; that they are there is told by --help.
set -l creates schedule start run
complete -c laschedctl -n "__laschedctl_is $creates" -l if-exists -x -a '(__laschedctl_values if-exists)'
complete -c laschedctl -n "__laschedctl_is $creates update reschedule end" -l urgency -x -a '(__laschedctl_values urgency)'
complete -c laschedctl -n "__laschedctl_is $creates update reschedule end history test explain" -l zone -x -a '(timedatectl list-timezones 2>/dev/null)'
complete -c laschedctl -n '__laschedctl_is end' -l dismiss -x -a '(__laschedctl_values dismiss)'
complete -c laschedctl -n '__laschedctl_is list' -l state -x -a 'pending active stale ended dismissed'
complete -c laschedctl -n '__laschedctl_is wait' -l for -x -a 'active stale ended dismissed action'
complete -c laschedctl -l json -x -a 'pretty short off'
complete -c laschedctl -l owner -x -a '(__fish_complete_users)'
complete -c laschedctl -l socket -r -F
