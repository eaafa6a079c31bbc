import { withoutFormulaPrefix } from '../../../platform/text/lines';
import type { FilePlace, FromFile } from '../from-file';
import type { Members } from '../given-files';
import { JsonListScanner } from '../json-list-scanner';
import { objectOf, textOf, type JsonObject } from '../json-values';
import { fileIn, parsedJson } from '../member-texts';
import { fromPresented } from '../read-presented';
import { rowsOfCsv } from './csv-rows';
import { rowsOfParquet } from './parquet-rows';

const SIDES = ['col_x', 'row_y', 'width', 'height'] as const;

/** The files that an export of this service has beside the metadata of media: CSV, Parquet or JSON. */
export async function* readTable(members: Members): AsyncGenerator<FromFile> {
  for await (const member of members()) {
    const { name: file, bytes } = member;
    // Of media, in an archive that was exported.
    if (/^metadata\./i.test(fileIn(file))) continue;
    if (/\.csv$/i.test(file))
      for await (const { line, value } of rowsOfCsv(member)) {
        const cells = Object.entries(value).map(([name, text]) => [name, withoutFormulaPrefix(textOf(text))]);
        yield fromCells(Object.fromEntries(cells) as JsonObject, { file, line });
      }
    if (/\.parquet$/i.test(file))
      for await (const { entry, value } of rowsOfParquet(member)) yield fromCells(value, { file, entry });
    if (!/\.json$/i.test(file)) continue;
    const found: FromFile[] = [];
    let entry = 0;
    const scanner = new JsonListScanner(['annotations'], (_list, value) => {
      const of = objectOf(value);
      found.push({ path: textOf(of['file_path']), annotations: [fromPresented(of)], from: { file, entry: ++entry } });
    });
    for await (const chunk of bytes) {
      scanner.write(chunk);
      yield* found.splice(0);
    }
    scanner.end();
  }
}

const fromCells = (cells: JsonObject, from: FilePlace): FromFile => ({
  path: textOf(cells['filename'] ?? cells['file_name'] ?? cells['file_path']),
  annotations: [fromPresented(ofCells(cells))],
  from,
});

/** Shapes and attributes are JSON. */
function ofCells(row: JsonObject): JsonObject {
  const sides = SIDES.map((side) => row[side]);
  const number = (name: string): unknown => (row[name] === undefined ? undefined : Number(row[name]));
  const json = (name: string): unknown => (row[name] === undefined ? undefined : parsedJson(textOf(row[name]))?.value);
  return {
    ...row,
    bbox: sides.every((side) => side === undefined) ? undefined : sides.map((side) => Number(side ?? NaN)),
    confidence: number('confidence'),
    area: number('area'),
    shape: json('shape'),
    attributes: json('attributes'),
    crowd: row['crowd'] === 'true',
    ignored: row['ignored'] === 'true',
  };
}
