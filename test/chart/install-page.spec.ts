import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNamespace, PretendedNodes } from './support/cluster';
import { blocksOf } from './support/page';
import { ROOT, run } from './support/programs';

/** Commands that need running pods or delete a namespace. */
const NEEDS_NODES = /^kubectl .*(rollout status|port-forward|logs|delete namespace) ?/;
const NAMESPACES = ['media-trial', 'media'];

const commandsOf = (page: string): string[] =>
  blocksOf(page)
    .filter(({ language }) => language === 'bash')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => /^(helm|kubectl) /.test(line))
    .map((line) => line.replace(/ {2,}/g, ' '));

describe('docs/install.md', () => {
  let folder: string;
  let page: string;

  beforeAll(async () => {
    page = await readFile(join(ROOT, 'docs', 'install.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'dms-install-page-'));
    await symlink(join(ROOT, 'helm'), join(folder, 'helm'));
    const values = blocksOf(page).find(({ language }) => language === 'yaml');
    await writeFile(join(folder, 'media-values.yaml'), values!.text);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has commands that work in their order', async () => {
    // Each namespace of the page is replaced by one of this test.
    const own = new Map<string, string>();
    for (const name of NAMESPACES) own.set(name, await createNamespace());
    const shell = (command: string): Promise<string> =>
      run('bash', ['-c', `cd "$0" && PATH="$CHART_TOOLS:$PATH" && set -eu -o pipefail; ${command}`, folder]);
    const done: string[] = [];
    for (const written of commandsOf(page)) {
      if (NEEDS_NODES.test(written)) continue;
      const [, name = ''] = /(?:--namespace|namespace) ([a-z-]+)/.exec(written) ?? [];
      const command = written.replace(`namespace ${name}`, `namespace ${own.get(name)!}`);
      if (command.includes('create namespace')) {
        await shell(`${command} --dry-run=client`);
      } else {
        await PretendedNodes.during(own.get(name)!, () => shell(command));
      }
      done.push(written);
    }
    expect(done).toHaveLength(15);
    expect(done.filter((command) => command.startsWith('helm'))).toHaveLength(10);
  });

  it('links to pages that exist', async () => {
    const links = Array.from(page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g), ([, path = '']) => path);
    for (const link of links) await expect(readFile(join(ROOT, 'docs', link))).resolves.toBeDefined();
    expect(links.length).toBeGreaterThan(2);
  });
});
