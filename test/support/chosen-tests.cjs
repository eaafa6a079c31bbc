const { join, relative } = require('node:path');

const root = join(__dirname, '..', '..');

/**
 * Tests that run with `npm run test:full` but not with `npm test`: pages in a browser, kills of the program, subjects whose tests create many
 * datasets, and other slow files.
 */
const ONLY_IN_FULL = [
  /^test\/faults\//,
  /^test\/e2e\/(?!program\.)/,
  /^test\/integration\/(annotations|embeddings|enrichment|ingestion|maintenance|subsets)\//,
  /^test\/integration\/engine\/compute-memory\./,
  /^test\/integration\/platform\/(docs-page|embedded-postgres|jobs-embedded|jobs-killed)\./,
  /^test\/integration\/search\/search-sample\./,
  /^test\/integration\/snapshots\/snapshot-races\./,
  /^sample\/make-sample\./,
  /^src\/common\/engine\/similarity\/filed-structure\./,
  /^src\/modules\/tables\/neighbours\/(ray-neighbours|neighbour-steps)\./,
];
/** The quick tests only run a sample of the cloud rows of this file. */
const IN_PARTS = /^test\/contract\/access-matrix\./;

const isOnlyInFull = (path) => ONLY_IN_FULL.some((pattern) => pattern.test(path));

const CHOSEN = {
  quick: (path) => !isOnlyInFull(path),
  others: (path) => isOnlyInFull(path) || IN_PARTS.test(path),
  full: () => true,
};

/** A filter of Jest. `TESTS` is set by scripts/test.mjs. */
module.exports = (paths) => ({
  filtered: paths.filter((path) => CHOSEN[process.env.TESTS](relative(root, path))),
});
