import { signedMediaUrl, UrlSigner } from '../../src/common/platform/storage/url-signer';
import { SignedMediaUrls } from '../../src/modules/search/signed-media-urls';

const signer = new UrlSigner(Buffer.alloc(32, 1));

/** As in the service with a folder. */
export const signedUrls = (): SignedMediaUrls =>
  new SignedMediaUrls({
    signedSourceUrl: (source, options) =>
      signedMediaUrl(signer, 'http://127.0.0.1:3000', { kind: 'store', path: source }, options),
  });
