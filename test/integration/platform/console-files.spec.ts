import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeThenRead } from '../../support/raw-request';
import { runningApp } from '../../support/test-app';

const BUILT = join(__dirname, '..', '..', '..', 'dist-web');
/** The maximum of compressed scripts for a page. */
const MOST_BYTES = 250_000;
const AS_PAGE = { accept: 'text/html,application/xhtml+xml' };

describe('console files', () => {
  const running = runningApp();
  let script: string;

  beforeAll(async () => {
    script = /\/assets\/[\w.-]+\.js/.exec(await readFile(join(BUILT, 'index.html'), 'utf8'))![0];
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${running.url}${path}`, { headers });

  it.each(['/', '/datasets/some/explore', '/index.html'])('include the page at %s', async (path) => {
    const response = await get(path, AS_PAGE);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain(script);
  });

  it('allow no inline scripts and styles', async () => {
    const policy = (await get('/')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/unsafe|script-src|style-src|\*/);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('include immutable scripts in an encoding that the browser accepts: %s', async (accepted, encoding) => {
    const response = await get(script, { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(await readFile(join(BUILT, script), 'utf8'));
  });

  it('return 304 for cached files', async () => {
    const { headers } = await get('/');
    expect((await get('/', { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' })).status).toBe(304);
  });

  it.each(['/api/v1/nothing', '/api', '/health/nothing', '/metrics/nothing', '/assets/nothing.js'])(
    'are not found at %s',
    async (path) => {
      const response = await get(path, path.startsWith('/assets') ? {} : AS_PAGE);
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 404,
        body: { detail: `No such route: GET ${path}` },
      });
    },
  );

  it('do not include files outside the folder', async () => {
    for (const path of ['/../package.json', '/assets/../../package.json', '/%2e%2e/package.json', '/.built'])
      expect((await writeThenRead(running.url, `GET ${path}`, { connection: 'close' }, [])).status).toBe(404);
  });

  it('have small scripts for the first page', async () => {
    interface Chunk {
      readonly file: string;
      readonly imports?: readonly string[];
      readonly isEntry?: boolean;
      readonly isDynamicEntry?: boolean;
    }
    const chunks = JSON.parse(await readFile(join(BUILT, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    const filesOf = (name: string): string[] => [
      ...(chunks[name]!.file.endsWith('.js') ? [chunks[name]!.file] : []),
      ...(chunks[name]!.imports ?? []).flatMap(filesOf),
    ];
    const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry)!;
    for (const name of Object.keys(chunks).filter((each) => chunks[each]!.isDynamicEntry)) {
      const files = [...new Set([...filesOf(entry), ...filesOf(name)])];
      const sizes = await Promise.all(files.map(async (file) => (await stat(join(BUILT, `${file}.gz`))).size));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
    }
  });

  it('allow no other methods', async () => {
    expect((await fetch(running.url, { method: 'POST' })).status).toBe(404);
  });
});
