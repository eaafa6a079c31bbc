import type { components } from 'dataset-media-service-sdk';

type Annotation = components['schemas']['Annotation'];

export const LABEL_ACTIONS = ['add', 'set', 'remove'] as const;
/** `set` leaves no other label of the whole picture. */
export type LabelAction = (typeof LABEL_ACTIONS)[number];

export type ListedLabel = Pick<Annotation, 'media_id' | 'id' | 'label' | 'shape' | 'version'>;

export interface LabelChanges {
  /** The media that get the label. */
  readonly added: readonly string[];
  readonly removed: readonly ListedLabel[];
}

/** What an action changes in the labels of whole pictures. Labels of shapes stay. */
export function changesOf(
  mediaIds: readonly string[],
  annotations: readonly ListedLabel[],
  { label, action }: { readonly label: string; readonly action: LabelAction },
): LabelChanges {
  const ofPictures = annotations.filter(({ shape }) => shape === null);
  const same = ofPictures.filter((each) => each.label === label);
  if (action === 'remove') return { added: [], removed: same };
  const having = new Set(same.map(({ media_id: id }) => id));
  return {
    added: mediaIds.filter((id) => !having.has(id)),
    removed: action === 'set' ? ofPictures.filter((each) => each.label !== label) : [],
  };
}
