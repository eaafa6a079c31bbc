/** `[dog,cat]` or `["dog","cat"]`; undefined when it is neither. */
export function parseLabels(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']') || trimmed.length < 2) return undefined;
  const labels = jsonTexts(trimmed) ?? splitAtCommas(trimmed.slice(1, -1));
  return [...new Set(labels)];
}

function jsonTexts(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
