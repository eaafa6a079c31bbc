import type { PixelBox } from '../../../../common/engine/compute/media-analysis';
import type { AnnotationFileName } from './annotation-file';
import type { AnnotationIndex } from './annotation-index';
import { RejectedRows, MalformedAnnotationError } from './annotation-warnings';
import { asText, parseLabels } from './label-literal';

/** Larger coordinates are invalid. */
const MAX_PIXEL = 1e7;

type Cells = (column: string) => unknown;

export const NOT_NUMBERS = 'a coordinate is not a number of pixels';
export const NO_AREA = 'width and height must be above 0';
const NO_FILE_NAME = 'no filename';
const NO_LABEL = 'no label';
export const NO_CONFIDENCE = 'a confidence is not a number from 0 to 1';

export interface TableOptions {
  /** Whether objects may have a confidence, as predictions have. */
  readonly withConfidence?: boolean;
}

/** One of the two annotation tables, from CSV or Parquet. */
export abstract class AnnotationTable {
  readonly rejected = new RejectedRows();
  protected abstract readonly required: readonly string[];
  protected abstract readonly optional: readonly string[];

  constructor(protected readonly index: AnnotationIndex) {}

  /** The columns to read; throws if a required one is missing. */
  columnsAmong(names: readonly string[]): string[] {
    const missing = this.required.filter((column) => !names.includes(column));
    if (missing.length > 0) {
      const has = names.slice(0, 12).map((name) => JSON.stringify(name.slice(0, 40)));
      throw new MalformedAnnotationError(
        `it has no column ${missing.join(', ')}; its columns are ${has.join(', ') || 'none'}`,
      );
    }
    return [...this.required, ...this.optional].filter((column) => names.includes(column));
  }

  /** Whether there is room for more. */
  abstract get hasRoom(): boolean;

  add(cells: Cells, row: number): void {
    const path = asText(cells('filename')).trim();
    const reason = path === '' ? NO_FILE_NAME : this.addOf(path, cells);
    if (reason !== undefined) this.rejected.add(reason, row);
  }

  /** The reason for rejecting the row, if any. */
  protected abstract addOf(path: string, cells: Cells): string | undefined;
}

class ImageTable extends AnnotationTable {
  protected override readonly required = ['filename', 'label'];
  protected override readonly optional = ['caption'];

  override get hasRoom(): boolean {
    return !this.index.isFull;
  }

  protected override addOf(path: string, cells: Cells): undefined {
    this.index.addLabels(path, parseLabels(cells('label')));
    const caption = asText(cells('caption')).trim();
    if (caption !== '') this.index.addCaption(path, caption);
  }
}

class ObjectTable extends AnnotationTable {
  protected override readonly required = ['filename', 'col_x', 'row_y', 'width', 'height', 'label'];
  protected override readonly optional: readonly string[];

  constructor(index: AnnotationIndex, { withConfidence = false }: TableOptions) {
    super(index);
    this.optional = withConfidence ? ['confidence'] : [];
  }

  override get hasRoom(): boolean {
    return !this.index.isFull && !this.index.refusedObjects;
  }

  protected override addOf(path: string, cells: Cells): string | undefined {
    const box = pixelBox(cells('col_x'), cells('row_y'), cells('width'), cells('height'));
    if (typeof box === 'string') return box;
    const label = asText(cells('label')).trim();
    if (label === '') return NO_LABEL;
    const confidence = confidenceOf(cells('confidence'));
    if (typeof confidence === 'string') return confidence;
    this.index.addObject(path, box, label, confidence);
    return undefined;
  }
}

export function tableFor(
  name: AnnotationFileName,
  index: AnnotationIndex,
  options: TableOptions = {},
): AnnotationTable {
  return name.startsWith('object_') ? new ObjectTable(index, options) : new ImageTable(index);
}

/** Undefined if there is none; a text is the reason why it is invalid. */
export function confidenceOf(cell: unknown): number | string | undefined {
  const text = asText(cell).trim();
  if (text === '') return undefined;
  const confidence = Number(text);
  return confidence >= 0 && confidence <= 1 ? confidence : NO_CONFIDENCE;
}

/** The box, or the reason why it is invalid. */
export function pixelBox(...cells: readonly [unknown, unknown, unknown, unknown]): PixelBox | string {
  const [x, y, width, height] = cells.map(asNumber) as [number, number, number, number];
  if (![x, y, width, height].every((value) => Math.abs(value) <= MAX_PIXEL)) return NOT_NUMBERS;
  return width > 0 && height > 0 ? { x, y, width, height } : NO_AREA;
}

function asNumber(cell: unknown): number {
  const text = asText(cell).trim();
  return text === '' ? NaN : Number(text);
}
