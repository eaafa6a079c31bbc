import { XMLParser } from 'fast-xml-parser';
import type { Member } from './given-files';
import { listOf, objectOf, type JsonObject } from './json-values';
import { MalformedFileError } from './malformed-file';

const MAX_ELEMENT = 64 * 2 ** 20;

/** Attributes are beside the children. Texts stay texts. With entities of HTML, because characters by number are read with those only. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  htmlEntities: true,
});

/** A document or an element of one. */
export function parsedXml(text: string): JsonObject {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new MalformedFileError('it has a document type, which is not read');
  try {
    return objectOf(parser.parse(text, true));
  } catch (error) {
    throw new MalformedFileError(`it is not XML: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Children of one name: a parser returns a list only of several. */
export const childrenOf = (element: JsonObject, name: string): readonly JsonObject[] =>
  (Array.isArray(element[name]) ? listOf(element[name]) : element[name] === undefined ? [] : [element[name]]).map(
    (child) => (typeof child === 'object' ? objectOf(child) : { '#text': child }),
  );

/** Each outermost element of these names in a large document, one at a time. */
export async function* elementsIn(
  { name: file, bytes }: Member,
  names: readonly string[],
): AsyncGenerator<{ readonly name: string; readonly element: JsonObject }> {
  const decoder = new TextDecoder();
  const opening = new RegExp(`<(${names.join('|')})(?=[\\s/>])`, 'g');
  let text = '';
  let searched = 0;
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
    for (;;) {
      opening.lastIndex = searched;
      const begin = opening.exec(text);
      if (begin === null) {
        // A name may be divided between two chunks.
        text = text.slice(Math.max(searched, text.length - 100));
        searched = 0;
        break;
      }
      const end = endOf(text, begin.index, begin[1]!);
      if (end === undefined) {
        text = text.slice(begin.index);
        searched = 0;
        if (text.length > MAX_ELEMENT) throw new MalformedFileError(`an element of ${file} is too large`);
        break;
      }
      yield { name: begin[1]!, element: childrenOf(parsedXml(text.slice(begin.index, end)), begin[1]!)[0] ?? {} };
      searched = end;
    }
  }
  if (/^<\w/.test(text)) throw new MalformedFileError(`${file} ends in the middle`);
}

/** Undefined if the text does not reach to it. */
function endOf(text: string, start: number, name: string): number | undefined {
  const close = text.indexOf('>', start);
  if (close < 0) return undefined;
  if (text[close - 1] === '/') return close + 1;
  const end = text.indexOf(`</${name}>`, close);
  return end < 0 ? undefined : end + name.length + 3;
}
