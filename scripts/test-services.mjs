import { build, hand, install } from './toolchain.mjs';

await install();
// Some tests start the built program.
await build();
await hand(['node_modules/jest/bin/jest.js', '-c', 'test/services/jest.config.js', ...process.argv.slice(2)]);
