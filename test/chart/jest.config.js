const unitTests = require('../../jest.config.js');

/** The tests of the Helm chart; run `test/chart/up` first, which starts an API server. They do not need Postgres. */
module.exports = {
  ...unitTests,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/chart/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFiles: ['<rootDir>/test/chart/read-environment.js'],
  // Helm waits for hooks, and tests are slow on a busy machine.
  testTimeout: 600000,
  maxWorkers: 2,
};
