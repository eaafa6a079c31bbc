import type { CardTexts } from '../../../common/engine/media-table/row-card';
import type { OpenedVersion, PreviewPlace } from '../../versions';
import type { CardPreview, Preview } from '../explore/found-clusters';
import { readCardTexts, readPreviewRows, type PreviewRow } from './preview-rows';

type Lists = readonly (readonly PreviewPlace[])[];

/** Previews of several lists of rows, read together. */
export async function readPreviews(version: OpenedVersion, lists: Lists): Promise<Preview[][]> {
  const placed = new PlacedCards(version);
  const [rows, tags] = await Promise.all([
    readPreviewRows(version.table, version.cards(), placed.of(lists)),
    version.tags(),
  ]);
  return lists.map((list) => list.map((place) => withRows(placed.preview(place, tags.of(place.ordinal)), rows)));
}

/** The same, with the cards as they are stored. */
export async function readCardPreviews(
  version: OpenedVersion,
  lists: Lists,
): Promise<{ readonly previews: CardPreview[][]; readonly cards: CardTexts }> {
  const placed = new PlacedCards(version);
  const [cards, tags] = await Promise.all([
    readCardTexts(version.table, version.cards(), placed.of(lists)),
    version.tags(),
  ]);
  return { cards, previews: lists.map((list) => list.map((place) => placed.preview(place, tags.of(place.ordinal)))) };
}

/** All fields by name, since a spread makes objects several times as slow to make. */
export const withRows = (
  { kind, score, labels, tags, card, video }: CardPreview,
  rows: readonly PreviewRow[],
): Preview => ({
  kind,
  score,
  labels,
  tags,
  row: rows[card]!,
  video: video === undefined ? undefined : rows[video],
});

/** Which rows previews show, each once, in the order in which they are read. */
class PlacedCards {
  private readonly cards = new Map<number, number>();

  constructor(private readonly version: OpenedVersion) {}

  of(lists: Lists): number[] {
    for (const list of lists)
      for (const { ordinal } of list)
        for (const row of [ordinal, this.version.index.videoRowOf(ordinal)])
          if (row !== undefined && !this.cards.has(row)) this.cards.set(row, this.cards.size);
    return [...this.cards.keys()];
  }

  preview({ ordinal, score }: PreviewPlace, tags: readonly string[]): CardPreview {
    const { index } = this.version;
    const video = index.videoRowOf(ordinal);
    return {
      kind: index.kindOf(ordinal),
      score,
      labels: index.labelsOf(ordinal),
      tags,
      card: this.cards.get(ordinal)!,
      video: video === undefined ? undefined : this.cards.get(video),
    };
  }
}
