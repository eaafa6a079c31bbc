/** Parses `[dog,cat]` or `["dog","cat"]`; undefined for other texts. */
export function parseLabels(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']') || trimmed.length < 2) return undefined;
  const list = jsonList(trimmed);
  if (!list.some(isText)) return unique(splitAtCommas(trimmed.slice(1, -1)));
  return list.every(isText) ? unique(list) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const unique = (labels: readonly string[]): string[] => [...new Set(labels)];

/** Empty if the text is not JSON. */
function jsonList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
