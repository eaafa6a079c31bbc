import { Inject, Injectable } from '@nestjs/common';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { BoundedCache } from '../../../common/platform/cache/bounded-cache';
import { CONFIGURATION } from '../../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../../common/platform/config/memory-sizes';
import type { ColourColumn } from './domain/map-colours';

/** The rows that match a search. */
export interface MatchingRows {
  /** Undefined if all rows match. */
  readonly rows: OrdinalSet | undefined;
  /** Of the type that was asked for. */
  readonly count: number;
  /** Set if the search may have missed some. */
  readonly recall: number | undefined;
}

const ENTRY_BYTES = 100;

/** What the tiles of a view share, within a budget of bytes. */
@Injectable()
export class MapViews {
  readonly colours: BoundedCache<ColourColumn>;
  readonly matches: BoundedCache<MatchingRows>;

  constructor(@Inject(CONFIGURATION) memory: ExploreMemory) {
    const budgetBytes = bytesFor('map', memory) / 8;
    this.colours = new BoundedCache(budgetBytes, ({ bytes }) => bytes + ENTRY_BYTES);
    this.matches = new BoundedCache(budgetBytes, ({ rows }) => (rows?.bytes ?? 0) + ENTRY_BYTES);
  }
}
