import { Injectable } from '@nestjs/common';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import { AnnotationListReader } from '../annotations';
import { DatasetStatusError } from '../datasets';
import { SearchEngine, withinBatch, type SearchQuery } from '../search';
import {
  findOrdinals,
  lowestPlaces,
  PublishedStateReader,
  SourceAnnotations,
  VersionOpener,
  type OpenedVersion,
  type PublishedState,
} from '../versions';
import { ViewReader } from '../views';
import type { Answer } from './domain/question';
import { mixedIn, randomKey } from './domain/random-order';
import {
  ItemGoneError,
  MAX_ITEMS,
  NoPictureError,
  NothingToReviewError,
  TooManyItemsError,
  ViewOfOthersError,
  type NewItem,
} from './domain/review-queue';
import { NotFoundError } from '../../common/platform/errors/domain-error';

const PER_PAGE = 10_000;

export interface AskedAnnotations {
  readonly source: string;
  readonly label: string | undefined;
  readonly confidence: readonly [number, number] | undefined;
  readonly order: 'confidence' | '-confidence' | 'random' | undefined;
  readonly limit: number | undefined;
}

export interface AskedMedia {
  readonly query: SearchQuery;
  readonly isRandom: boolean;
  readonly limit: number | undefined;
}

export interface Honeypot {
  readonly mediaId: string;
  readonly answer: Answer;
}

/** What a queue is about; one of the four. */
export type AskedItems =
  | { readonly kind: 'query'; readonly of: AskedMedia }
  | { readonly kind: 'view'; readonly of: string }
  | { readonly kind: 'media'; readonly of: readonly string[] }
  | { readonly kind: 'annotations'; readonly of: AskedAnnotations };

class MediaNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Media ${id} not found`);
  }
}

/** Finds the items of a new queue, in their order. */
@Injectable()
export class FrozenItems {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
    private readonly annotations: SourceAnnotations,
    private readonly listed: AnnotationListReader,
    private readonly views: ViewReader,
  ) {}

  async find(
    datasetId: string,
    asked: AskedItems,
    honeypots: readonly Honeypot[],
    seed: number,
  ): Promise<readonly NewItem[]> {
    const state = await this.states.get(datasetId);
    const { pointer } = state;
    if (pointer === null) throw new DatasetStatusError('review', state.status, ['READY', 'PARTIAL INDEX']);
    if (asked.kind === 'annotations') return this.annotationsOf(state, asked.of, seed);
    using version = await this.versions.open(pointer);
    const known = honeypots.map(({ mediaId }) => mediaId);
    await assertPictures(version, known);
    const ids = await this.idsOf(state, version, asked, seed);
    const others = new Set(known);
    const items = ids.filter((id) => !others.has(id)).map((id): NewItem => itemOf(id, null));
    if (items.length === 0 && asked.kind !== 'view') throw new NothingToReviewError();
    if (items.length + known.length > MAX_ITEMS) throw new TooManyItemsError(items.length + known.length);
    return mixedIn(
      items,
      honeypots.map(({ mediaId, answer }) => itemOf(mediaId, answer)),
      seed,
    );
  }

  private async idsOf(
    state: PublishedState,
    version: OpenedVersion,
    asked: Exclude<AskedItems, { readonly kind: 'annotations' }>,
    seed: number,
  ): Promise<readonly string[]> {
    switch (asked.kind) {
      case 'media':
        return await givenMedia(version, asked.of);
      case 'query':
        return await this.found(state, version, asked.of, seed);
      case 'view': {
        const query = await this.queryOf(state.datasetId, asked.of);
        return await this.found(state, version, { query, isRandom: false, limit: undefined }, seed);
      }
    }
  }

  /** The images and frames that a view finds now, also of one batch only; not many more than fit. */
  async ofView(datasetId: string, viewId: string, batchId: string | null): Promise<readonly string[]> {
    const state = await this.states.get(datasetId);
    const query = await this.queryOf(datasetId, viewId);
    if (state.pointer === null) return [];
    using version = await this.versions.open(state.pointer);
    const wanted = batchId === null ? query : withinBatch(query, batchId);
    return await this.found(state, version, { query: wanted, isRandom: false, limit: MAX_ITEMS + 1 }, 0);
  }

  private async queryOf(datasetId: string, viewId: string): Promise<SearchQuery> {
    const query = await this.views.query(datasetId, viewId);
    if (query.entityType !== 'IMAGES') throw new ViewOfOthersError();
    return query;
  }

  private async found(
    { datasetId }: PublishedState,
    version: OpenedVersion,
    { query, isRandom, limit }: AskedMedia,
    seed: number,
  ): Promise<string[]> {
    const { matches, ranking } = await this.engine.select(datasetId, version, query);
    const pictures = await version.index.rowsOf(['IMAGE', 'FRAME']);
    const rows = (matches?.and(pictures) ?? pictures).toArray();
    const scores = await scoresOf(
      rows,
      isRandom ? (row) => randomKey(seed, row) : ranking && ((row) => ranking.approximate[row]!),
    );
    const total = scores === undefined ? rows.length : scores.reduce((sum, score) => sum + Number(score < Infinity), 0);
    if (limit === undefined && total > MAX_ITEMS) throw new TooManyItemsError(total);
    const wanted = Math.min(limit ?? total, total);
    const ids = await this.annotations.idsOf(version.table);
    if (scores === undefined) return Array.from(rows.subarray(0, wanted), (row) => ids.idOf(row));
    const chosen = Int32Array.from(await lowestPlaces(scores, wanted), (place) => rows[place]!);
    const exact = isRandom || ranking === undefined ? undefined : await ranking.refine(chosen);
    const scoreOf = exact ?? Float32Array.from(chosen, (row) => randomKey(seed, row));
    const order = Int32Array.from(chosen.keys()).sort((a, b) => scoreOf[a]! - scoreOf[b]! || chosen[a]! - chosen[b]!);
    return Array.from(order, (place) => ids.idOf(chosen[place]!));
  }

  private async annotationsOf(
    state: PublishedState,
    { source, label, confidence, order, limit }: AskedAnnotations,
    seed: number,
  ): Promise<NewItem[]> {
    const found: { readonly item: NewItem; readonly sure: number }[] = [];
    let from: Awaited<ReturnType<AnnotationListReader['page']>>['next'];
    do {
      const page = await this.listed.page(state, { source, label, limit: PER_PAGE, from });
      for (const { annotation, mediaId } of page.annotations) {
        const { confidence: sure } = annotation;
        if (confidence !== undefined && !(sure !== undefined && sure >= confidence[0] && sure <= confidence[1]))
          continue;
        found.push({ item: { mediaId, annotationId: annotation.id, expected: null }, sure: sure ?? Infinity });
      }
      if (found.length > MAX_ITEMS && (limit === undefined || order !== undefined))
        throw new TooManyItemsError(found.length);
      from = page.next;
    } while (from !== undefined && (order !== undefined || found.length < (limit ?? Infinity)));
    if (found.length === 0) throw new NothingToReviewError();
    return inOrder(found, order, seed).slice(0, limit);
  }

  /** An annotation that is an item, as it is now. */
  async annotation(datasetId: string, source: string, mediaId: string, id: string) {
    const state = await this.states.get(datasetId);
    const { annotations } = await this.listed.page(state, {
      source,
      mediaIds: [mediaId],
      limit: PER_PAGE,
      from: undefined,
    });
    const found = annotations.find(({ annotation }) => annotation.id === id);
    if (found === undefined) throw new ItemGoneError('annotation');
    return found.annotation;
  }
}

const itemOf = (mediaId: string, expected: Answer | null): NewItem => ({ mediaId, annotationId: null, expected });

async function givenMedia(version: OpenedVersion, ids: readonly string[]): Promise<string[]> {
  const unique = [...new Set(ids)];
  await assertPictures(version, unique);
  return unique;
}

async function assertPictures({ table, index }: OpenedVersion, ids: readonly string[]): Promise<void> {
  const { rows, unknown } = await findOrdinals(table, ids);
  if (unknown !== undefined) throw new MediaNotFoundError(unknown);
  const other = rows.toArray().find((row) => !['IMAGE', 'FRAME'].includes(index.kindOf(row)));
  if (other === undefined) return;
  const [found] = await table.takeRows([other], ['id']);
  throw new NoPictureError(found!.id);
}

async function scoresOf(
  rows: Int32Array,
  scoreOf: ((row: number) => number) | undefined,
): Promise<Float32Array | undefined> {
  if (scoreOf === undefined) return undefined;
  const scores = new Float32Array(rows.length);
  await inSlices(rows.length, (start, end) => {
    for (let at = start; at < end; at++) scores[at] = scoreOf(rows[at]!);
  });
  return scores;
}

function inOrder(
  found: readonly { readonly item: NewItem; readonly sure: number }[],
  order: AskedAnnotations['order'],
  seed: number,
): NewItem[] {
  const key = (sure: number, at: number): number => {
    if (order === 'random') return randomKey(seed, at);
    if (order === undefined) return at;
    return order === 'confidence' ? sure : -sure;
  };
  return found
    .map(({ item, sure }, at) => ({ item, key: key(sure, at), at }))
    .sort((a, b) => (a.key === b.key ? a.at - b.at : a.key - b.key))
    .map(({ item }) => item);
}
