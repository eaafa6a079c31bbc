import { build, hand, install } from './toolchain.mjs';

await install();
await build();
await hand(['dist/rotate-secret-key.js']);
