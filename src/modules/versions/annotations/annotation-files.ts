import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { ReadShapes, Segment } from '../../../common/engine/annotations/segment';
import type { BuiltSegment } from '../../../common/engine/annotations/segment-builder';
import { decodeSegment, encodeSegment } from '../../../common/engine/annotations/segment-file';
import { Sweeps, type Sweep } from '../../../common/platform/database/sweeps';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';
import { idInKey } from '../../../common/platform/storage/object-key';
import { DamagedDataError, deleteUnneeded, type ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { AnnotationStateRepository } from './persistence/annotation-state.repository';

const MINUTE_MS = 60 * 1000;
/** Grace period for readers that opened a state before it was orphaned, and for files whose state is not written yet. */
const GRACE_MS = 10 * MINUTE_MS;

const PREFIX = 'annotations/';
const [COLUMNS, SHAPES] = ['.columns', '.shapes'];

/** The two objects of a file of annotations. */
export const annotationKeys = (id: string): { readonly columns: string; readonly shapes: string } => ({
  columns: `${PREFIX}${id}${COLUMNS}`,
  shapes: `${PREFIX}${id}${SHAPES}`,
});

/** Stores annotations in immutable files. */
@Injectable()
export class AnnotationFiles {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly states: AnnotationStateRepository,
  ) {}

  async write({ segment, shapes }: BuiltSegment): Promise<string> {
    const id = randomUUID();
    await this.states.insertSegment(id);
    const keys = annotationKeys(id);
    const columns = await encodeSegment(segment);
    await Promise.all([this.store.put(keys.shapes, shapes), this.store.put(keys.columns, columns)]);
    return id;
  }

  /** Of a long task: files that no state names yet, which a sweep would remove some time after they were written. */
  async keep(ids: readonly string[]): Promise<void> {
    if ((await this.states.keepSegments(ids)) < ids.length)
      throw new Error('Annotation files were removed before they were published');
  }

  async read(id: string): Promise<Segment> {
    const key = annotationKeys(id).columns;
    return decodeSegment(await this.store.read(key)).catch((cause: unknown) => {
      throw new DamagedDataError(`The object ${key}`, { cause });
    });
  }

  shapesOf(id: string): ReadShapes {
    const key = annotationKeys(id).shapes;
    return async (start, end) => this.store.read(key, { start, end });
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.store.delete(ids.flatMap((id) => Object.values(annotationKeys(id))));
    await this.states.deleteSegments(ids);
  }

  /** Deletes files written before this time that the database does not know. Returns how many. */
  removeUnknown(writtenBefore: Date): Promise<number> {
    return deleteUnneeded(this.store, PREFIX, async (objects) => {
      const old = objects.flatMap(({ key, lastModified }) => {
        const id = lastModified < writtenBefore ? idInKey(key, PREFIX, [COLUMNS, SHAPES]) : undefined;
        return id === undefined ? [] : [{ key, id }];
      });
      const known = await this.states.knownAmong(old.map(({ id }) => id));
      return old.flatMap(({ key, id }) => (known.has(id) ? [] : [key]));
    });
  }
}

/** Deletes states that nothing points to, files that no state names, and files that the database does not know. */
@Injectable()
export class AnnotationSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly states: AnnotationStateRepository,
    private readonly files: AnnotationFiles,
    private readonly identity: StoreIdentity,
  ) {}

  @Interval(5 * MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('annotations', this);
  }

  async sweep(now: Date): Promise<number> {
    const graceEnds = new Date(now.getTime() - GRACE_MS);
    await this.states.markOrphans(now);
    const removed = await this.states.deleteOrphans(graceEnds);
    const unused = await this.states.unusedSegments(graceEnds);
    await this.files.remove(unused);
    return removed + unused.length + (await this.files.removeUnknown(await this.identity.unknownSince(now)));
  }
}
