import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of squares whose colours and places depend on the seed. */
export function picture(seed, size = 96) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(size * (size * 3 + 1));
  const side = 4 + ((seed * 7) % 13);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const at = y * (size * 3 + 1) + 1 + x * 3;
      const place = Math.floor(x / side) * 31 + Math.floor(y / side) * 17 + seed * 101;
      rows.set([(place * 37) % 256, (place * 91) % 256, (place * 53) % 256], at);
    }
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Writes `count` pictures in folders of ten; returns their paths. */
export async function writePictures(folder, count, first = 0, size = 96) {
  const paths = [];
  for (let at = first; at < first + count; at += 1) {
    const path = `part-${Math.floor(at / 10)}/${String(at).padStart(4, '0')}.png`;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), picture(at, size));
    paths.push(path);
  }
  return paths;
}

const BOX = [8, 8, 40, 40];

/** Writes a COCO file with a cat in each picture, and results that find all of them, as `resultOf` changes them. */
export async function writeCoco(folder, paths, resultOf = () => ({})) {
  const images = paths.map((path, at) => ({ id: at + 1, file_name: path, width: 96, height: 96 }));
  const annotations = images.map(({ id }) => ({ id, image_id: id, category_id: 1, bbox: BOX, area: 1600, iscrowd: 0 }));
  const categories = [
    { id: 1, name: 'cat' },
    { id: 2, name: 'dog' },
  ];
  const found = images.map(({ id }) => ({
    ...{ image_id: id, category_id: 1, bbox: BOX, score: 0.9 - id / 100 },
    ...resultOf(id),
  }));
  const files = { instances: join(folder, 'instances.json'), results: join(folder, 'results.json') };
  await writeFile(files.instances, JSON.stringify({ images, annotations, categories }));
  await writeFile(files.results, JSON.stringify(found));
  return files;
}

/** In the NumPy file format; each row has a different direction. */
export function vectorsFile(rows, numbers) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${numbers}), }`.padEnd(117) + '\n';
  const start = Buffer.concat([
    Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]),
    Buffer.from(header),
  ]);
  const values = Float32Array.from({ length: rows * numbers }, (_, at) => Math.sin(at + 1));
  return Buffer.concat([start, Buffer.from(values.buffer)]);
}
