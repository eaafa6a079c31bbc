import { generateTypes } from './toolchain.mjs';

await generateTypes();
