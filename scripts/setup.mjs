import { install } from './toolchain.mjs';

install();
