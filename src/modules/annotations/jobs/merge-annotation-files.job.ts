import { Injectable } from '@nestjs/common';
import { SegmentBuilder } from '../../../common/engine/annotations/segment-builder';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { DatasetReader, DatasetStatusError, type DatasetPointer } from '../../datasets';
import {
  AnnotationFiles,
  FILE_ANNOTATIONS,
  filesToMerge,
  SourceAnnotations,
  VersionOpener,
  type OpenedVersion,
  type SegmentRecord,
} from '../../versions';
import { assertEditable } from '../domain/source-errors';
import { MERGE_ANNOTATION_FILES, StateChanges, type MergePayload } from '../state-changes';

interface Run {
  readonly source: string;
  readonly files: readonly SegmentRecord[];
}

/** Writes many small files of sources anew as few large ones, while the sources go on being changed. */
@JobHandler(MERGE_ANNOTATION_FILES)
@Injectable()
export class MergeAnnotationFilesJob implements JobRunner<MergePayload> {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly versions: VersionOpener,
    private readonly annotations: SourceAnnotations,
    private readonly files: AnnotationFiles,
    private readonly changes: StateChanges,
  ) {}

  async run({ datasetId }: MergePayload, { signal }: JobContext): Promise<void> {
    try {
      while (await this.mergeNext(datasetId, signal));
    } catch (error) {
      // The next change begins again.
      if (!(error instanceof DatasetStatusError)) throw error;
    }
  }

  /** Returns whether there may be more. */
  private async mergeNext(datasetId: string, signal: AbortSignal): Promise<boolean> {
    const dataset = await this.datasets.find(datasetId);
    if (dataset === undefined) return false;
    const pointer = assertEditable(dataset);
    using version = await this.versions.open(pointer);
    const run = await this.firstRun(pointer, version.rows);
    if (run === undefined) return false;
    const merged = await this.merged(run.files, version, signal);
    failpoint('annotations-merged');
    await this.changes.apply(datasetId, {
      make: (draft) => {
        const { generation, version: number } = draft.version.pointer;
        // Files have no pictures that this version lacks, and another one may have them.
        if (generation === pointer.generation && number === pointer.version)
          draft.replaceFiles(run.source, run.files, merged);
      },
      commit: () => this.files.keep(merged.map(({ id }) => id)),
    });
    return true;
  }

  private async firstRun(pointer: DatasetPointer, rows: number): Promise<Run | undefined> {
    const { sources } = await this.annotations.stateOf(pointer);
    for (const { name, segments } of sources) {
      const files = filesToMerge(segments, rows);
      if (files !== undefined) return { source: name, files };
    }
    return undefined;
  }

  private async merged(
    files: readonly SegmentRecord[],
    { table }: OpenedVersion,
    signal: AbortSignal,
  ): Promise<SegmentRecord[]> {
    const written: SegmentRecord[] = [];
    const replaced = files.map(({ id }) => id);
    let builder = new SegmentBuilder();
    const end = async (): Promise<void> => {
      const built = await builder.build();
      builder = new SegmentBuilder();
      const { pictures, size } = built.segment;
      if (pictures === 0) return;
      const id = await this.files.write(built);
      this.annotations.keep(id, built);
      written.push({ id, pictures, size, replaced, merged: true });
    };
    for await (const block of this.annotations.latestOf(files, table)) {
      signal.throwIfAborted();
      await builder.copy(block);
      if (builder.size >= FILE_ANNOTATIONS) await end();
    }
    await end();
    return written;
  }
}
