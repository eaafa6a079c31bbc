import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Command } from '../command.js';
import type { ExportOptions } from '../../dataset.js';
import { bytesText, ProgressLine } from '../output.js';

export const exportDataset: Command = {
  name: 'export',
  operands: 'DATASET',
  summary: 'Export a dataset into an archive on this machine',
  options: {
    format: {
      type: 'string',
      value: 'FORMAT',
      help: 'json (the default), parquet, csv, coco, yolo, voc, labelme, cvat, datumaro, label_studio, mot, imagefolder, webdataset or class_folders.',
    },
    source: { type: 'string', value: 'NAME', help: 'The annotations of this source.' },
    images: { type: 'boolean', help: 'Include the images.' },
    output: { type: 'string', value: 'FILE', help: 'Default: the name of the dataset with .zip.' },
  },
  async run(run) {
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const { display_name: name } = await dataset.get();
    const output = run.text('output') ?? `${name.replace(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^\.+/, '')}.zip`;
    const options: ExportOptions = {
      // The service validates the name, and its error lists the formats.
      format: (run.text('format') ?? 'json') as ExportOptions['format'],
      includeImages: run.flag('images'),
      source: run.text('source'),
      fileName: basename(output),
    };
    const line = new ProgressLine();
    const part = `${output}.part`;
    let bytes = 0;
    try {
      const archive = await dataset.export(options, {
        signal: run.signal,
        onProgress: ({ progress, entities_count: count }) =>
          line.show(`Exporting ${count} media: ${Math.round(progress)} %`),
      });
      const body = Readable.fromWeb(archive.body as ReadableStream<Uint8Array>);
      body.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length;
        line.show(`Downloading: ${bytesText(bytes)}`);
      });
      await pipeline(body, createWriteStream(part), { signal: run.signal });
      await rename(part, output);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      line.end();
    }
    run.answer({ file: output, bytes }, () => run.print(`${output} (${bytesText(bytes)})`));
  },
};
