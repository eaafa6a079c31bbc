import { Inject, Injectable } from '@nestjs/common';
import { pMapIterable } from 'p-map';
import type { MatchedObject, MediaRow } from '../../../common/engine/media-table/media-row';
import { encodeChunk } from '../../../common/engine/media-table/row-batch';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobShutdownError, JobYieldedError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import {
  attemptName,
  isMarked,
  ObjectCrops,
  type QuarantinedFile,
  type MatchedInPicture,
  QuarantineRepository,
  storeMatched,
  workPrefix,
  inPixels,
} from '../../tables';
import { pixelNumbers } from '../../versions';
import { acceptedObjects, KINDS_SEEN, type AppliedType, type Finding } from '../domain/findings';
import type { ChosenModel } from '../domain/chosen-models';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import { type EnrichmentRun, encodeFindings } from './findings-file';
import { byFile, type RowOfFile } from './once-per-file';
import { PictureModels, type AppliedPictureModel, type PictureResult } from './picture-models';
import { seenPicture, type SeenPictures, type SeenRow } from './seen-pictures';
import type { Quarantined } from '../../../common/engine/compute/media-analysis';
import type { FoundObject } from '../../../common/engine/models/picture-model';

type CutRows = { readonly kind: 'CUT'; readonly rows: readonly MediaRow[] } | Quarantined;

const CHUNK_MEDIA = 192;
/** How many more may be done while a chunk is stored, or while the model takes its time over one picture. */
const MEDIA_AHEAD = 24;
/** Objects have vectors, and a detector may find hundreds in a picture. */
const CHUNK_OBJECTS = 4096;
const CHUNK_MS = 5000;
/** As many as annotation files may have; all their vectors are compared in memory. */
const MOST_OBJECTS = 1_000_000;
/** A model that refuses so many pictures before it accepts one is the wrong one, for example without vision. */
const TRIAL_MEDIA = 20;
/** Time slice of a dataset while others are waiting. */
const TURN_MS = 10_000;

interface Looked {
  readonly row: SeenRow;
  readonly result: PictureResult<AppliedType>;
  /** The found objects, cut out of the picture. */
  readonly objects: readonly MediaRow[];
}

interface FoundInPicture {
  readonly picture: SeenRow;
  readonly objects: readonly MediaRow[];
}

class Chunk {
  readonly startedAt = Date.now();
  readonly findings: Finding[] = [];
  readonly refused: QuarantinedFile[] = [];
  readonly found: FoundInPicture[] = [];
  private objects = 0;

  get isFull(): boolean {
    const { findings, objects, startedAt } = this;
    return findings.length >= CHUNK_MEDIA || objects >= CHUNK_OBJECTS || Date.now() - startedAt >= CHUNK_MS;
  }

  add({ type, id }: ChosenModel, { row, result, objects }: Looked): void {
    if (objects.length > 0) this.found.push({ picture: row, objects });
    this.objects += objects.length;
    if (result.kind === 'FOUND') {
      this.findings.push({ id: row.id, found: result.found });
      return;
    }
    this.findings.push({ id: row.id, found: null });
    const detail = `${type} by ${id}: ${result.detail}`;
    this.refused.push({ path: row.path, reason: result.reason, detail, quarantinedAt: new Date() });
  }
}

export type AppliedModelChosen = ChosenModel & { readonly type: AppliedType };

