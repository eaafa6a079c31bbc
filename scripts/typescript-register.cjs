// Lets a plain child process of a test load the TypeScript sources, as Jest does for the tests themselves.
const { readFileSync } = require('node:fs');
const { _extensions: extensions } = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const options = JSON.parse(readFileSync(join(__dirname, '../.swcrc'), 'utf8'));
delete options.exclude;
delete options.$schema;

extensions['.ts'] = (loaded, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    ...options,
    swcrc: false,
    sourceMaps: 'inline',
    filename,
  });
  loaded._compile(code, filename);
};
