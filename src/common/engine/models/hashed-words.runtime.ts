import { z } from 'zod';
import { HashedWords } from './hashed-words';
import { textManifestFields } from './model-manifest';
import { defineRuntime } from './model-runtime';

export const hashedWordsRuntime = defineRuntime({
  kind: 'text-embedding',
  name: 'hashed-words',
  manifest: z.strictObject(textManifestFields),
  open: ({ manifest }) => Promise.resolve(new HashedWords(manifest)),
});
