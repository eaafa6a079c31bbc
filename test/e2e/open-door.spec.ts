import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, Program } from '../support/program';
import { untilTrue } from '../support/until-true';

describe('a service that lets everybody in', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-open-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  const warnings = (program: Program): string[] =>
    program.output.split('\n').filter((line) => line.includes('is the admin of this service, without signing in'));

  it('says so in the log and on the console, at every start', async () => {
    const port = await freePort();
    for (let starts = 0; starts < 2; starts += 1) {
      const program = await Program.start(join(folder, 'data'), port, {
        env: { HOST: '0.0.0.0', ALLOW_OPEN: 'true' },
      });
      try {
        await untilTrue(() => warnings(program).length === 2);
        expect(warnings(program).filter((line) => line.startsWith('WARNING: ALLOW_OPEN=true'))).toHaveLength(1);
        expect(warnings(program).filter((line) => line.includes('"level":40'))).toHaveLength(1);
      } finally {
        await program.stop();
      }
    }
  });
});
