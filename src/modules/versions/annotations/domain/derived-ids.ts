import { createHash } from 'node:crypto';

const hexOf = (mediaId: string, text: string): string =>
  createHash('sha256').update(mediaId).update(text).digest('hex').slice(0, 32);

const asId = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

/** The same for the same label of the same picture, in every version. */
export const labelId = (mediaId: string, label: string): string => asId(hexOf(mediaId, label));

/** Of the object that is made of an annotation of a picture: a UUID of version 8, as media have. */
export function objectId(mediaId: string, source: string, annotationId: string): string {
  const hex = hexOf(mediaId, JSON.stringify([source, annotationId]));
  return asId(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17)}`);
}
