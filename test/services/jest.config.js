const unitTests = require('../../jest.config.js');

/** Tests with real services, which `test/services/up` starts first. */
module.exports = {
  ...unitTests,
  testMatch: ['<rootDir>/test/services/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFiles: ['<rootDir>/test/services/read-environment.js'],
  testTimeout: 120000,
};
