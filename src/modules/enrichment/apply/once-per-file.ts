import type { Quarantined } from '../../../common/engine/compute/media-analysis';
import type { Box } from '../../../common/engine/media-table/media-row';
import type { SeenPicture, SeenRow } from './seen-pictures';

/** Limits the memory of a request, and the work that an interruption loses. */
const MOST_REGIONS = 16;

type Regions = readonly (Box | null)[];
type SeenFile = Pick<SeenPicture, 'source' | 'indexedAs'>;
type Ask<Result> = (file: SeenFile, regions: Regions, signal: AbortSignal) => Promise<Result | Quarantined>;

/** Asks once for all regions of a file. */
export class OncePerFile<Result extends { readonly kind: string }> {
  private readonly asked = new WeakMap<Regions, Promise<Result | Quarantined>>();

  constructor(private readonly ask: Ask<Result>) {}

  /** The result, and where in it the region of the picture is. */
  async of(
    { region, regions = [region], source, indexedAs }: SeenPicture,
    signal: AbortSignal,
  ): Promise<[Result | Quarantined, number]> {
    const file = { source, ...(indexedAs && { indexedAs }) };
    const asked = this.asked.get(regions) ?? this.ask(file, regions, signal);
    this.asked.set(regions, asked);
    const result = await asked;
    if (regions.length === 1 || !mayBeOfOneRegion(result)) return [result, regions.indexOf(region)];
    return [await this.ask(file, [region], signal), 0];
  }
}

function mayBeOfOneRegion(result: { readonly kind: string } | Quarantined): boolean {
  return 'reason' in result && (result.reason === 'crashed' || result.reason === 'timed_out');
}

export interface RowOfFile {
  readonly row: SeenRow;
  /** The objects of the same file that stand together; undefined for a whole picture. */
  readonly regions: Regions | undefined;
}

/** Tells each object which others of its file stand next to it. */
export async function* byFile(rows: AsyncIterable<SeenRow>): AsyncGenerator<RowOfFile> {
  let group: SeenRow[] = [];
  for await (const row of rows) {
    const [first] = group;
    const isNext = first?.source === row.source && row.box !== null && first.box !== null;
    if (!isNext || group.length === MOST_REGIONS) {
      yield* together(group);
      group = [];
    }
    group.push(row);
  }
  yield* together(group);
}

function* together(group: readonly SeenRow[]): Generator<RowOfFile> {
  const regions = group.length > 1 ? group.map(({ box }) => box) : undefined;
  for (const row of group) yield { row, regions };
}
