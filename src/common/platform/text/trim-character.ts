/** Removes trailing characters in linear time; `/x+$/` would scan to the end from each occurrence. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

export function trimStartOf(text: string, character: string): string {
  let start = 0;
  while (text[start] === character) start += 1;
  return text.slice(start);
}
