import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import { formatPercent } from '../../texts/format';

export type ListedMedia = components['schemas']['ListedMedia'];

const { findings: words } = texts.enrich;

/** Something that is known of a medium. */
export interface Entry {
  /** The same in both states if it is the same thing. */
  readonly key: string;
  readonly text: string;
  /** The origin of the value, or the confidence of a model. */
  readonly note: string | null;
  /** The object that it is. */
  readonly mediaId?: string;
  /** Whether the other state does not have it. */
  readonly differs: boolean;
}

export interface ComparedField {
  readonly name: keyof typeof words.fields;
  readonly before: readonly Entry[];
  readonly now: readonly Entry[];
}

type Known = Omit<Entry, 'differs'>;

const writer = (source: string | null): string | null =>
  source === null ? null : source === 'User' ? words.people : words.by(source);
const certainty = (confidence: number | null | undefined): string | null =>
  typeof confidence === 'number' ? formatPercent(confidence) : null;

function captionsOf({ caption, caption_source: source, generated_caption: generated }: ListedMedia): readonly Known[] {
  const entry = (text: string, note: string | null): Known => ({ key: text, text, note });
  if (caption === null) return [];
  if (generated === null || source !== 'User') return [entry(caption, writer(source))];
  if (generated === caption) return [entry(caption, words.peopleAndModel)];
  return [entry(caption, words.people), entry(generated, words.model)];
}

function objectsOf({ objects = [] }: ListedMedia): readonly Known[] {
  return objects.map(({ media_id: id, caption, label_sources: [label] }) => {
    const text = [label?.label, caption].filter((part) => part !== undefined && part !== null).join(': ');
    return {
      key: `${id} ${caption ?? ''}`,
      mediaId: id,
      text: text === '' ? words.object : text,
      note: certainty(label?.confidence),
    };
  });
}

/** The same line may be in a picture several times. */
function linesOf({ text: read }: ListedMedia): readonly Known[] {
  const times = new Map<string, number>();
  return (read?.text_lines ?? []).map(({ text, confidence }) => {
    const nth = (times.get(text) ?? 0) + 1;
    times.set(text, nth);
    return { key: `${nth} ${text}`, text, note: certainty(confidence) };
  });
}

const ENTRIES: Readonly<Record<ComparedField['name'], (media: ListedMedia) => readonly Known[]>> = {
  captions: captionsOf,
  labels: ({ label_sources: labels }) => {
    const byLabel = new Map<string, Known>();
    for (const { label, confidence } of labels)
      byLabel.set(label, { key: label, text: label, note: certainty(confidence) ?? byLabel.get(label)?.note ?? null });
    return [...byLabel.values()];
  },
  objects: objectsOf,
  text: linesOf,
  tags: ({ user_tags: tags }) => Object.values(tags ?? {}).map(({ name }) => ({ key: name, text: name, note: null })),
};

const marked = (entries: readonly Known[], others: readonly Known[] | undefined): readonly Entry[] => {
  const known = new Set(others?.map(({ key }) => key));
  return entries.map((entry) => ({ ...entry, differs: others !== undefined && !known.has(entry.key) }));
};

/** The fields of a medium in two states, without those that both lack; nothing differs from an unknown state. */
export function comparedFields(before: ListedMedia | undefined, now: ListedMedia): readonly ComparedField[] {
  return (Object.keys(ENTRIES) as ComparedField['name'][]).flatMap((name) => {
    const earlier = before === undefined ? undefined : ENTRIES[name](before);
    const later = ENTRIES[name](now);
    if (later.length === 0 && (earlier ?? []).length === 0) return [];
    return [{ name, before: earlier === undefined ? [] : marked(earlier, later), now: marked(later, earlier) }];
  });
}
