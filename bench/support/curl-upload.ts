import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Batches {
  readonly url: string;
  readonly folder: string;
  readonly names: readonly string[];
  readonly filesEach: number;
  readonly connections: number;
  /** The path of the curl configuration with the requests. */
  readonly config: string;
}

/** Sends files by one curl process, several per request, and returns the seconds. */
export async function curlUpload({ url, folder, names, filesEach, connections, config }: Batches): Promise<number> {
  const requests: string[] = [];
  for (let at = 0; at < names.length; at += filesEach) {
    const files = names
      .slice(at, at + filesEach)
      .map((name) => `form = "files=@${join(folder, name)};filename=${name}"`);
    requests.push([`url = "${url}"`, 'output = "/dev/null"', 'fail', 'silent', 'show-error', ...files].join('\n'));
  }
  await writeFile(config, requests.join('\nnext\n'));
  const started = performance.now();
  const flags = [
    '--no-progress-meter',
    '--parallel',
    '--parallel-immediate',
    '--parallel-max',
    String(connections),
    '--config',
    config,
  ];
  const child = spawn('curl', flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`curl exited with ${code}`);
  return (performance.now() - started) / 1000;
}
