import { Injectable } from '@nestjs/common';
import type { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { isSameVersion, versionName } from '../../common/engine/media-table/table-version';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import type { DatasetPointer } from '../datasets';
import {
  GROUND_TRUTH,
  isSourceOfTable,
  SourceAnnotations,
  sourceNamed,
  VersionOpener,
  type OpenedVersion,
  type SegmentRecord,
} from '../versions';
import { saysSame, type Changeable, type EvaluatedState } from './domain/evaluated-state';
import type { AskedEvaluation } from './domain/evaluation';

/** Short texts. */
const MOST_VERSIONS = 1_000;

type Sources = Pick<AskedEvaluation, 'truth' | 'predictions'>;

/** What an evaluation compares, in a form that tells later whether it has changed. */
@Injectable()
export class EvaluatedStates {
  private readonly media = new BoundedCache<string>(MOST_VERSIONS);

  constructor(
    private readonly versions: VersionOpener,
    private readonly annotations: SourceAnnotations,
  ) {}

  async of(version: OpenedVersion, { truth, predictions }: Sources, rows: OrdinalSet): Promise<EvaluatedState> {
    const { pointer } = version;
    const said = async (name: string) => ({
      files: ((await this.filesOf(pointer, name)) ?? []).map(({ id }) => id),
      table: saidByTable(pointer, name),
    });
    const { generation, version: number } = pointer;
    const media = await this.mediaOf(version);
    return {
      generation,
      version: number,
      media,
      compared: await (await this.annotations.idsOf(version.table)).fingerprint(rows),
      truth: await said(truth),
      predictions: await said(predictions),
    };
  }

  async changesSince(before: EvaluatedState, sources: Sources, pointer: DatasetPointer): Promise<Changeable[]> {
    const changed: Changeable[] = [];
    for (const part of ['truth', 'predictions'] as const) {
      const files = await this.filesOf(pointer, sources[part]);
      const { files: known, table } = before[part];
      const isSame = files !== undefined && saysSame(known, files) && table === saidByTable(pointer, sources[part]);
      if (!isSame) changed.push(part);
    }
    if (!(await this.hasSameMedia(before, pointer))) changed.push('media');
    return changed;
  }

  private async hasSameMedia(before: EvaluatedState, pointer: DatasetPointer): Promise<boolean> {
    if (isSameVersion(before, pointer)) return true;
    const media = await this.media.getOrLoad(versionName(pointer), async () => {
      using version = await this.versions.open(pointer);
      return await this.mediaOf(version);
    });
    return media === before.media;
  }

  private async mediaOf(version: OpenedVersion): Promise<string> {
    const ids = await this.annotations.idsOf(version.table);
    return ids.fingerprint(await version.index.rowsOf(['IMAGE', 'FRAME']));
  }

  /** Undefined if there is no such source. */
  private async filesOf(pointer: DatasetPointer, name: string): Promise<readonly SegmentRecord[] | undefined> {
    const source = sourceNamed((await this.annotations.stateOf(pointer)).sources, name);
    return source?.segments ?? (isSourceOfTable(pointer, name) ? [] : undefined);
  }
}

/** What people say in the table changes with media or with files only; what a model found changes when it is applied in another way. */
function saidByTable(pointer: DatasetPointer, name: string): string | null {
  if (name === GROUND_TRUTH || !isSourceOfTable(pointer, name)) return null;
  const model = Object.values(pointer.enrichments).find(({ id }) => id === name);
  return model === undefined ? versionName(pointer) : JSON.stringify(model);
}
