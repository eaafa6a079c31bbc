import sharp from 'sharp';

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif'];

/** For a process that decodes files of strangers: only the loaders of our formats, one thread, no cache. */
export function confineSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}Buffer`) });
  sharp.concurrency(1);
  sharp.cache(false);
}
