import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const REGISTER = join(__dirname, '..', '..', '..', '..', 'scripts', 'typescript-register.cjs');
const PROGRAM = `
  require('${join(__dirname, 'lower-thread-priority.ts')}').lowerThreadPriority();
  console.log(require('node:os').getPriority());
`;

/** The priority of a program that was started with nice and then lowered its own. */
const priorityAfter = (nice: number): number =>
  Number(execFileSync('nice', ['-n', String(nice), process.execPath, '--require', REGISTER, '-e', PROGRAM]));

describe('lowerThreadPriority', () => {
  const linux = process.platform === 'linux';

  it('lowers the priority', () => {
    expect(linux ? priorityAfter(0) : 5).toBeGreaterThanOrEqual(5);
  });

  it('does not change a lower priority, which only root could raise', () => {
    expect(linux ? priorityAfter(10) : 10).toBeGreaterThanOrEqual(10);
  });
});
