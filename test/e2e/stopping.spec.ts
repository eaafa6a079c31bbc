import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client';
import { StartedProcess, untilGone, type ProcessLine } from '../support/started-process';
import { writePicture } from '../support/pictures';
import { freePort } from '../support/program';
import { waitUntil } from '../support/wait-until';

const ROOT = join(__dirname, '..', '..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const PROGRAM = `
for (const signal of ${JSON.stringify(SIGNALS)}) process.on(signal, () => process.exit(0));
setInterval(() => undefined, 60_000);
console.log('up');
`;

describe('stopping', () => {
  let folder: string;
  let started: ProcessLine[];
  // npm runs the tests, but it is not the npm that starts the service here.
  const environment = { ...process.env, npm_lifecycle_event: undefined };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-stop-'));
    started = [];
  });

  afterEach(async () => {
    for (const { pid } of started) killIfThere(pid);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  describe('a program started by a script', () => {
    const launch = async (command: string, args: readonly string[]): Promise<StartedProcess> => {
      await writeFile(join(folder, 'program.cjs'), PROGRAM);
      await writeFile(
        join(folder, 'start.mjs'),
        `import { hand } from ${JSON.stringify(join(ROOT, 'scripts', 'toolchain.mjs'))};
         await hand([${JSON.stringify(join(folder, 'program.cjs'))}]);`,
      );
      const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
        scripts: { start: string };
      };
      const start = scripts.start.replace('scripts/start.mjs', './start.mjs');
      await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start } }));
      const launched = StartedProcess.start(command, args, { cwd: folder, env: environment });
      await launched.untilOutput('up\n');
      started = launched.descendants();
      expect(started.filter((line) => line.command.includes('program.cjs'))).toHaveLength(1);
      return launched;
    };

    it.each(SIGNALS)('ends with %s to the script alone', async (signal) => {
      const launched = await launch(process.execPath, ['start.mjs']);
      launched.signal(signal);
      expect(await launched.ended()).toBe(0);
      await untilGone(started);
    });

    it.each(SIGNALS)('ends with %s to npm alone', async (signal) => {
      const launched = await launch('npm', ['start']);
      launched.signal(signal);
      await launched.ended();
      await untilGone(started);
    });
  });

  describe('the service', () => {
    let home: string;

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'dms-stop-'));
    });

    afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

    const launch = async (command: string, args: readonly string[]): Promise<StartedProcess> => {
      const port = await freePort();
      const env = { ...environment, DATA_DIR: join(home, 'data'), PORT: String(port), MEDIA_ROOTS: folder };
      const launched = StartedProcess.start(command, args, { cwd: ROOT, env });
      await launched.untilOutput('is ready at');
      await writePicture(join(folder, 'media', '1.jpg'), 1);
      const api = new ApiClient(`http://127.0.0.1:${port}`);
      await api.untilStatus(await api.createFromFolder('One', join(folder, 'media')), ['READY']);
      started = launched.descendants();
      for (const part of ['dist/main.js', 'bin/postgres', 'compute-child'])
        expect(started.map((line) => line.command)).toContainEqual(expect.stringContaining(part));
      return launched;
    };

    it('stops Postgres and the compute children when only the script is signalled', async () => {
      const launched = await launch(process.execPath, ['scripts/start.mjs', '--no-sample']);
      launched.signal('SIGINT');
      expect(await launched.ended()).toBe(0);
      await untilGone(started);
    });

    it('stops once after Ctrl-C in a terminal, which signals npm, the script and the program', async () => {
      const launched = await launch('npm', ['start', '--', '--no-sample']);
      launched.signalGroup('SIGINT');
      await launched.ended();
      await untilGone(started);
      expect(launched.output.match(/stopping/g)).toHaveLength(1);
    });

    it('stops cleanly while it indexes the sample', async () => {
      // Provided, so that the sample is not drawn.
      for (let seed = 0; seed < 40; seed += 1) await writePicture(join(folder, 'sample', `${seed}.jpg`), seed);
      const env = { ...environment, DATA_DIR: folder, PORT: String(await freePort()) };
      const launched = StartedProcess.start(process.execPath, ['scripts/start.mjs', '--no-models'], { cwd: ROOT, env });
      await launched.untilOutput('Indexing the sample');
      started = launched.descendants();
      const postgres = started.find((line) => line.command.includes('bin/postgres -D'))!.pid;
      // Long enough for the sample to poll its progress from a service that no longer responds.
      process.kill(postgres, 'SIGSTOP');
      launched.signal('SIGINT');
      await launched.untilOutput('stopping');
      await delay(1_500);
      process.kill(postgres, 'SIGCONT');
      expect(await launched.ended()).toBe(0);
      await untilGone(started);
      expect(launched.output).not.toContain('Error');
    });

    it('ends immediately after a second signal', async () => {
      const launched = await launch(process.execPath, ['scripts/start.mjs', '--no-sample']);
      const postgres = started.find((line) => line.command.includes('bin/postgres -D'))!.pid;
      process.kill(postgres, 'SIGSTOP');
      launched.signal('SIGTERM');
      await launched.untilOutput('stopping');
      await waitUntil(() => {
        launched.signal('SIGTERM');
        return launched.hasEnded;
      });
      expect(launched.output).toContain('SIGTERM again: ending at once');
      process.kill(postgres, 'SIGCONT');
      await untilGone(started);
    });
  });
});

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended, as expected.
  }
}
