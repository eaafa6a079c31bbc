const ITEM = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?))\s*(,|$)/suy;

/** The labels of a cell: a text, a list, or a list written as `["a","b"]` or `['a','b']`. */
export function parseLabels(value: unknown): string[] {
  if (Array.isArray(value)) return distinct(value.filter((item) => item !== null && item !== undefined).map(asText));
  const text = asText(value).trim();
  const items = text.startsWith('[') && text.endsWith(']') ? listItems(text.slice(1, -1)) : undefined;
  return distinct(items ?? [text]);
}

/** Undefined if the text in brackets is not a list of quoted texts or numbers. */
function listItems(inner: string): string[] | undefined {
  const json = jsonList(inner);
  if (json !== undefined) return json;
  const items: string[] = [];
  const matcher = new RegExp(ITEM);
  // After a trailing comma only blanks may follow.
  const end = inner.trimEnd().length;
  if (end === 0) return [];
  while (matcher.lastIndex < end) {
    const match = matcher.exec(inner);
    if (match === null) return undefined;
    items.push(unescaped(match[1] ?? match[2] ?? match[3] ?? ''));
  }
  return items;
}

function jsonList(inner: string): string[] | undefined {
  try {
    const list = JSON.parse(`[${inner}]`) as unknown[];
    return list.every((item) => typeof item === 'string' || typeof item === 'number') ? list.map(asText) : undefined;
  } catch {
    return undefined;
  }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gisu,
    (_, unicode?: string, byte?: string, char?: string) => {
      const code = unicode ?? byte;
      if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
      return char === 'n' ? '\n' : char === 't' ? '\t' : (char ?? '');
    },
  );
}

/** The text of a cell; undefined unless it is a text or a number. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels.map((label) => label.trim()).filter((label) => label !== ''))];
}
