import sharp from 'sharp';

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif'];

/** Restricts sharp in processes that decode untrusted files: only the loaders of supported formats, one thread, no cache. */
export function restrictSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}Buffer`) });
  sharp.concurrency(1);
  sharp.cache(false);
}
