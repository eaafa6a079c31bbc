import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import type { DatasetPointer } from '../datasets';
import { DecidedMediaReader } from '../duplicates';
import { SearchEngine, SelectionResolver, type MediaSelection, type SearchQuery } from '../search';
import { VersionOpener } from '../versions';
import { BadRequestError, ConflictError } from '../../common/platform/errors/domain-error';

class NothingChosenError extends BadRequestError {
  constructor() {
    super('No media match the selection. Choose other media.');
  }
}

/** The tags changed whenever the rows were found. */
export class DatasetBusyError extends ConflictError {
  constructor() {
    super('The tags of this dataset are being changed by others. Try again.');
  }
}

class EverythingGoesError extends BadRequestError {
  constructor() {
    super('This would remove all media of the dataset. Choose fewer, or delete the dataset.');
  }
}

/** The union of the given choices. */
export interface ChosenMedia {
  readonly selection?: MediaSelection | undefined;
  /** All that match, of its entity type. */
  readonly query?: SearchQuery | undefined;
  /** The media that decisions about near duplicates remove. */
  readonly decided: boolean;
}

/** Whether the chosen media stay, or all others. */
export type Keeping = 'chosen' | 'others';

/** Resolves the chosen media to rows of a table version. */
@Injectable()
export class ChosenRows {
  constructor(
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
    private readonly selections: SelectionResolver,
    private readonly decidedMedia: DecidedMediaReader,
  ) {}

  /** Throws if no file of the dataset would stay. */
  async resolve(
    datasetId: string,
    pointer: DatasetPointer,
    { selection, query, decided }: ChosenMedia,
    keeping: Keeping,
  ): Promise<OrdinalSet> {
    using version = await this.versions.open(pointer);
    let rows = OrdinalSet.none(version.rows);
    if (selection !== undefined) rows = rows.or(await this.selections.resolve(datasetId, pointer, selection));
    if (query !== undefined) rows = rows.or(await this.engine.rowsOf(datasetId, version, query));
    if (decided) rows = rows.or(await this.decidedMedia.rowsThatGo(datasetId, pointer));
    if (rows.size === 0) throw new NothingChosenError();
    const files = await version.index.rowsOf(['IMAGE', 'VIDEO']);
    if (keeping === 'others' && files.isWithin(rows)) throw new EverythingGoesError();
    return rows;
  }
}
