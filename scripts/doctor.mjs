import { build, hand, install } from './toolchain.mjs';

await install();
await build();
await hand(['dist/doctor.js', ...process.argv.slice(2)]);
