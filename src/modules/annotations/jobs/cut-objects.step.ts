import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { pMapIterable } from 'p-map';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobYieldedError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import {
  attemptName,
  ChunkJournalRepository,
  type IndexingRun,
  type MatchedInPicture,
  MatchedObjects,
  ObjectCrops,
  type QuarantinedFile,
  QuarantineRepository,
  storeMatched,
  workPrefix,
  type AnalyzedChunk,
  unusedAnnotationWarnings,
} from '../../tables';
import type { ObjectsToCut, WantedObjects } from './objects-to-cut';
import { decodeChunk, encodeChunk } from '../../../common/engine/media-table/row-batch';

/** Beside the chunk: the ids of pictures that could not be read. */
const unreadKey = (storeKey: string): string => `${storeKey}.unread.json`;

/** The objects that were cut out of pictures, in the order of the pictures. */
export class AddedObjects {
  readonly count: number;

  constructor(
    private readonly store: ObjectStore,
    private readonly chunks: readonly AnalyzedChunk[],
  ) {
    this.count = chunks.reduce((sum, { objects }) => sum + objects, 0);
  }

  /** Warnings about boxes that could not be used. */
  get warnings(): string[] {
    return unusedAnnotationWarnings(this.chunks);
  }

  /** To be read in the order of the pictures. */
  matched(): MatchedObjects {
    return new MatchedObjects(
      this.store,
      this.chunks.map(({ storeKey }) => storeKey),
    );
  }

  async *rows(): AsyncGenerator<MediaRow> {
    for (const { storeKey, objects } of this.chunks)
      if (objects > 0) yield* decodeChunk(await this.store.read(storeKey));
  }

  async *unreadPictures(): AsyncGenerator<string> {
    for (const { storeKey } of this.chunks)
      yield* (await json(await this.store.get(unreadKey(storeKey)))) as readonly string[];
  }
}

const CHUNK_PICTURES = 192;
/** Objects have vectors. */
const CHUNK_OBJECTS = 4096;
/** Time slice of a dataset while others are waiting. */
const TURN_MS = 10_000;

interface Cut {
  readonly rows: readonly MediaRow[];
  readonly outside: number;
  readonly matched?: MatchedInPicture;
  readonly unread?: { readonly id: string; readonly file: QuarantinedFile };
}

class Chunk {
  pictures = 0;
  readonly rows: MediaRow[] = [];
  outside = 0;
  readonly matched: MatchedInPicture[] = [];
  readonly unread: NonNullable<Cut['unread']>[] = [];

  get isFull(): boolean {
    return this.pictures >= CHUNK_PICTURES || this.rows.length >= CHUNK_OBJECTS;
  }

  add({ rows, outside, matched, unread }: Cut): void {
    this.pictures += 1;
    for (const row of rows) this.rows.push(row);
    this.outside += outside;
    if (matched !== undefined) this.matched.push(matched);
    if (unread !== undefined) this.unread.push(unread);
  }
}

/** Cuts the given objects out of their pictures, and stores them in chunks, each recorded in the journal. */
@Injectable()
export class CutObjectsStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly crops: ObjectCrops,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
  ) {}

  /** Continues after the last chunk of the journal. */
  async run(run: IndexingRun, cut: ObjectsToCut, onPart: (part: number) => void): Promise<AddedObjects> {
    const { context, taskId } = run;
    await this.forgetEarlierRuns(run);
    const journalled = await this.journal.list(taskId);
    let done = journalled.reduce((sum, { files }) => sum + files, 0);
    let sequence = journalled.length;
    let chunk = new Chunk();
    const turnEnds = Date.now() + TURN_MS;
    for await (const result of pMapIterable(cut.wanted(done), (each) => this.cut(each, cut.modelId, context.signal), {
      concurrency: this.crops.atOnce,
    })) {
      chunk.add(result);
      onPart(++done / cut.pictures);
      if (!chunk.isFull) continue;
      await this.flush(run, chunk, sequence++);
      chunk = new Chunk();
      if (Date.now() >= turnEnds && (await context.shouldYield())) throw new JobYieldedError();
    }
    if (chunk.pictures > 0) await this.flush(run, chunk, sequence);
    return new AddedObjects(this.store, await this.journal.list(taskId));
  }

  /** Until a retry, a sweep may have deleted thumbnails that only the journal knew of. */
  private async forgetEarlierRuns({ taskId, context }: IndexingRun): Promise<void> {
    const own = `${workPrefix(taskId)}${context.runId}-`;
    const [first] = await this.journal.list(taskId);
    if (first === undefined || first.storeKey.startsWith(own)) return;
    await context.commit(async () => {
      await this.journal.clear(taskId);
      await this.quarantine.clear(taskId);
    });
  }

  private async cut({ picture, objects, matched }: WantedObjects, modelId: string, signal: AbortSignal): Promise<Cut> {
    const result = await this.crops.cut(picture, objects, modelId, signal);
    if (result.kind === 'QUARANTINED') {
      const { reason, detail } = result;
      const file = { path: picture.path, reason, detail, quarantinedAt: new Date() };
      return { rows: [], outside: 0, unread: { id: picture.id, file } };
    }
    const rows = result.objects.map(({ row, of: { id = row.id, label, confidence, source = null } }) => ({
      ...row,
      id,
      objectSource: source,
      labels: [label],
      generatedLabels: confidence === null ? null : [{ label, confidence, given: false }],
    }));
    return {
      rows,
      outside: objects.length - rows.length,
      ...(matched !== undefined && { matched: { pictureId: picture.id, objects: matched } }),
    };
  }

  private async flush({ datasetId, taskId, context }: IndexingRun, chunk: Chunk, sequence: number): Promise<void> {
    const storeKey = `${workPrefix(taskId)}${attemptName(context)}-${sequence}.arrow`;
    await storeMatched(this.store, storeKey, chunk.matched);
    const unread = chunk.unread.map(({ id }) => id);
    await storeChunk(this.store, storeKey, chunk.rows, unread);
    failpoint('chunk-stored');
    await context.commitProgress(async () => {
      await this.journal.add(datasetId, taskId, {
        sequence,
        storeKey,
        files: chunk.pictures,
        images: 0,
        videos: 0,
        frames: 0,
        objects: chunk.rows.length,
        boxesOutside: chunk.outside,
        annotatedVideos: 0,
        madeFrom: null,
      });
      const files = chunk.unread.map(({ file }) => file);
      await this.quarantine.add(datasetId, taskId, files);
    });
    failpoint('chunk-journalled');
  }
}

async function storeChunk(
  store: ObjectStore,
  storeKey: string,
  rows: readonly MediaRow[],
  unread: readonly string[],
): Promise<void> {
  await store.put(unreadKey(storeKey), Buffer.from(JSON.stringify(unread)));
  await store.put(storeKey, encodeChunk(rows));
}
