import { z } from 'zod';
import { modelFile } from '../model-manifest';

const url = z.url({ protocol: /^https?$/ }).refine(
  (text) => {
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === '';
  },
  { message: 'must have no user, password, query or fragment' },
);

/** The address of a model server, and the limits of requests to it. */
export const serverFields = {
  url,
  /** The name of the model at the server. */
  model: z.string().min(1).max(300),
  /** A file with the API key, absolute or in the model's folder, so that the manifest has no secrets. */
  keyFile: z.union([modelFile, z.string().startsWith('/').max(4096)]).optional(),
  /** For one answer as a whole. */
  timeoutMs: z.int().min(10).max(300_000).default(120_000),
  /** Requests at the same time. */
  atOnce: z.int().min(1).max(256).default(4),
  /** Pictures are scaled down to this before they are sent. */
  longestSide: z.int().min(32).max(4096).default(1024),
  /** After the first attempt, while the server is overloaded or away. */
  retries: z.int().min(0).max(10).default(3),
  /** Before the first retry; doubled for each further one. */
  retryMs: z.int().min(1).max(60_000).default(500),
};

export type ServerSettings = z.infer<z.ZodObject<typeof serverFields>>;
