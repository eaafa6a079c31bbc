/** The rows of a CSV file (RFC 4180), with the line number of each; empty lines are skipped. */
export function* csvRows(text: string): Generator<{ readonly line: number; readonly cells: readonly string[] }> {
  let [line, start] = [1, 1];
  let cells: string[] = [];
  // A quoted cell with doubled quotation marks, or an unquoted cell, followed by its delimiter.
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const content = text.replace(/^\uFEFF/, '');
  while (cell.lastIndex < content.length || cells.length > 0) {
    const at = cell.lastIndex;
    const match = cell.exec(content);
    if (match === null) throw new Error(`line ${line} has a quotation mark inside a cell, or one that is not closed`);
    const [all, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += all.split('\n').length - 1;
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') yield { line: start, cells };
    [cells, start] = [[], line];
    if (end === '' || at === content.length) return;
  }
}
