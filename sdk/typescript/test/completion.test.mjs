import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const program = join(import.meta.dirname, 'node_modules', '.bin', 'dms');
const home = mkdtempSync(join(tmpdir(), 'dms-completion-'));
const QUOTED = 'it\'s "quoted"';
const NAMES = ['two words; $(touch oops)', QUOTED, 'north: boats', 'back\\slash'];
const SHELLS = { bash: ['--norc', '--noprofile', '-i'], zsh: ['-f', '-i'] };
const LONG_MS = 20_000;

// Replaces the program: it knows some names, and prints the arguments that it received.
writeFileSync(
  join(home, 'dms'),
  `#!/bin/bash
if [ "$1 $2" = 'completion names' ]; then printf '%s\\n' ${NAMES.map((name) => `'${name.replaceAll("'", `'\\''`)}'`).join(' ')}
else printf '<%s>' "$@"; echo; fi
`,
);
chmodSync(join(home, 'dms'), 0o755);

const isThere = (command) => {
  try {
    return execFileSync('which', [command], { encoding: 'utf8' }) !== '';
  } catch {
    return false;
  }
};

/** A shell in a separate pseudoterminal. */
class Terminal {
  output = '';

  constructor(shell) {
    const env = { ...process.env, PATH: `${home}:${process.env.PATH}`, HOME: home, TERM: 'dumb' };
    this.process = spawn('script', ['-qfec', [shell, ...SHELLS[shell]].join(' '), '/dev/null'], { cwd: home, env });
    this.process.stdout.on('data', (data) => (this.output += data));
  }

  /** Returns the output after the keys. */
  async type(keys, until) {
    const from = this.output.length;
    this.process.stdin.write(keys);
    const end = Date.now() + LONG_MS;
    while (!until(this.output.slice(from))) {
      if (Date.now() > end)
        throw new Error(`After ${JSON.stringify(keys)} came ${JSON.stringify(this.output.slice(from))}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this.output.slice(from);
  }
}

describe('shell completion of dms', () => {
  after(() => rmSync(home, { recursive: true, force: true }));

  for (const shell of Object.keys(SHELLS)) {
    const skip = !isThere('script') || !isThere(shell) ? `${shell} or script is not on this machine` : false;
    it(`completes commands and names of datasets in ${shell}`, { skip }, async () => {
      writeFileSync(join(home, `completion.${shell}`), execFileSync(program, ['completion', shell]));
      const terminal = new Terminal(shell);
      try {
        await terminal.type('', (text) => /[#$%] /.test(text));
        await terminal.type(`source ./completion.${shell}; echo sour''ced\n`, (text) => text.includes('sourced'));
        const completed = async (typed, last) => {
          await terminal.type(`${typed}\t`, (text) => text.includes(last));
          const shown = await terminal.type('\n', (text) => /<.*>/.test(text));
          return /<.*>/.exec(shown)[0];
        };
        assert.equal(await completed('dms upl', 'upload'), '<upload>');
        assert.equal(await completed('dms search tw', 'oops'), '<search><two words; $(touch oops)>');
        assert.equal(await completed("dms search 'tw", 'oops'), '<search><two words; $(touch oops)>');
        assert.equal(await completed('dms search "tw', 'oops'), '<search><two words; $(touch oops)>');
        assert.equal(await completed('dms search two\\ w', 'oops'), '<search><two words; $(touch oops)>');
        assert.equal(await completed('dms search north:', 'boats'), '<search><north: boats>');
        assert.equal(await completed('dms search back', 'slash'), '<search><back\\slash>');
        assert.equal(await completed('dms upload x --dataset it', 'quoted'), `<upload><x><--dataset><${QUOTED}>`);
      } finally {
        terminal.process.kill('SIGKILL');
      }
    });
  }
});
