import { createConfig, lint } from '@redocly/openapi-core';
import { fileURLToPath } from 'node:url';

// All recommended rules as errors. One is replaced, because a redirect counts as success too.
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'parameter-description': 'error',
    'operation-2xx-response': 'off',
    'rule/operation-success-response': {
      subject: { type: 'Responses' },
      message: 'An operation must have a 2xx or 3xx response.',
      assertions: { requireAny: ['200', '201', '202', '204', '206', '302', '303'] },
    },
  },
});

const own = fileURLToPath(new URL('../openapi.json', import.meta.url));
const files = process.argv.length > 2 ? process.argv.slice(2) : [own];
for (const file of files) {
  for (const { ruleId, message, location } of await lint({ ref: file, config })) {
    console.error(`${file}: ${ruleId} ${location[0]?.pointer}: ${message}`);
    process.exitCode = 1;
  }
}
