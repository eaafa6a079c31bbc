const { TestEnvironment } = require('jest-environment-node');

/** Native add-ons make arrays of Node's own realm and refuse those of the test's. */
module.exports = class NativeArraysEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { Float32Array, Uint8Array });
  }
};
