import {
  EVERYTHING,
  FAST,
  type AnnotationFormat,
  type Pictures,
  type WrittenSource,
} from '../../../common/engine/annotation-formats/annotation-format';
import { presentAnnotation } from '../../../common/engine/annotation-formats/present-annotation';
import { csvLine } from '../../../common/platform/text/lines';
import {
  optionalDoubleColumn,
  optionalTextColumn,
  packGroup,
  ParquetFile,
  textColumn,
  type ParquetColumn,
} from '../parquet';

const ALREADY_COMPRESSED = 0;
const ROWS_PER_GROUP = 8_192;

type Row = ReturnType<typeof rowsOf> extends AsyncIterable<readonly (infer R)[]> ? R : never;

/** The sides of a box have the names that annotation files of objects have; shapes and attributes are JSON. */
async function* rowsOf(pictures: Pictures, { name }: WrittenSource) {
  for await (const batch of pictures())
    yield batch.flatMap(({ path, annotations }) =>
      annotations.map((annotation) => {
        const { id, label, shape, bbox, confidence, area, attributes, crowd, ignored, track_id } =
          presentAnnotation(annotation);
        return {
          filename: path,
          source: name,
          id,
          label,
          col_x: bbox?.[0] ?? null,
          row_y: bbox?.[1] ?? null,
          width: bbox?.[2] ?? null,
          height: bbox?.[3] ?? null,
          shape: shape === null ? null : JSON.stringify(shape),
          confidence,
          area,
          attributes: Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes),
          crowd: crowd ? 'true' : null,
          ignored: ignored ? 'true' : null,
          track_id,
        };
      }),
    );
}

const COLUMNS: { readonly [Name in keyof Row]: (name: string) => ParquetColumn<Row[Name]> } = {
  filename: textColumn,
  source: textColumn,
  id: optionalTextColumn,
  label: textColumn,
  col_x: optionalDoubleColumn,
  row_y: optionalDoubleColumn,
  width: optionalDoubleColumn,
  height: optionalDoubleColumn,
  shape: optionalTextColumn,
  confidence: optionalDoubleColumn,
  area: optionalDoubleColumn,
  attributes: optionalTextColumn,
  crowd: optionalTextColumn,
  ignored: optionalTextColumn,
  track_id: optionalTextColumn,
};
const NAMES = Object.keys(COLUMNS) as (keyof Row)[];

async function* csvLines(pictures: Pictures, source: WrittenSource): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(NAMES));
  for await (const rows of rowsOf(pictures, source))
    yield Buffer.from(rows.map((row) => csvLine(NAMES.map((name) => row[name]))).join(''));
}

async function* parquetFile(pictures: Pictures, source: WrittenSource): AsyncGenerator<Buffer> {
  const columns = NAMES.map((name) => COLUMNS[name](name) as ParquetColumn<unknown>);
  const file = new ParquetFile(columns, {});
  for await (const rows of rowsOf(pictures, source))
    for (let start = 0; start < rows.length; start += ROWS_PER_GROUP) {
      const part = rows.slice(start, start + ROWS_PER_GROUP);
      const pages = columns.map((column, at) => column.encode(part.map((row) => row[NAMES[at]!])));
      yield file.add(await packGroup(part.length, pages));
    }
  yield file.end();
}

async function* jsonText(pictures: Pictures, { name }: WrittenSource): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"source":${JSON.stringify(name)},"annotations":`);
  let before = '[';
  for await (const batch of pictures())
    for (const { path, annotations } of batch) {
      if (annotations.length === 0) continue;
      const texts = annotations.map((each) => JSON.stringify({ file_path: path, ...presentAnnotation(each) }));
      yield Buffer.from(before + texts.join(','));
      before = ',';
    }
  yield Buffer.from(before === '[' ? '[]}' : ']}');
}

type Text = (pictures: Pictures, source: WrittenSource) => AsyncGenerator<Buffer>;

const inFile = (name: string, text: Text, level: number): AnnotationFormat => ({
  holds: EVERYTHING,
  walks: 1,
  write: (pictures, source) => [{ name, stream: text(pictures, source), level }],
});

/** A row for each annotation, beside the metadata of media. */
export const ANNOTATION_ROWS = {
  json: inFile('source_annotations.json', jsonText, FAST),
  csv: inFile('source_annotations.csv', csvLines, FAST),
  parquet: inFile('source_annotations.parquet', parquetFile, ALREADY_COMPRESSED),
};
