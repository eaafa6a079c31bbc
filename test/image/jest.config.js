const unitTests = require('../../jest.config.js');

/** The tests of the image; `test/image/run` builds it first. */
module.exports = {
  ...unitTests,
  testMatch: ['<rootDir>/test/image/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300000,
  maxWorkers: 1,
};
