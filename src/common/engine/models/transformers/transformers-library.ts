type Library = typeof import('@huggingface/transformers');

/** Loaded on demand, and only by models that need its tokenizers or its generation of text: it takes 35 MB and a quarter of a second. */
export async function transformersLibrary(): Promise<Library> {
  const library = await import('@huggingface/transformers');
  const { env, LogLevel } = library;
  // Nothing leaves the site (ADR 7).
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.logLevel = LogLevel.NONE;
  return library;
}
