import { fork } from 'node:child_process';
import { join } from 'node:path';
import { MemoryShare } from '../../../src/common/engine/compute/memory-share';

const REGISTER = join(__dirname, '..', '..', '..', 'scripts', 'typescript-register.cjs');

/** A child that hangs in native code, as with a damaged file, and its parent, which waits to be killed. */
if (process.send === undefined) {
  const child = fork(__filename, [], { execArgv: ['--require', REGISTER], detached: true });
  child.once('message', () => console.log(`child ${child.pid}`));
} else {
  new MemoryShare();
  process.send('about to hang');
  setImmediate(() => {
    for (;;);
  });
}
