import type { Command } from './command.js';
import { UsageError } from './exit.js';

const GLOBAL = ['--help', '--json', '--url', '--version'];

const wordsOf = ({ options }: Command): string =>
  [...Object.keys(options).map((name) => `--${name}`), ...GLOBAL].join(' ');

function bash(commands: readonly Command[]): string {
  return `# Completion of dms for bash: source <(dms completion bash)
_dms() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
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
complete -o default -F _dms dms
`;
}

const escaped = (text: string): string =>
  text.replaceAll("'", "'\\''").replaceAll(':', '\\:').replaceAll('[', '(').replaceAll(']', ')');

function zsh(commands: readonly Command[]): string {
  return `#compdef dms
# Completion of dms for zsh: source <(dms completion zsh)
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
    ({ name, options }) =>
      `    ${name}) _arguments ${Object.entries(options)
        .map(([option, { help, type }]) => `'--${option}[${escaped(help)}]${type === 'string' ? ':value:_files' : ''}'`)
        .join(' ')} '--json[One JSON document]' '--url[The service]:url:' '--help[Help]' '*:file:_files' ;;`,
  )
  .join('\n')}
  esac
}
compdef _dms dms
`;
}

export const completionCommand = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  operands: 'SHELL',
  summary: 'Print the completion for bash or zsh',
  details: 'For example in ~/.bashrc: source <(dms completion bash)',
  options: {},
  run(run) {
    const [shell] = run.positionals;
    if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('The shell is bash or zsh');
    run.print((shell === 'bash' ? bash : zsh)(all()).trimEnd());
    return Promise.resolve();
  },
});
