// Loaded into the service while the SDK tests run: appends the calls of each test to DMS_CALLS/calls.jsonl. The tests write their name to
// DMS_CALLS/test.
const { subscribe } = require('node:diagnostics_channel');
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.DMS_CALLS;

function runningTest() {
  try {
    return readFileSync(join(folder, 'test'), 'utf8');
  } catch {
    return '';
  }
}

subscribe('http.server.response.created', ({ request, response }) => {
  // A request that outlives its test, such as a stream, belongs to the test that sent it.
  const test = runningTest();
  if (test === '') return;
  const { method, url } = request;
  response.once('close', () => {
    const call = { test, method, path: url.split('?')[0], status: response.statusCode };
    appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify(call)}\n`);
  });
});
