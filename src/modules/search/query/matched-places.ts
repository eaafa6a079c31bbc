import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { assertCallerWaits } from '../../../common/platform/concurrency/caller-gone';
import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import type { OpenedVersion } from '../../versions';
import type { Filter } from './domain/filter';
import { keywordsIn, SoughtWords } from './domain/sought-words';

/** Where the words of a search are: in a caption, or in the text in the picture. */
export const MATCHED_PLACES = ['caption', 'text'] as const;
export type MatchedPlace = (typeof MATCHED_PLACES)[number];

/** By row, for those that have words of the search. */
export type MatchedPlaces = ReadonlyMap<number, readonly MatchedPlace[]>;

/** Bounds the texts that are in memory at once. */
const ROWS_A_READ = 100;

/** Undefined for a search without words. */
export async function matchedPlaces(
  version: OpenedVersion,
  filters: readonly Filter[],
  rows: readonly number[],
): Promise<MatchedPlaces | undefined> {
  const queries = keywordsIn(filters);
  if (queries.length === 0) return undefined;
  const asked = await Promise.all(
    queries.map(async (query) => ({
      hits: (await version.keywordHits(query)).rows,
      words: new SoughtWords(query),
    })),
  );
  const hit = rows.filter((row) => asked.some(({ hits }) => hits.has(row)));
  if (!(await version.table.hasTextLines())) return new Map(hit.map((row) => [row, ['caption']]));
  const places = new Map<number, readonly MatchedPlace[]>();
  for (let start = 0; start < hit.length; start += ROWS_A_READ) {
    await yieldTurn();
    assertCallerWaits();
    const some = hit.slice(start, start + ROWS_A_READ);
    const read = await version.table.takeRows(some, ['caption', 'generatedCaption', 'textLines']);
    for (const [at, row] of some.entries())
      places.set(
        row,
        placesOf(
          read[at]!,
          asked.filter(({ hits }) => hits.has(row)).map(({ words }) => words),
        ),
      );
  }
  return places;
}

function placesOf(
  { caption, generatedCaption, textLines }: Pick<MediaRow, 'caption' | 'generatedCaption' | 'textLines'>,
  sought: readonly SoughtWords[],
): readonly MatchedPlace[] {
  const texts = {
    caption: [caption, generatedCaption].filter((text) => text !== null),
    text: (textLines ?? []).map(({ text }) => text),
  };
  const described = MATCHED_PLACES.filter((place) => texts[place].length > 0);
  const found = described.filter((place) => sought.some((words) => words.areIn(texts[place])));
  // The index also finds a phrase that begins in a caption and ends in the text, and a few forms of words that have other stems here.
  return found.length === 0 ? described : found;
}
