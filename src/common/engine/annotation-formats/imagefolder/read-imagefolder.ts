import type { BoxNumbers } from '../../annotations/annotation';
import type { FileAnnotation } from '../file-picture';
import type { FilePlace, FromFile } from '../from-file';
import type { Member, Members } from '../given-files';
import { defined, listOf, numberOf, numbersOf, objectOf, optional, textOf, type JsonObject } from '../json-values';
import { fileIn, folderIn, linesIn, parsedJson } from '../member-texts';
import { fromPresented } from '../read-presented';
import { rowsOfCsv } from '../table/csv-rows';
import { rowsOfParquet } from '../table/parquet-rows';

/** Datasets of Hugging Face in the layout `imagefolder`: labels and boxes beside the names of files, or all of our own in `annotations`. */
export async function* readImagefolder(members: Members): AsyncGenerator<FromFile> {
  for await (const member of members()) {
    const { name: file } = member;
    for await (const { value, ...place } of rowsOf(member)) {
      const from = { file, ...place };
      const name = textOf(value?.['file_name']);
      if (value === undefined || name === '')
        yield { fault: { ...from, field: 'file_name', message: 'there is no name of a file' } };
      else if (Array.isArray(value['objects']))
        yield { fault: { ...from, field: 'objects', message: 'it is a list instead of an object of lists' } };
      else yield* fromRow(`${folderIn(file)}${name}`, value, from);
    }
  }
}

interface Row extends Omit<FilePlace, 'file'> {
  readonly value: JsonObject | undefined;
}

async function* rowsOf(member: Member): AsyncGenerator<Row> {
  const name = fileIn(member.name);
  if (name === 'metadata.csv') yield* rowsOfCsv(member);
  if (name === 'metadata.parquet') yield* rowsOfParquet(member);
  if (name === 'metadata.jsonl')
    for await (const { line, text } of linesIn(member)) yield { line, value: objectOf(parsedJson(text)?.value) };
}

function* fromRow(path: string, row: JsonObject, from: FilePlace): Generator<FromFile> {
  const own = typeof row['annotations'] === 'string' ? parsedJson(row['annotations'])?.value : row['annotations'];
  const annotations = own === undefined ? ofColumns(row) : listOf(own).map((each) => fromPresented(objectOf(each)));
  for (const annotation of annotations) yield { path, annotations: [annotation], from };
}

function ofColumns({ label, labels, objects }: JsonObject): FileAnnotation[] {
  const named = [...(label === undefined || label === null ? [] : [label]), ...listOf(labels)].map(textOf);
  const { bbox, categories, category, label: of, labels: others, score, scores } = objectOf(objects);
  const [names, confidences] = [listOf(categories ?? category ?? of ?? others), listOf(score ?? scores)];
  return [
    ...named.filter((each) => each !== '').map((each) => ({ label: each })),
    ...listOf(bbox).map((box, at) =>
      defined({
        label: textOf(names[at]),
        box: numbersOf(box) as unknown as BoxNumbers,
        confidence: optional(confidences[at], numberOf),
      }),
    ),
  ] as FileAnnotation[];
}
