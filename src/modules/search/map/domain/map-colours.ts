import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices, yieldTurn } from '../../../../common/platform/concurrency/in-slices';

export const MAP_COLOURS = ['cluster', 'label', 'tag', 'issue', 'batch', 'outcome', 'none'] as const;
export type MapColour = (typeof MAP_COLOURS)[number];

/** The maximum of values with their own colour. */
export const MOST_LEGEND = 20;
/** The colour of rows with other values only. */
export const OTHER = 20;
/** The colour of rows without a value. */
export const WITHOUT = 0xffff;
const WITHOUT_BYTE = 0xff;

export interface LegendEntry {
  /** A label, the name of an issue, an outcome, the id of a tag or batch, or the number of a cluster by size, from 1. */
  readonly value: string;
  /** The id of a cluster, tag or batch; null for others. */
  readonly id: string | null;
  readonly media: number;
  /** For clusters: the common label, parent of labels, or folder of the media. */
  readonly name?: string | undefined;
}

/** A value and the rows that it colours. */
export interface ColouredValue extends LegendEntry {
  readonly rows: Int32Array;
}

/** The colour of each row: an index into the legend, OTHER or WITHOUT. */
export class ColourColumn {
  private constructor(
    readonly legend: readonly LegendEntry[],
    private readonly colours: Uint8Array,
  ) {}

  static readonly none = new ColourColumn([], new Uint8Array());

  /** `values` must be in descending order of size. A row with several values gets the colour of the smallest, which would otherwise be hidden by the others. */
  static async of(values: readonly ColouredValue[], rowsWithValue: OrdinalSet): Promise<ColourColumn> {
    const colours = new Uint8Array(rowsWithValue.rows);
    await inSlices(colours.length, (start, end) => {
      for (let row = start; row < end; row++) colours[row] = rowsWithValue.has(row) ? OTHER : WITHOUT_BYTE;
    });
    for (const [colour, { rows }] of values.entries()) {
      await yieldTurn();
      for (const row of rows) colours[row] = colour;
    }
    return new ColourColumn(
      values.map(({ value, id, media, name }) => ({ value, id, media, name })),
      colours,
    );
  }

  get bytes(): number {
    return this.colours.byteLength;
  }

  at(row: number): number {
    const colour = this.colours[row] ?? WITHOUT_BYTE;
    return colour === WITHOUT_BYTE ? WITHOUT : colour;
  }
}
