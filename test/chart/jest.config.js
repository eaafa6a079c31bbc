const unitTests = require('../../jest.config.js');

/** The tests of the Helm chart; `test/chart/up` starts an API server first. They need no Postgres. */
module.exports = {
  ...unitTests,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/chart/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFiles: ['<rootDir>/test/chart/read-environment.js'],
  // Helm waits for hooks, and a busy machine takes its time.
  testTimeout: 600000,
  maxWorkers: 2,
};
