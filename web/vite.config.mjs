import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = at('../dist-web');

/** Writes each file compressed beside it, so that the service does not compress while it answers. */
const compress = () => ({
  name: 'compress',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(out, { recursive: true })) {
      if (!/\.(js|css|html|svg|json)$/.test(name)) continue;
      const bytes = readFileSync(join(out, name));
      writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(join(out, `${name}.br`), brotliCompressSync(bytes, { params }));
    }
  },
});

/** React Aria has its few own texts in thirty languages, and the console speaks English. */
const oneLanguage = () => ({
  name: 'one-language',
  enforce: 'pre',
  load: (id) =>
    /\/react-(aria|stately)[\w-]*\/.*\/intl\/.*[a-z]{2}-[A-Z]{2}\.m?js$/.test(id) && !id.includes('en-US')
      ? 'export default {};'
      : undefined,
});

export default defineConfig({
  root: at('.'),
  // The SDK from its source: a fresh clone has no build of it.
  resolve: { alias: { 'dataset-media-service-sdk': at('../sdk/typescript/src/index.ts') } },
  plugins: [oneLanguage(), react(), compress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    // A font or a picture in a data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `npm run bench -- console` watches what is loaded first.
    chunkSizeWarningLimit: 700,
    manifest: 'manifest.json',
    license: { fileName: 'licenses.json' },
  },
  server: { port: 3399, proxy: { '/api': 'http://127.0.0.1:3000', '/health': 'http://127.0.0.1:3000' } },
});
