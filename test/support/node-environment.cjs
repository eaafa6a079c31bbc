const { ModuleMocker } = require('jest-mock');

/** Runs tests with the global object of Node itself, which is restored after each test file. */
module.exports = class NodeEnvironment {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.before = { console: globalThis.console, exit: process.exit, env: { ...process.env } };
  }

  async setup() {}

  async teardown() {
    const { console, exit, env } = this.before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
};
