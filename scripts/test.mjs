import { build, hand, install } from './toolchain.mjs';

await install();
await build();
await hand(['node_modules/jest/bin/jest.js', ...process.argv.slice(2)]);
