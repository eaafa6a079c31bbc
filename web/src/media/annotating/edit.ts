import type { components } from 'dataset-media-service-sdk';

export type Annotation = components['schemas']['Annotation'];
type GivenAnnotation = components['schemas']['GivenAnnotation'];

/** What a source says in one annotation, without who said it and when. */
export type Said = Pick<
  Annotation,
  'id' | 'label' | 'shape' | 'confidence' | 'area' | 'attributes' | 'crowd' | 'ignored' | 'track_id'
>;

/** One annotation before and after an edit; null where it is not there. */
export interface Change {
  readonly id: string;
  readonly before: Said | null;
  readonly after: Said | null;
  /** The version that was seen; null if the annotation is new, or an edit before this one changes it. */
  readonly seen: number | null;
}

/** What one person did at once to one picture: all its changes add annotations, or all change them, or all remove them. */
export interface Edit {
  readonly datasetId: string;
  readonly mediaId: string;
  readonly source: string;
  readonly changes: readonly Change[];
}

export const saidOf = ({ id, label, shape, confidence, area, attributes, crowd, ignored, track_id }: Said): Said => ({
  ...{ id, label, shape, confidence, area, attributes, crowd, ignored, track_id },
});

export const newSaid = (id: string, label: string, shape: Said['shape']): Said => ({
  ...{ id, label, shape, confidence: null, area: null, attributes: {}, crowd: false, ignored: false, track_id: null },
});

/** Another shape has another area. */
export const withShape = (said: Said, shape: Said['shape']): Said => ({ ...said, shape, area: null });

/** Of version 4, also where browsers offer `randomUUID` no page without TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [entries, others] = [Object.entries(one), other as Readonly<Record<string, unknown>>];
  return entries.length === Object.keys(other).length && entries.every(([key, value]) => isSame(value, others[key]));
}

/** The area follows from the shape unless it was given. */
export function saysTheSame(one: Said | null, other: Said | null): boolean {
  if (one === null || other === null) return one === other;
  const [said, others] = [saidOf(one), saidOf(other)];
  return isSame({ ...said, area: null }, { ...others, area: null });
}

/** The body of the request that makes an edit. Known ids are left alone by `add`, so a repeated request changes nothing. */
export function requestOf({ mediaId, source, changes }: Edit) {
  const [first] = changes;
  const mode =
    first?.after === null ? ('delete' as const) : first?.before === null ? ('add' as const) : ('merge' as const);
  return {
    source,
    kind: 'truth' as const,
    mode,
    annotations: changes.map(({ id, after, seen }): GivenAnnotation => ({
      media_id: mediaId,
      id,
      ...(after !== null && givenBy(after)),
      ...(seen !== null && mode !== 'add' && { version: seen }),
    })),
  };
}

const givenBy = ({ label, shape, confidence, area, attributes, crowd, ignored, track_id: track }: Said) => ({
  ...{ label, shape, attributes, crowd, ignored },
  ...(confidence !== null && { confidence }),
  ...(area !== null && { area }),
  ...(track !== null && { track_id: track }),
});
