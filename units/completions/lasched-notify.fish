# Completion of lasched-notify(1) for fish
complete -c lasched-notify -f
complete -c lasched-notify -l system -d 'Follow the system daemon alone'
complete -c lasched-notify -l user -d 'Follow the own daemon alone'
complete -c lasched-notify -l socket -rF -d 'Follow the daemon at a path alone'
complete -c lasched-notify -l state-directory -xa '(__fish_complete_directories)' -d 'Where it notes which alerts were shown'
complete -c lasched-notify -l config -rF -d 'Read one file alone'
complete -c lasched-notify -l log-level -xa 'debug info notice warning err' -d 'How much is logged'
complete -c lasched-notify -l version -d 'Print the version'
complete -c lasched-notify -l help -d 'Print a summary'
