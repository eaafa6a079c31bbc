import { build, hand, install } from './toolchain.mjs';

install();
build();
hand(['dist/rotate-secret-key.js']);
