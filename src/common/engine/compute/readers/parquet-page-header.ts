/** What a page of a column declares; a number that is absent or not one of 32 bits is NaN. */
export interface PageHeader {
  /** 0 has values, 2 the dictionary, and 3 values of the second version. */
  readonly type: number;
  readonly unpackedBytes: number;
  readonly packedBytes: number;
  readonly values: number;
  readonly encoding: number;
  /** Of the second version. */
  readonly nulls: number;
  readonly rows: number;
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  readonly isPacked: boolean;
  /** Where the page follows. */
  readonly end: number;
}

type Struct = ReadonlyMap<number, number | boolean | Struct>;

const [TRUE, FALSE, BYTE, INT16, INT32, INT64, DOUBLE, BINARY, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 12];
/** The field with what a type of pages declares. */
const FIELDS: ReadonlyMap<number, number> = new Map([
  [0, 5],
  [2, 7],
  [3, 8],
]);
const INT_BYTES = 5;

/** The compact protocol of Thrift, without lists, of which page headers have none. */
class ThriftBytes {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}

  struct(): Struct {
    const fields = new Map<number, number | boolean | Struct>();
    for (let id = 0; ;) {
      const head = this.byte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? this.integer() : id + (head >> 4);
      const value = this.value(head & 0xf);
      if (value !== undefined) fields.set(id, value);
    }
  }

  private value(type: number): number | boolean | Struct | undefined {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === INT16 || type === INT32) return this.integer();
    if (type === STRUCT) return this.struct();
    if (type === INT64) this.varint(2 * INT_BYTES);
    else if (type === BINARY) this.skip(this.varint(INT_BYTES));
    else if (type === BYTE || type === DOUBLE) this.skip(type === BYTE ? 1 : 8);
    else throw new Error('a page has no header: the file is damaged');
    return undefined;
  }

  private skip(bytes: number): void {
    this.at += bytes;
  }

  private integer(): number {
    const value = this.varint(INT_BYTES);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  private varint(most: number): number {
    let value = 0;
    for (let place = 0; place < most; place++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte < 0x80) return value;
    }
    throw new Error('a number of a page header is too long: the file is damaged');
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error('a page header ends too early: the file is damaged');
    return byte;
  }
}

export function pageHeaderAt(bytes: Uint8Array, start: number): PageHeader {
  const reader = new ThriftBytes(bytes, start);
  const fields = reader.struct();
  const type = numberIn(fields, 1);
  const own = fields.get(FIELDS.get(type) ?? NaN);
  const page: Struct = own instanceof Map ? own : new Map();
  return {
    type,
    unpackedBytes: numberIn(fields, 2),
    packedBytes: numberIn(fields, 3),
    values: numberIn(page, 1),
    encoding: numberIn(page, type === 3 ? 4 : 2),
    nulls: numberIn(page, 2),
    rows: numberIn(page, 3),
    definitionBytes: numberIn(page, 5),
    repetitionBytes: numberIn(page, 6),
    isPacked: page.get(7) !== false,
    end: reader.at,
  };
}

function numberIn(fields: Struct, id: number): number {
  const value = fields.get(id);
  return typeof value === 'number' ? value : NaN;
}
