const { readFileSync } = require('node:fs');

const swcrc = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
delete swcrc.exclude;

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts', '<rootDir>/models/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/services/', '<rootDir>/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: { '^.+\\.[cm]?[jt]s$': ['@swc/jest', { ...swcrc, swcrc: false }] },
  // Packages that ship only ES modules; Jest loads CommonJS.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|pg-boss|serialize-error|non-error|hyparquet[^/]*|fzstd|file-type|strtok3|token-types|uint8array-extras|@tokenizer|cron-parser|rrule-temporal|temporal-[^/]*|jsbi|type-fest|tagged-tag|@borewit|jose|openid-client|oauth4webapi|oidc-provider|@keycloak|@microsoft|camelize-ts|url-template)/)',
  ],
  globalSetup: '<rootDir>/test/support/postgres-global-setup.ts',
  globalTeardown: '<rootDir>/test/support/postgres-global-teardown.ts',
  maxWorkers: 2,
  testTimeout: 60000,
};
