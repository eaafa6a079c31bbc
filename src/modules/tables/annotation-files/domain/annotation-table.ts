import type { PixelBox } from '../../../../common/engine/compute/media-analysis';
import { type AnnotationFileName, RejectedRows, MalformedAnnotationError, isLong, LONG_TEXT } from './annotation-file';
import type { AnnotationIndex } from './annotation-index';
import { fieldColumns, fieldOf, asText, parseLabels } from './file-fields';

/** Larger coordinates are invalid. */
const MAX_PIXEL = 1e7;

type Cells = (column: string) => unknown;

export const NOT_NUMBERS = 'a coordinate is not a number of pixels';
export const NO_AREA = 'width and height must be above 0';
const NO_FILE_NAME = 'no filename';
const NO_LABEL = 'no label';
export const NO_CONFIDENCE = 'a confidence is not a number from 0 to 1';

export interface TableOptions {
  /** Whether objects may have a confidence, like predictions. */
  readonly withConfidence?: boolean;
  /** Whether images may have custom fields. */
  readonly withFields?: boolean;
}

/** One of the two annotation tables, from CSV or Parquet. */
export abstract class AnnotationTable {
  readonly rejected = new RejectedRows();
  protected abstract readonly required: readonly string[];
  /** The columns with custom fields. */
  protected fieldColumns: readonly string[] = [];
  protected abstract readonly optional: readonly string[];

  constructor(
    protected readonly index: AnnotationIndex,
    private readonly withFields = false,
  ) {}

  /** The columns to read; throws if a required one is missing. */
  columnsAmong(names: readonly string[]): string[] {
    this.fieldColumns = this.withFields ? fieldColumns(names) : [];
    const missing = this.required.filter((column) => !names.includes(column));
    if (missing.length > 0) {
      const has = names.slice(0, 12).map((name) => JSON.stringify(name.slice(0, 40)));
      throw new MalformedAnnotationError(
        `it has no column ${missing.join(', ')}; its columns are ${has.join(', ') || 'none'}`,
      );
    }
    const own = [...this.required, ...this.optional].filter((column) => names.includes(column));
    return [...new Set([...own, ...this.fieldColumns])];
  }

  /** Whether there is room for more. */
  abstract get hasRoom(): boolean;

  add(cells: Cells, row: number): void {
    const path = asText(cells('filename')).trim();
    const reason = reasonAgainst(path) ?? this.addOf(path, cells);
    if (reason !== undefined) this.rejected.add(reason, row);
  }

  /** The reason for rejecting the row, if any. */
  protected abstract addOf(path: string, cells: Cells): string | undefined;
}

class ImageTable extends AnnotationTable {
  protected override readonly optional = ['label', 'caption'];

  constructor(
    index: AnnotationIndex,
    /** Whether all cells are texts, regardless of the type of the value. */
    private readonly isText: boolean,
    { withFields = false }: TableOptions,
  ) {
    super(index, withFields);
  }

  /** Fields may be given without labels. */
  protected override get required(): readonly string[] {
    return this.fieldColumns.length > 0 ? ['filename'] : ['filename', 'label'];
  }

  override get hasRoom(): boolean {
    return !this.index.isFull;
  }

  protected override addOf(path: string, cells: Cells): string | undefined {
    const fields = this.fieldColumns.map((column) => fieldOf(column, cells(column), this.isText));
    const reason = fields.find((field) => typeof field === 'string');
    if (reason !== undefined) return reason;
    const labels = parseLabels(cells('label'));
    const caption = asText(cells('caption')).trim();
    if (labels.some(isLong) || isLong(caption)) return LONG_TEXT;
    this.index.addLabels(path, labels);
    if (caption !== '') this.index.addCaption(path, caption);
    for (const field of fields) if (typeof field === 'object') this.index.addField(path, field);
    return undefined;
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
    if (isLong(label)) return LONG_TEXT;
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
  return name.startsWith('object_')
    ? new ObjectTable(index, options)
    : new ImageTable(index, name.endsWith('.csv'), options);
}

function reasonAgainst(path: string): string | undefined {
  if (path === '') return NO_FILE_NAME;
  return isLong(path) ? LONG_TEXT : undefined;
}

/** Returns undefined if there is none; a text is the reason why it is invalid. */
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
