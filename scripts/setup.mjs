import { install } from './toolchain.mjs';

await install();
