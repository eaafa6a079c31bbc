import type { Command } from './command.js';
import { UsageError } from './exit.js';
import { plain } from './output.js';

const GLOBAL = ['--help', '--json', '--url', '--version'];

const wordsOf = ({ options }: Command): string =>
  [...Object.keys(options).map((name) => `--${name}`), ...GLOBAL].join(' ');

/** Commands whose first operand is a dataset. */
const takesDataset = ({ operands }: Command): boolean => /^\[?DATASET\b/.test(operands);

function bash(commands: readonly Command[]): string {
  return `# Completion of dms for bash: source <(dms completion bash)
_dms() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words= of= name quoted=%q
  if [ "$previous" = --dataset ]; then
    of=yes
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case \${COMP_WORDS[1]} in ${commands
      .filter(takesDataset)
      .map(({ name }) => name)
      .join('|')}) [ "\${word:0:1}" = - ] || of=yes ;; esac
  fi
  if [ "$of" ]; then
    COMPREPLY=()
    case $word in
      [\\'\\"]*)
        # Then bash writes a name as the quotation mark needs it.
        compopt -o filenames 2>/dev/null
        quoted=%s word=\${word:1}
        ;;
    esac
    while IFS= read -r name; do
      printf -v name "$quoted" "$name"
      [ "\${name:0:\${#word}}" = "$word" ] && COMPREPLY+=("$name")
    done < <("\${COMP_WORDS[0]}" completion names 2>/dev/null)
    return
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${[...commands.map(({ name }) => name), ...GLOBAL].join(' ')}'
  else
    case \${COMP_WORDS[1]} in
${commands.map((command) => `      ${command.name}) words='${wordsOf(command)}' ;;`).join('\n')}
    esac
    case $word in -*) ;; *) words= ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
# A colon does not end a name.
COMP_WORDBREAKS=\${COMP_WORDBREAKS//:}
complete -o default -F _dms dms
`;
}

const escaped = (text: string): string =>
  text.replaceAll("'", "'\\''").replaceAll(':', '\\:').replaceAll('[', '(').replaceAll(']', ')');

const valueOf = (option: string): string => (option === 'dataset' ? ':dataset:_dms_datasets' : ':value:_files');

function zsh(commands: readonly Command[]): string {
  return `#compdef dms
# Completion of dms for zsh: source <(dms completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_dms() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${escaped(summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case \${words[2]} in
${commands
  .map(
    (command) =>
      `    ${command.name}) _arguments ${Object.entries(command.options)
        .map(([option, { help, type }]) => `'--${option}[${escaped(help)}]${type === 'string' ? valueOf(option) : ''}'`)
        .join(
          ' ',
        )} ${takesDataset(command) ? "'1:command:' '2:dataset:_dms_datasets' " : ''}'--json[One JSON document]' '--url[The service]:url:' '--help[Help]' '*:file:_files' ;;`,
  )
  .join('\n')}
  esac
}
_dms_datasets() {
  local -a names
  names=(\${(f)"$(\${words[1]} completion names 2>/dev/null)"})
  compadd -a names
}
compdef _dms dms
`;
}

export const completionCommand = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  operands: 'SHELL',
  summary: 'Print the completion for bash or zsh',
  details:
    'For example in ~/.bashrc: source <(dms completion bash). The names of datasets come from the service, by "dms completion names".',
  options: {},
  async run(run) {
    const [shell] = run.positionals;
    if (shell === 'names') {
      for (const { display_name: name } of await (await run.service()).datasets()) run.print(plain(name));
      return;
    }
    if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('The shell is bash or zsh');
    run.print((shell === 'bash' ? bash : zsh)(all()).trimEnd());
  },
});
