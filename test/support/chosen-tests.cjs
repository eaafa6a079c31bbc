const { join, relative } = require('node:path');

const root = join(__dirname, '..', '..');

/**
 * What `npm test` leaves to `npm run test:full`: pages in a browser, kills of the program, subjects whose files make dataset after dataset,
 * and the slowest files of others.
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
/** Whose rows in the cloud are only a sample in the quick tests. */
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
