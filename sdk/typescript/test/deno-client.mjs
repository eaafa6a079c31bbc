// Run by Deno in deno.test.mjs, with permission to reach the service only: what the SDK can do without files.
import { MediaService, NotFoundError, signToken, take } from 'dataset-media-service-sdk';

const [url, pictures] = globalThis.Deno.args;
const dms = new MediaService({ url });

const dataset = await dms.createDataset('from Deno', pictures);
const { n_images: images } = await dataset.waitUntilReady({ timeoutSeconds: 120 });
const clusters = await take(dataset.search({ threshold: 0 }));
const file = await (await fetch(clusters[0].previews[0].media_thumb_uri)).blob();
const { anchor_media_id, anchor_type } = await dataset.uploadQueryImage(file);
const nearest = await take(dataset.search({ entity_type: 'IMAGES', anchor_media_id, anchor_type }), 1);
const error = await dms
  .dataset('00000000-0000-4000-8000-000000000000')
  .get()
  .catch((reason) => reason);
const token = await signToken({ apiKey: 'key', apiSecret: 'secret' }, 60);
const leaving = new AbortController();
const stream = dms.stream({ signal: leaving.signal });
const first = stream.next();
leaving.abort();
const hasEnded = await first.then(
  ({ done }) => done === true,
  () => true,
);

console.log(
  JSON.stringify({
    images,
    clusters: clusters.length,
    nearest: nearest.length,
    isTyped: error instanceof NotFoundError,
    tokenParts: token.split('.').length,
    hasEnded,
  }),
);
