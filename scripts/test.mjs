import { build, hand, install } from './toolchain.mjs';

install();
build();
hand(['node_modules/jest/bin/jest.js', ...process.argv.slice(2)]);
