import { hand, install } from './toolchain.mjs';

await install();
await hand(['node_modules/jest/bin/jest.js', '-c', 'test/chart/jest.config.js', ...process.argv.slice(2)]);
