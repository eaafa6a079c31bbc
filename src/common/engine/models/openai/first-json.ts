/** Texts that a model writes before its JSON may contain brackets too. */
const MAX_STARTS = 20;
const MAX_CHARACTERS = 1_000_000;

const OPENING = '{[';
const CLOSING = '}]';

/** The first JSON object or list in a text; undefined if there is none. */
export function firstJson(text: string): unknown {
  const bounded = text.slice(0, MAX_CHARACTERS);
  let from = 0;
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const start = nextOpening(bounded, from);
    if (start === undefined) return undefined;
    const end = endOf(bounded, start);
    if (end === undefined) return undefined;
    const value = parsed(bounded.slice(start, end));
    if (value !== undefined) return value;
    from = start + 1;
  }
  return undefined;
}

function nextOpening(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) if (OPENING.includes(text[at]!)) return at;
  return undefined;
}

/** After the bracket that closes the one at the start; undefined if the text ends before. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character) && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
