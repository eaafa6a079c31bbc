import { z } from 'zod';
import { HashedWords } from './hashed-words';
import { textManifestFields } from './model-manifest';
import { defineRuntime } from './model-runtime';

export const hashedWordsRuntime = defineRuntime({
  type: 'TEXT_ENCODING',
  name: 'hashed-words',
  runsIn: 'service',
  manifest: z.strictObject(textManifestFields),
  open: ({ manifest }) => Promise.resolve(new HashedWords(manifest)),
});
