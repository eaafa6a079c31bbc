import type { Program } from '../support/program';
import { ProgramHome } from '../support/program-home';
import { waitUntil } from '../support/wait-until';

describe('a service with open access', () => {
  let home: ProgramHome;

  beforeAll(async () => {
    home = await ProgramHome.make({ HOST: '0.0.0.0', ALLOW_OPEN: 'true', LOG_LEVEL: 'INFO' });
  });

  afterAll(() => home.remove());

  const warnings = (program: Program): string[] =>
    program.output.split('\n').filter((line) => line.includes('is the admin of this service, without signing in'));

  it('logs and prints a warning at every start', async () => {
    for (let starts = 0; starts < 2; starts += 1) {
      await home.start();
      const { program } = home;
      await waitUntil(() => warnings(program).length === 2);
      expect(warnings(program).filter((line) => line.startsWith('WARNING: ALLOW_OPEN=true'))).toHaveLength(1);
      expect(warnings(program).filter((line) => line.includes('"level":40'))).toHaveLength(1);
      await program.stop();
    }
  });

  it('warns of DNS rebinding unless host names are configured', async () => {
    const rebinding = 'answered by any host name';
    await home.start();
    await waitUntil(() => warnings(home.program).length === 2);
    expect(home.program.output).toContain(`WARNING: Neither BASE_URL nor ALLOWED_HOSTS is set`);
    expect(home.program.output).toContain(rebinding);
    await home.program.stop();
    await home.start({ BASE_URL: 'http://media.example:3000' });
    await waitUntil(() => warnings(home.program).length === 2);
    expect(home.program.output).not.toContain(rebinding);
    await home.program.stop();
  });
});
