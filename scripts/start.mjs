import { build, hand, install, programFlags } from './toolchain.mjs';

await install();
await build();
await hand([...programFlags, 'dist/main.js', ...process.argv.slice(2)]);
