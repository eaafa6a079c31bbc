import type { WholeMember } from '../../../platform/archives/zip-bytes';

/** Characters that some readers treat as line breaks. */
// eslint-disable-next-line no-control-regex
const LINE_BREAKS = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]+/g;

/** Characters that YAML requires to be escaped. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const yamlText = (text: string): string =>
  JSON.stringify(text).replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const asOneLine = (name: string): string => name.replace(LINE_BREAKS, ' ');

/** The classes: one per line, and escaped exactly in the YAML, with its further lines. */
export function* classFiles(classes: readonly string[], further = ''): Generator<WholeMember> {
  yield { name: 'classes.txt', bytes: Buffer.from(classes.map((name) => `${asOneLine(name)}\n`).join('')) };
  const named = classes.map((name, at) => `  ${at}: ${yamlText(name)}\n`).join('');
  yield {
    name: 'data.yaml',
    bytes: Buffer.from(
      `path: .\ntrain: images\nval: images\nnc: ${classes.length}\n${further}names:${named === '' ? ' {}\n' : `\n${named}`}`,
    ),
  };
}

/** Names of the keypoints of classes by their number, in the YAML. */
export const pointNames = (classes: readonly (readonly [number, readonly string[]])[]): string =>
  classes.length === 0
    ? ''
    : `kpt_names:\n${classes.map(([at, names]) => `  ${at}: [${names.map(yamlText).join(', ')}]\n`).join('')}`;
