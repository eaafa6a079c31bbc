import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { CARD_FIELDS, writeCard, type CardTexts } from '../../../common/engine/media-table/row-card';
import type { OpenedVersion, PreviewCards, PreviewPlace, SaidLabels } from '../../versions';
import type { MatchedPlaces } from '../query/matched-places';
import type { CardPreview, Preview, PreviewRow } from '../explore/found-clusters';

interface PreviewOptions {
  readonly matched?: MatchedPlaces | undefined;
  /** Whether previews tell what each source says. */
  readonly withSources?: boolean | undefined;
}

type Lists = readonly (readonly PreviewPlace[])[];

/** Previews of several lists of rows, read together. */
export async function readPreviews(
  version: OpenedVersion,
  lists: Lists,
  options: PreviewOptions = {},
): Promise<Preview[][]> {
  const placed = await PlacedCards.over(version, lists, options);
  const [rows, tags] = await Promise.all([
    readPreviewRows(version.table, version.cards(), placed.of(lists)),
    version.tags(),
  ]);
  const rowOf = (card: number): PreviewRow => rows[card]!;
  return lists.map((list) => list.map((place) => withRows(placed.preview(place, tags.of(place.ordinal)), rowOf)));
}

/** The same, with the cards as they are stored. */
export async function readCardPreviews(
  version: OpenedVersion,
  lists: Lists,
  options: PreviewOptions = {},
): Promise<{ readonly previews: CardPreview[][]; readonly cards: CardTexts }> {
  const placed = await PlacedCards.over(version, lists, options);
  const [cards, tags] = await Promise.all([
    readCardTexts(version.table, version.cards(), placed.of(lists)),
    version.tags(),
  ]);
  return { cards, previews: lists.map((list) => list.map((place) => placed.preview(place, tags.of(place.ordinal)))) };
}

/** Lists all fields by name, because a spread is several times as slow. */
export const withRows = (
  { kind, score, labels, tags, matched, sources, card, video }: CardPreview,
  rowOf: (card: number) => PreviewRow,
): Preview => ({
  kind,
  score,
  labels,
  tags,
  matched,
  sources,
  row: rowOf(card),
  video: video === undefined ? undefined : rowOf(video),
});

/** The rows of the previews, each once, in the order in which they are read. */
class PlacedCards {
  private readonly cards = new Map<number, number>();

  private constructor(
    private readonly version: OpenedVersion,
    private readonly matched: MatchedPlaces | undefined,
    private readonly said: ReadonlyMap<number, SaidLabels> | undefined,
  ) {}

  static async over(
    version: OpenedVersion,
    lists: Lists,
    { matched, withSources = false }: PreviewOptions,
  ): Promise<PlacedCards> {
    const rows = lists.flatMap((list) => list.map(({ ordinal }) => ordinal));
    return new PlacedCards(version, matched, withSources ? await version.saidAbout(rows) : undefined);
  }

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
      matched: this.matched?.get(ordinal),
      sources: this.said?.get(ordinal),
      card: this.cards.get(ordinal)!,
      video: video === undefined ? undefined : this.cards.get(video),
    };
  }
}

/** The fields of rows that previews show, in the order requested. */
async function readPreviewRows(
  table: MediaTable,
  cards: PreviewCards | undefined,
  ordinals: number[],
): Promise<readonly PreviewRow[]> {
  return cards === undefined ? table.takeRows(ordinals, CARD_FIELDS) : ordinals.map((row) => cards.of(row));
}

/** The same as encoded texts. */
async function readCardTexts(
  table: MediaTable,
  cards: PreviewCards | undefined,
  ordinals: number[],
): Promise<CardTexts> {
  if (cards !== undefined) return cards.texts(ordinals);
  const texts = (await table.takeRows(ordinals, CARD_FIELDS)).map((row) => Buffer.from(writeCard(row)));
  const bounds = new Int32Array(texts.length + 1);
  for (const [at, { length }] of texts.entries()) bounds[at + 1] = bounds[at]! + length;
  return { bytes: Buffer.concat(texts), bounds };
}
