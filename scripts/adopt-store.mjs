import { build, hand, install } from './toolchain.mjs';

install();
build();
hand(['dist/adopt-store.js']);
