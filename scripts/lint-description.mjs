import { createConfig, lint } from '@redocly/openapi-core';
import { fileURLToPath } from 'node:url';

// All recommended rules, each as an error. Only one is replaced: a redirect is a success, too.
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'parameter-description': 'error',
    'operation-2xx-response': 'off',
    'rule/operation-success-response': {
      subject: { type: 'Responses' },
      message: 'An operation must have a response of success, or a redirect.',
      assertions: { requireAny: ['200', '201', '202', '204', '206', '302', '303'] },
    },
  },
});

const [file = fileURLToPath(new URL('../openapi.json', import.meta.url))] = process.argv.slice(2);
const problems = await lint({ ref: file, config });
for (const { ruleId, message, location } of problems) console.error(`${ruleId} ${location[0]?.pointer}: ${message}`);
process.exitCode = problems.length === 0 ? 0 : 1;