/** Applies a model to pictures, and stores what it finds in chunks, each recorded in the journal. */
@Injectable()
export class ApplyModelStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly models: PictureModels,
    private readonly crops: ObjectCrops,
    private readonly journal: AppliedChunkRepository,
    private readonly quarantine: QuarantineRepository,
  ) {}

  /** Continues after the last chunk of the journal. */
  async run(
    run: EnrichmentRun,
    pictures: SeenPictures,
    chosen: AppliedModelChosen,
    onPart: (part: number) => void,
  ): Promise<void> {
    const { type, id, metadata } = chosen;
    const kinds = KINDS_SEEN[type];
    const total = await pictures.count(kinds);
    const journalled = await this.journal.list(run.taskId, type);
    let done = journalled.reduce((sum, chunk) => sum + chunk.media, 0);
    let objects = journalled.reduce((sum, chunk) => sum + chunk.objects, 0);
    assertNotTooMany(id, objects);
    if (done === total) return;
    let sequence = journalled.length;
    let chunk = new Chunk();
    const isFirst = run.isFirst && chosen.toFoundOnly !== true;
    const trial = isFirst && done === 0 ? Math.min(TRIAL_MEDIA, total) : 0;
    const turnEnds = Date.now() + TURN_MS;
    const flush = async (): Promise<void> => {
      // A retry with a corrected model asks again for the pictures that were refused in the trial.
      if (chunk.findings.length === 0 || done < trial) return;
      const full = chunk;
      chunk = new Chunk();
      objects += await this.flush(run, { pictures, chosen }, full, sequence++);
      assertNotTooMany(id, objects);
    };
    const { signal } = run.context;
    await this.models.use(type, id, metadata, async (model) => {
      const rows = pictures.rows(kinds, done);
      try {
        for await (const looked of pMapIterable(byFile(rows), (row) => this.look(row, model, pictures, signal), {
          concurrency: model.atOnce,
          backpressure: model.atOnce + MEDIA_AHEAD,
        })) {
          chunk.add(chosen, looked);
          if (done + 1 === trial) assertAcceptsSome(id, chunk);
          onPart(++done / total);
          if (!chunk.isFull || done < trial) continue;
          await flush();
          if (Date.now() >= turnEnds && (await run.context.shouldYield())) throw new JobYieldedError();
        }
      } catch (error) {
        // Saves the findings for the resumed run, unless another run owns the work already.
        if (!signal.aborted || signal.reason instanceof JobShutdownError) await flush();
        throw error;
      }
      await flush();
    });
  }

  private async look(
    { row, regions }: RowOfFile,
    model: AppliedPictureModel<AppliedType>,
    { imageModel }: SeenPictures,
    signal: AbortSignal,
  ): Promise<Looked> {
    const result = await model.apply({ ...seenPicture(row), regions }, signal);
    if (result.kind !== 'FOUND' || !('objects' in result.found)) return { row, result, objects: [] };
    const cut = await foundRows(this.crops, row, acceptedObjects(result.found.objects, row), imageModel, signal);
    return cut.kind === 'CUT' ? { row, result, objects: cut.rows } : { row, result: cut, objects: [] };
  }

  /** Returns the number of objects in the chunk. */
  private async flush(
    run: EnrichmentRun,
    { pictures, chosen: { type } }: { readonly pictures: SeenPictures; readonly chosen: ChosenModel },
    chunk: Chunk,
    sequence: number,
  ): Promise<number> {
    const { taskId, targetId, context } = run;
    const prefix = `${workPrefix(taskId)}${attemptName(context)}-${type}-${sequence}`;
    const { objects, matched } = await comparedWithMarked(chunk.found, pictures);
    const [storeKey, bytes] =
      type === 'OBJECT_DETECTION'
        ? [`${prefix}.arrow`, encodeChunk(objects)]
        : [`${prefix}.ndjson`, encodeFindings(chunk.findings)];
    await storeMatched(this.store, storeKey, matched);
    await this.store.put(storeKey, bytes);
    failpoint('findings-stored');
    await context.commitProgress(async () => {
      const { length: media } = chunk.findings;
      await this.journal.add(taskId, { type, sequence, storeKey, media, objects: objects.length });
      await this.quarantine.add(targetId, taskId, chunk.refused);
    });
    failpoint('findings-journalled');
    return objects.length;
  }
}

interface Compared {
  readonly objects: readonly MediaRow[];
  readonly matched: readonly MatchedInPicture[];
}

/** Objects that people marked get no second row. */
async function comparedWithMarked(found: readonly FoundInPicture[], pictures: SeenPictures): Promise<Compared> {
  const marked = await pictures.markedIn(found.map(({ picture }) => picture.id));
  const objects: MediaRow[] = [];
  const matched: MatchedInPicture[] = [];
  for (const { picture, objects: own } of found) {
    const isKnown = (object: MediaRow): boolean => isMarked(object, marked.get(picture.id) ?? []);
    const known = own.filter(isKnown);
    objects.push(...own.filter((object) => !known.includes(object)));
    if (known.length > 0)
      matched.push({ pictureId: picture.id, objects: known.map((object) => matchedObject(object, picture)) });
  }
  return { objects, matched };
}

function matchedObject(
  { id, box, generatedLabels }: MediaRow,
  { width, height }: Pick<SeenRow, 'width' | 'height'>,
): MatchedObject {
  const { label, confidence } = generatedLabels![0]!;
  return { id, label, confidence, box: pixelNumbers(box!, width, height) };
}

function assertNotTooMany(modelId: string, objects: number): void {
  if (objects <= MOST_OBJECTS) return;
  throw new PermanentJobError(
    `The model ${modelId} found more than ${MOST_OBJECTS} objects, which is the limit. Raise its threshold, and start a new enrichment.`,
  );
}

function assertAcceptsSome(modelId: string, { findings, refused }: Chunk): void {
  const [first] = refused;
  if (first === undefined || refused.length < findings.length) return;
  if (refused.some(({ reason }) => reason !== 'refused_by_model')) return;
  throw new PermanentJobError(
    `The model ${modelId} refused all of the first ${refused.length} pictures. For ${first.path} it answered: ${first.detail}`,
  );
}

/** The rows of objects that a model found in a picture. */
async function foundRows(
  crops: ObjectCrops,
  picture: SeenRow,
  found: readonly FoundObject[],
  modelId: string,
  signal: AbortSignal,
): Promise<CutRows> {
  const marked = found.map((object) => ({ ...object, pixels: inPixels(object.box, picture) }));
  const cut = await crops.cut(picture, marked, modelId, signal);
  if (cut.kind === 'QUARANTINED') return cut;
  const rows = cut.objects.map(({ of: { label, confidence }, row }): MediaRow => ({
    ...row,
    labels: [label],
    generatedLabels: [{ label, confidence, given: false }],
  }));
  return { kind: 'CUT', rows };
}
