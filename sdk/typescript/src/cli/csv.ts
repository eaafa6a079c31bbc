/** The rows of a CSV as RFC 4180 has it, with the line that each begins at; empty lines are left out. */
export function* csvRows(text: string): Generator<{ readonly line: number; readonly cells: readonly string[] }> {
  let [line, start] = [1, 1];
  let cells: string[] = [];
  // A cell in quotation marks, in which they are doubled, or one without; then what ends it.
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const content = text.replace(/^\uFEFF/, '');
  while (cell.lastIndex < content.length || cells.length > 0) {
    const at = cell.lastIndex;
    const match = cell.exec(content);
    if (match === null)
      throw new Error(`line ${line} has a quotation mark inside of a cell, or one that is not closed`);
    const [all, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += all.split('\n').length - 1;
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') yield { line: start, cells };
    [cells, start] = [[], line];
    if (end === '' || at === content.length) return;
  }
}
