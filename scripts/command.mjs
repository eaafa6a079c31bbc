// Runs a command of the program: `npm run NAME -- …` calls `node scripts/command.mjs NAME …`.
import { build, hand, install } from './toolchain.mjs';

const [name, ...given] = process.argv.slice(2);
await install();
await build();
await hand([`dist/commands/${name}.js`, ...given]);
