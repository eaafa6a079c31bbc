import { build, hand, install } from './toolchain.mjs';

install();
build();
hand(['dist/main.js', ...process.argv.slice(2)]);
