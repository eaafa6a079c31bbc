import { XMLParser, XMLValidator } from 'fast-xml-parser';
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

/** A document or an element of one, which begins in this line. */
export function parsedXml(text: string, line = 1): JsonObject {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new MalformedFileError('it has a document type, which is not read');
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    const { line: own, msg } = valid.err;
    throw new MalformedFileError(`it is not XML in line ${line + own - 1}: ${msg.slice(0, 200)}`);
  }
  try {
    return objectOf(parser.parse(text));
  } catch (error) {
    throw new MalformedFileError(`it is not XML: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Children of one name: a parser returns a list only of several. */
export const childrenOf = (element: JsonObject, name: string): readonly JsonObject[] =>
  (Array.isArray(element[name]) ? listOf(element[name]) : element[name] === undefined ? [] : [element[name]]).map(
    (child) => (typeof child === 'object' ? objectOf(child) : { '#text': child }),
  );

/** An element of a document, or why it cannot be read, and the line in which it begins. */
export type FoundElement = { readonly name: string; readonly line: number } & (
  { readonly element: JsonObject } | { readonly fault: string }
);

/** Each outermost element of these names in a large document, one at a time. */
export async function* elementsIn(
  { name: file, bytes }: Member,
  names: readonly string[],
): AsyncGenerator<FoundElement> {
  const opening = new RegExp(`<(${names.join('|')})(?=[\\s/>])`, 'g');
  const lines = new Lines();
  let text = '';
  let searched = 0;
  const dropTo = (at: number): void => {
    lines.pass(text, at);
    text = text.slice(at);
    searched = 0;
  };
  for await (const piece of piecesOf(bytes, () => text.length)) {
    text += piece;
    for (;;) {
      opening.lastIndex = searched;
      const begin = opening.exec(text);
      if (begin === null) {
        // A name may be divided between two chunks.
        dropTo(Math.max(searched, text.length - 100));
        break;
      }
      const [{ index }, name] = [begin, begin[1]!];
      const end = endOf(text, index, name);
      if (end === undefined) {
        dropTo(index);
        if (text.length > MAX_ELEMENT)
          throw new MalformedFileError(`the element ${name} in line ${lines.at(text, 0)} of ${file} is too large`);
        break;
      }
      yield found(name, text.slice(index, end), lines.at(text, index));
      searched = end;
    }
  }
  if (/^<\w/.test(text))
    throw new MalformedFileError(`${file} ends in the middle of line ${lines.at(text, text.length)}`);
}

/** Each is at least half as long as the text that is kept of those before, so that this is searched again in linear time. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>, kept: () => number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let [parts, length]: [string[], number] = [[], 0];
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    parts.push(text);
    length += text.length;
    if (length < kept() / 2) continue;
    yield parts.join('');
    [parts, length] = [[], 0];
  }
  if (length > 0) yield parts.join('');
}

/** Counts the lines of a text that is read and dropped in parts. */
class Lines {
  private before = 1;
  private counted = 0;

  /** Places are asked for in their order. */
  at(text: string, place: number): number {
    for (let end = text.indexOf('\n', this.counted); end >= 0 && end < place; end = text.indexOf('\n', end + 1))
      this.before += 1;
    this.counted = place;
    return this.before;
  }

  /** What is before the place is dropped. */
  pass(text: string, place: number): void {
    this.at(text, place);
    this.counted = 0;
  }
}

function found(name: string, text: string, line: number): FoundElement {
  try {
    return { name, line, element: childrenOf(parsedXml(text, line), name)[0] ?? {} };
  } catch (error) {
    if (error instanceof MalformedFileError) return { name, line, fault: error.message };
    throw error;
  }
}

/** Undefined if the text does not reach to it. */
function endOf(text: string, start: number, name: string): number | undefined {
  const close = text.indexOf('>', start);
  if (close < 0) return undefined;
  if (text[close - 1] === '/') return close + 1;
  const end = text.indexOf(`</${name}>`, close);
  return end < 0 ? undefined : end + name.length + 3;
}
