import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { listOf, objectOf, textOf } from '../json-values';
import { fileIn, folderIn, parsedJson, textIn } from '../member-texts';
import { fromPresented } from '../read-presented';

/** Samples of WebDataset: `json` with annotations or a label, or a class as text, beside a picture of the same key. */
export async function* readWebdataset(members: Members): AsyncGenerator<FromFile> {
  for await (const member of members()) {
    const { name: file } = member;
    const [key = '', ...field] = fileIn(file).split('.');
    const kind = field.join('.').toLowerCase();
    if (!['json', 'cls', 'txt'].includes(kind)) continue;
    const text = (await textIn(member)).trim();
    const path = `${folderIn(file)}${key}`;
    const from = { file };
    if (kind !== 'json') {
      if (kind === 'cls') yield { path, annotations: [{ label: text }], from };
      continue;
    }
    const read = parsedJson(text);
    if (read === undefined || Array.isArray(read.value))
      yield { fault: { ...from, message: 'it is not a JSON object' } };
    const { file_name: name, annotations, label } = objectOf(read?.value);
    const given = listOf(annotations).map((each) => fromPresented(objectOf(each)));
    const all = label === undefined || label === null ? given : [...given, { label: textOf(label) }];
    for (const annotation of all) yield { path: textOf(name) || path, annotations: [annotation], from };
  }
}
