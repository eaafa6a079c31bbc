const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Whether an object in the text has a duplicate member, which parsers treat differently. The text must be valid JSON. */
function hasDuplicateMember(text: string): boolean {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1)!;
      const name = JSON.parse(last) as string;
      if (names.has(name)) return true;
      names.add(name);
    } else last = token;
  }
  return false;
}

/** Undefined if the bytes are not UTF-8, not a JSON object, or have a duplicate member. */
export function readJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || hasDuplicateMember(text))
      return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
