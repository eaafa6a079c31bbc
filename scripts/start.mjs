import { build, hand, install, programFlags } from './toolchain.mjs';

install();
build();
hand([...programFlags, 'dist/main.js', ...process.argv.slice(2)]);
