const { sourceMaps } = require('../../scripts/typescript-register.cjs');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const FRAMEWORK_LISTENERS = Symbol.for('EVENT_HANDLERS');

function forgetOwnModules() {
  for (const path of Object.keys(require.cache)) if (sourceMaps.has(path)) delete require.cache[path];
}

/** Replaces Jest's own runtime: Node loads each module once per process, instead of once per test file. */
module.exports = class NodeRuntime {
  constructor(_config, environment, _resolver, _transformer, _files, _coverage, _path, { watch, watchAll }) {
    this.mocker = environment.moduleMocker;
    // The next run in this process must load edited files.
    if (watch || watchAll) forgetOwnModules();
  }

  /** Test files and set-up files run each time they are required. */
  requireModule(path) {
    delete require.cache[path];
    return require(path);
  }

  /** The framework keeps the tests of a file in its own module, and its listeners in the global object. */
  requireInternalModule(path) {
    delete globalThis[FRAMEWORK_LISTENERS];
    return this.requireModule(path);
  }

  setGlobalsForRuntime() {
    globalThis.jest = {
      fn: this.mocker.fn.bind(this.mocker),
      spyOn: this.mocker.spyOn.bind(this.mocker),
      setTimeout: (milliseconds) => (globalThis[TEST_TIMEOUT] = milliseconds),
    };
  }

  teardown() {
    this.mocker.restoreAllMocks();
    delete globalThis[TEST_TIMEOUT];
  }

  getSourceMaps() {
    return sourceMaps;
  }

  unstable_shouldLoadAsEsm() {
    return false;
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}
};
