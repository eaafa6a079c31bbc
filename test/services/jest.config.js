const unitTests = require('../../jest.config.js');

/** The tests against real services; `test/services/up` starts them first. */
module.exports = {
  ...unitTests,
  testMatch: ['<rootDir>/test/services/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFiles: ['<rootDir>/test/services/read-environment.js'],
  testTimeout: 120000,
};
