import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';

/** The repository root, passed by `check`. */
export const root = process.env.DMS_ROOT;

/** The file for the name of the running test, read by `record-calls.cjs`. */
const running = process.env.DMS_CALLS && join(process.env.DMS_CALLS, 'test');
if (running) {
  beforeEach(({ name }) => writeFileSync(running, `${basename(process.argv[1])}: ${name}`));
  afterEach(() => writeFileSync(running, ''));
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

export async function until(condition, what, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${seconds} seconds`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts the built program on a free port with a separate data folder. */
export async function startService(variables = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'dms-sdk-'));
  const port = await freePort();
  const recorder = process.env.DMS_CALLS ? ['--require', join(root, 'sdk', 'record-calls.cjs')] : [];
  const program = [...recorder, join(root, 'dist', 'main.js'), '--no-sample'];
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), program, {
    env: {
      ...(process.env.DMS_CALLS ? { DMS_CALLS: process.env.DMS_CALLS } : {}),
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      MEDIA_ROOTS: folder,
      WORKER_CONCURRENCY: '1',
      LOG_LEVEL: 'CRITICAL',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'exit');
  await until(() => output.includes('is ready at') || child.exitCode !== null, 'The start of the service');
  if (child.exitCode !== null) throw new Error(`The service did not start:\n${output}`);
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
