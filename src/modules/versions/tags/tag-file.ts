import {
  Field,
  Int32,
  List,
  makeData,
  makeVector,
  Table,
  tableFromIPC,
  tableToIPC,
  vectorFromArray,
  Utf8,
} from 'apache-arrow';
import type { TagLists } from './domain/tag-lists';

const TAG = 'tag';
const ORDINALS = 'ordinals';

const LIST = new List(new Field('item', new Int32(), false));

/** All tag assignments of a dataset at one version: an Arrow file with a row for each tag. */
export function encodeTags(lists: TagLists): Uint8Array {
  const valueOffsets = new Int32Array(lists.size + 1);
  [...lists.values()].forEach((list, tag) => (valueOffsets[tag + 1] = valueOffsets[tag]! + list.length));
  const data = new Int32Array(valueOffsets[lists.size]!);
  [...lists.values()].forEach((list, tag) => data.set(list, valueOffsets[tag]));
  const child = makeData({ type: new Int32(), length: data.length, nullCount: 0, data });
  const ordinals = makeVector(makeData({ type: LIST, length: lists.size, nullCount: 0, valueOffsets, child }));
  return tableToIPC(new Table({ [TAG]: vectorFromArray([...lists.keys()], new Utf8()), [ORDINALS]: ordinals }), 'file');
}

export function decodeTags(bytes: Uint8Array): TagLists {
  const table = tableFromIPC<{ [TAG]: Utf8; [ORDINALS]: List<Int32> }>(bytes);
  const tags = table.getChild(TAG);
  const ordinals = table.getChild(ORDINALS)?.data[0];
  if (tags === null || ordinals === undefined) throw new Error('Not a tag file');
  const values = ordinals.children[0]!.values as Int32Array;
  const offsets = ordinals.valueOffsets as Int32Array;
  return new Map(Array.from(tags, (id, tag) => [id!, values.subarray(offsets[tag], offsets[tag + 1])]));
}
