import type { Annotation, AttributeValue } from './annotation';

/** About as much memory as the columns of an annotation. */
const TEXT_BYTES = 64;

/** The attributes of annotations: each name with a value has a code, the place of its text. */
export interface AttributeColumns {
  /** By annotation, one more than annotations: where its codes begin. Empty, as the others, if none has attributes. */
  readonly attributeFirsts: Int32Array;
  readonly attributeCodes: Int32Array;
  /** By code, one more than codes: where its text begins. */
  readonly attributeBounds: Int32Array;
  readonly attributeTexts: Uint8Array;
}

export const NO_ATTRIBUTES: AttributeColumns = {
  attributeFirsts: new Int32Array(),
  attributeCodes: new Int32Array(),
  attributeBounds: new Int32Array(),
  attributeTexts: new Uint8Array(),
};

/** Texts count as so many annotations, so that a file has a bounded number of bytes. */
export const sizeOfTexts = (bytes: number): number => Math.floor(bytes / TEXT_BYTES);

/** The same for the same name and value only. */
export const textOf = (name: string, value: AttributeValue): string => JSON.stringify([name, value]);

/** Reads the text of a code. */
export function textsOf({
  attributeBounds: bounds,
  attributeTexts: { buffer, byteOffset, byteLength },
}: AttributeColumns): (code: number) => string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return (code) => bytes.toString('utf8', bounds[code], bounds[code + 1]);
}

interface Copied {
  readonly from: AttributeColumns;
  /** By code there: the code here and 1, or 0 if it has none yet. */
  readonly codes: Int32Array;
  readonly textAt: (code: number) => string;
}

/** Collects the attributes of annotations, one annotation after the other. */
export class AttributesBuilder {
  private readonly firsts = [0];
  private readonly codes: number[] = [];
  private readonly codeOf = new Map<string, number>();
  private readonly bounds = [0];
  private copied: Copied | undefined;

  get textBytes(): number {
    return this.bounds.at(-1)!;
  }

  add({ attributes }: Pick<Annotation, 'attributes'>): void {
    if (attributes !== undefined)
      for (const [name, value] of Object.entries(attributes)) this.codes.push(this.numberOf(textOf(name, value)));
    this.firsts.push(this.codes.length);
  }

  /** What another file has of an annotation. */
  copy(from: AttributeColumns, annotation: number): void {
    const { attributeFirsts: firsts, attributeCodes } = from;
    if (firsts.length > 0)
      for (let at = firsts[annotation]!; at < firsts[annotation + 1]!; at++)
        this.codes.push(this.numberOfCopied(from, attributeCodes[at]!));
    this.firsts.push(this.codes.length);
  }

  build(): AttributeColumns {
    if (this.codes.length === 0) return NO_ATTRIBUTES;
    return {
      attributeFirsts: Int32Array.from(this.firsts),
      attributeCodes: Int32Array.from(this.codes),
      attributeBounds: Int32Array.from(this.bounds),
      attributeTexts: Buffer.from([...this.codeOf.keys()].join('')),
    };
  }

  private numberOf(text: string): number {
    let code = this.codeOf.get(text);
    if (code === undefined) {
      this.codeOf.set(text, (code = this.codeOf.size));
      this.bounds.push(this.textBytes + Buffer.byteLength(text));
    }
    return code;
  }

  private numberOfCopied(from: AttributeColumns, code: number): number {
    if (this.copied?.from !== from)
      this.copied = { from, codes: new Int32Array(from.attributeBounds.length), textAt: textsOf(from) };
    const { codes, textAt } = this.copied;
    codes[code] ||= this.numberOf(textAt(code)) + 1;
    return codes[code] - 1;
  }
}
