// Compiles the benches together with the sources that they measure, and runs them with the project's own Node.
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, hand, install, programFlags, root, run } from './toolchain.mjs';

const compiled = join(root, 'node_modules', '.cache', 'bench');

await install();
await build();
rmSync(compiled, { recursive: true, force: true });
await run(join(root, 'node_modules', '.bin', 'swc'), [
  'src',
  'bench',
  'test/support',
  '--out-dir',
  compiled,
  '--quiet',
]);
// The sources expect these next to the folder of the compiled files.
for (const name of ['docs', 'models', 'package.json', 'dist', 'dist-web', 'openapi.json'])
  symlinkSync(join(root, name), join(compiled, name));
await hand([...programFlags, '--enable-source-maps', join(compiled, 'bench', 'run.js'), ...process.argv.slice(2)]);
