// Lets Node load the TypeScript sources in tests and in the child processes and threads that they start. Compiled files are cached by a hash of their
// source for the next process.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, relative } = require('node:path');
const { threadId } = require('node:worker_threads');

const { _extensions: extensions, enableCompileCache } = Module;
const root = join(__dirname, '..');
const cache = join(root, 'node_modules', '.cache', 'typescript');
const settings = readFileSync(join(root, '.swcrc'), 'utf8');
const options = JSON.parse(settings);
delete options.$schema;
delete options.exclude;
const { version } = require('@swc/core/package.json');

/** The source map of each loaded file. */
const sourceMaps = new Map();

function compile(source, filename) {
  return require('@swc/core').transformSync(source, { ...options, swcrc: false, sourceMaps: true, filename });
}

function write(path, text) {
  const draft = `${path}.${process.pid}.${threadId}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function readCompiled(path, stamp) {
  try {
    const code = readFileSync(path, 'utf8');
    return code.endsWith(stamp) ? code : undefined;
  } catch {
    return undefined;
  }
}

extensions['.ts'] = (loaded, filename) => {
  const source = readFileSync(filename, 'utf8');
  const path = join(cache, `${relative(root, filename).replaceAll('..', '__')}.js`);
  const stamp = `\n// ${createHash('sha256').update(version).update(settings).update(source).digest('hex')}`;
  let code = readCompiled(path, stamp);
  if (code === undefined) {
    const compiled = compile(source, filename);
    code = `${compiled.code}${stamp}`;
    mkdirSync(dirname(path), { recursive: true });
    write(`${path}.map`, compiled.map);
    write(path, code);
  }
  sourceMaps.set(filename, `${path}.map`);
  loaded._compile(code, filename);
};

/** The sources of the sample, because the built file may be older. */
const SAMPLE = join(root, 'sample', 'index.ts');
const { _resolveFilename: resolveFilename } = Module;
Module._resolveFilename = (request, ...more) => resolveFilename(request === '#sample' ? SAMPLE : request, ...more);

enableCompileCache(join(root, 'node_modules', '.cache', 'node'));

module.exports = { sourceMaps };
