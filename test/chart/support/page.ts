export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a Markdown page. */
export const blocksOf = (page: string): Block[] =>
  Array.from(page.matchAll(/^( *)```(\w+)\n([^]*?)\n\1```$/gm), ([, indent = '', language = '', text = '']) => ({
    language,
    text: text
      .split('\n')
      .map((line) => line.slice(indent.length))
      .join('\n'),
  }));
