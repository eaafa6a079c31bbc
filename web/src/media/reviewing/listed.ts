/** The lines of a text, or its parts between commas if it is one line. */
export const listed = (text: string): string[] =>
  text
    .split(text.includes('\n') ? '\n' : ',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
