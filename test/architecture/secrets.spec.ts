import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const MADE = /^(?:node_modules|dist|data|\.git)(?:\/|$)/;
const MOST_BYTES = 2 * 2 ** 20;

/** Secrets, recognised by the formats of their issuers. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[\w+/]{40}/,
  'a key of AWS': /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
  'a key of Google': /\bAIza[\w-]{35}/,
  'a token of GitHub': /\b(?:gh[opsur]_[A-Za-z0-9]{36}|github_pat_\w{60})/,
  'a token of GitLab': /\bglpat-[\w-]{20}/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b|:_authToken=[\w-]{8}/,
  'a token of Slack': /\bxox[abprs]-[\w-]{20}/,
  'a token of Hugging Face': /\bhf_[A-Za-z]{34}\b/,
  'a key of OpenAI': /\bsk-(?:proj-)?[A-Za-z0-9]{32}/,
  'a key of Stripe': /\b[rs]k_live_\w{20}/,
  'a JSON Web Token': /\beyJ[\w-]{20,400}\.eyJ[\w-]{20,400}\.[\w-]{20}/,
  'a password in an address':
    /\b(?:postgres(?:ql)?|https?|redis|amqp):\/\/[\w.-]{1,60}:[^\s@:/'"`$<>{}…]{8,60}@(?!(?:127\.0\.0\.1|localhost|\[::1\]))[\w-]{1,60}\.[\w.-]{2,60}/,
};

const found = (text: string): string[] =>
  Object.entries(SECRETS)
    .filter(([, pattern]) => pattern.test(text))
    .map(([name]) => name);

async function textOf(path: string): Promise<string> {
  const file = join(root, path);
  const info = await stat(file).catch(() => undefined);
  if (info?.isFile() !== true || info.size > MOST_BYTES) return '';
  const bytes = await readFile(file);
  // A zero byte means that the file is not text.
  return bytes.includes(0) ? '' : bytes.toString('utf8');
}

/** Without a Git history, all files except generated ones. */
function trackedFiles(): string[] {
  if (existsSync(join(root, '.git')))
    return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return globSync('**/*', { cwd: root, exclude: (path) => MADE.test(path) });
}

describe('secrets', () => {
  it('are in no tracked file', async () => {
    const paths = trackedFiles();
    expect(paths.length).toBeGreaterThan(500);
    const leaks: string[] = [];
    for (const path of paths) leaks.push(...found(await textOf(path)).map((name) => `${path}: ${name}`));
    expect(leaks).toEqual([]);
  });

  // In parts, because this file is tracked too.
  it.each([
    ['a key of AWS', ['AK', 'IAIOSFODNN7EXAMPLE']],
    ['a token of GitHub', ['gh', `p_${'a1'.repeat(18)}`]],
    ['a private key', ['-----BEGIN RSA ', `PRIVATE KEY-----\n${'Ab'.repeat(20)}`]],
    ['a JSON Web Token', ['ey', `J${'a'.repeat(24)}.eyJ${'b'.repeat(24)}.${'c'.repeat(24)}`]],
    ['a password in an address', ['postgres', '://media:correct-horse@db.internal.example/media']],
    ['a token of npm', ['//registry.example/:_auth', 'Token=abcdefgh']],
  ])('would be found: %s', (name, parts) => {
    expect(found(parts.join(''))).toEqual([name]);
  });
});
