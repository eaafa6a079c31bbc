// Runs a command of the program: `node scripts/command.mjs NAME …` is what `npm run NAME -- …` calls.
import { build, hand, install } from './toolchain.mjs';

const [name, ...given] = process.argv.slice(2);
await install();
await build();
await hand([`dist/commands/${name}.js`, ...given]);
