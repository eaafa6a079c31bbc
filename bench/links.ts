import { connectPublicS3, type S3Connection } from '../src/common/platform/storage/s3/s3-connection';
import type { SignedUrl } from '../src/common/platform/storage/object-store';
import { S3Links } from '../src/common/platform/storage/s3/s3-links';
import type { Bench, Report } from './bench';
import { quantile } from './support/quantile';

/** The links of a page of Explore: the original and the thumbnail of nine hundred media. */
const LINKS = 1_800;
const RUNS = 20;
const LIFETIME = { expiresInSeconds: 24 * 3600, contentType: 'image/jpeg' };
const CONNECTION: S3Connection = {
  endpoint: 'http://127.0.0.1:9000',
  region: 'us-east-1',
  accessKey: 'access',
  secretKey: 'secret',
};

const keyOf = (run: number, link: number): string => `train/folder_${link % 1000}/image_${run * LINKS + link}.jpg`;

async function timed(sign: (key: string) => SignedUrl): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    for (let link = 0; link < LINKS; link++) await sign(keyOf(run, link));
    times.push(performance.now() - started);
  }
  return quantile(times, 0.5);
}

async function run(report: Report): Promise<void> {
  const links = new S3Links(CONNECTION);
  const client = connectPublicS3(CONNECTION);
  const headers = { 'response-content-type': 'image/jpeg', 'response-content-disposition': 'inline; filename="a.jpg"' };
  const ours = await timed((key) => links.sign('bucket', key, key, LIFETIME));
  const clients = await timed((key) =>
    client.presignedGetObject('bucket', key, LIFETIME.expiresInSeconds, headers, new Date()),
  );
  report.note(`by the client of the store: ${clients.toFixed(1)} ms`);
  report.figure(`${LINKS} links to an S3 store, p50`, ours, 'ms', '<15', ours < 15);
  report.figure('ratio to the client of the store', ours / clients, '', '<=0.2', ours / clients <= 0.2);
}

export const bench: Bench = {
  name: 'links',
  summary: 'the links of a page of Explore to an S3 store, beside those that its client signs',
  run,
};
