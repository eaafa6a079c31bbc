// Compiles the benches with the sources they measure and hands over to the project's own Node.
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
// Sources find these beside the folder they are compiled into.
for (const name of ['docs', 'models', 'package.json', 'dist', 'dist-web', 'openapi.json'])
  symlinkSync(join(root, name), join(compiled, name));
await hand([...programFlags, '--enable-source-maps', join(compiled, 'bench', 'run.js'), ...process.argv.slice(2)]);
