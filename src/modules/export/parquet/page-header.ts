import type { ByteWriter } from 'hyparquet-writer';

export interface DataPageHeader {
  readonly rows: number;
  /** Includes nulls and empty lists. */
  readonly values: number;
  readonly nulls: number;
  readonly repetitionBytes: number;
  readonly definitionBytes: number;
  readonly valueBytes: number;
  readonly compressedValueBytes: number;
}

const DATA_PAGE_V2 = 3;
const PLAIN = 0;

// Thrift's compact protocol: the distance to the number of the field before, and the type.
const NEXT_INTEGER = 0x15;
const FIFTH_NEXT_STRUCT = 0x5c;
const END_OF_STRUCT = 0;

/** A `PageHeader` whose eighth field is the `DataPageHeaderV2`. Values are compressed unless it says otherwise. */
export function writePageHeader(bytes: ByteWriter, header: DataPageHeader): void {
  const { rows, values, nulls, repetitionBytes, definitionBytes, valueBytes, compressedValueBytes } = header;
  const levelBytes = repetitionBytes + definitionBytes;
  writeIntegers(bytes, [DATA_PAGE_V2, levelBytes + valueBytes, levelBytes + compressedValueBytes]);
  bytes.appendUint8(FIFTH_NEXT_STRUCT);
  writeIntegers(bytes, [values, nulls, rows, PLAIN, definitionBytes, repetitionBytes]);
  bytes.appendUint8(END_OF_STRUCT);
  bytes.appendUint8(END_OF_STRUCT);
}

function writeIntegers(bytes: ByteWriter, values: readonly number[]): void {
  for (const value of values) {
    bytes.appendUint8(NEXT_INTEGER);
    bytes.appendZigZag(value);
  }
}
