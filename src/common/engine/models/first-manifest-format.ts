const TYPES: Readonly<Record<string, string>> = {
  'image-embedding': 'IMAGE_ENCODING',
  'text-embedding': 'TEXT_ENCODING',
};

const FIRST_FIELDS = new Set(['kind', 'file', 'input', 'output', 'ladder', 'nearDuplicateCosine']);

const isObject = (content: unknown): content is Record<string, unknown> =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

/** The current form of a manifest that was written for an earlier version, with `kind`; others unchanged. */
export function currentManifest(content: unknown): unknown {
  if (!isObject(content) || content['kind'] === undefined || content['type'] !== undefined) return content;
  const { kind, file, input, output, ladder } = content;
  return {
    ...Object.fromEntries(Object.entries(content).filter(([name]) => !FIRST_FIELDS.has(name))),
    type: typeof kind === 'string' ? (TYPES[kind] ?? kind) : kind,
    ...(file === undefined ? {} : { files: { model: file } }),
    ...(isObject(input) ? { preprocessing: renamed(input, 'name', 'input') } : {}),
    ...(isObject(output) ? { outputs: renamed(output, 'name', 'embedding') } : {}),
    ...(ladder === undefined ? {} : { calibration: { ladder } }),
  };
}

function renamed(content: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  const { [from]: value, ...rest } = content;
  return value === undefined ? rest : { ...rest, [to]: value };
}
