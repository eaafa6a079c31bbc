// What runs before and after the tests is TypeScript too.
require('./scripts/typescript-register.cjs');

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  runtime: '<rootDir>/test/support/node-runtime.cjs',
  testEnvironment: '<rootDir>/test/support/node-environment.cjs',
  testSequencer: '<rootDir>/test/support/programs-first.cjs',
  transform: {},
  testMatch: ['src', 'sample', 'test', 'models', 'web/src'].map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(services|image|chart)/', '<rootDir>/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/sdk/'],
  globalSetup: '<rootDir>/test/support/postgres-global-setup.ts',
  globalTeardown: '<rootDir>/test/support/postgres-global-teardown.ts',
  // What a run learns of each file's duration is for the next.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Twice the cores that are usual: what waits for a program or for Postgres leaves its core to another.
  maxWorkers: 4,
  // Several times what any test takes, so that a busy machine fails none.
  testTimeout: 240_000,
  // A worker with a large heap takes longer than the usual half second to end on a busy machine. What a test leaves open is reported after that.
  workerGracefulExitTimeout: 30_000,
};
