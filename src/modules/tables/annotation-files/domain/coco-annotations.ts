import {
  type AnnotationFile,
  RejectedRows,
  MalformedAnnotationError,
  isLong,
  LONG_TEXT,
  chunksOf,
} from './annotation-file';
import { confidenceOf, NOT_NUMBERS, pixelBox, type TableOptions } from './annotation-table';
import type { AnnotationIndex } from './annotation-index';
import { decimals, GrowingColumns, integers } from './growing-columns';
import { JsonListScanner } from '../../../../common/engine/annotation-formats/json-list-scanner';
import { asText, parseLabels } from './file-fields';

const MAX_ANNOTATIONS = 10_000_000;
const MAX_NAMES = 5_000_000;
const SECTIONS = ['images', 'categories', 'annotations'] as const;
type Section = (typeof SECTIONS)[number];

const NO_BOX = -1;
const ANNOTATION = { image: 0, category: 1, box: 2 } as const;

/**
 * Reads a COCO file with its lists in any order: annotations are stored as rows of numbers until the names of their image and
 * category are known. Only one element of a list is in memory at a time, however large the file is.
 */
export class CocoReader {
  readonly rejected = new RejectedRows();
  private readonly images = new NamedIds();
  private readonly categories = new NamedIds();
  private readonly annotations = new GrowingColumns(integers, 3);
  private readonly boxes = new GrowingColumns(decimals, 5);
  private readonly captions = new Map<number, string>();
  private readonly seen = { images: 0, categories: 0, annotations: 0 };
  private describedImages = 0;

  constructor(
    private readonly index: AnnotationIndex,
    private readonly options: TableOptions = {},
  ) {}

  async read(file: AnnotationFile): Promise<void> {
    const scanner = new JsonListScanner(SECTIONS, (list, value) => this.take(list as Section, value));
    try {
      for await (const chunk of chunksOf(file)) {
        scanner.write(chunk);
        this.assertModest();
      }
      scanner.end();
    } finally {
      this.resolve();
    }
    const missing = SECTIONS.filter((section) => this.seen[section] === 0 && this.isNeeded(section));
    if (missing.length > 0)
      throw new MalformedAnnotationError(`its list of ${missing.join(' and of ')} is missing or empty`);
  }

  /** Images may have labels and captions; annotations may also have captions only. */
  private isNeeded(section: Section): boolean {
    if (section === 'images') return true;
    return this.describedImages === 0 && (section === 'annotations' || this.captions.size === 0);
  }

  private assertModest(): void {
    const names = this.images.count + this.categories.count + this.captions.size;
    if (this.annotations.length <= MAX_ANNOTATIONS && names <= MAX_NAMES) return;
    throw new MalformedAnnotationError(
      `it holds more than ${MAX_NAMES} images and categories or ${MAX_ANNOTATIONS} annotations, and those beyond are left out`,
    );
  }

  private take(section: Section, value: unknown): void {
    this.seen[section] += 1;
    const at = this.seen[section];
    const item: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
    const reason = this.reasonToLeaveOut(section, item);
    if (reason !== undefined) this.rejected.add(reason, at);
  }

  private reasonToLeaveOut(section: Section, item: Record<string, unknown>): string | undefined {
    switch (section) {
      case 'images':
        return this.addImage(item);
      case 'categories':
        return this.addCategory(item);
      case 'annotations':
        return this.annotate(item);
    }
  }

  private addImage({ id, file_name: name, labels, caption }: Record<string, unknown>): string | undefined {
    // Not trimmed: a file name may start or end with a space.
    if (!isId(id) || typeof name !== 'string' || name.trim() === '')
      return 'one of its images has no id or no file_name';
    if (isLong(name)) return LONG_TEXT;
    this.images.name(id, name);
    if (this.index.isFull) return undefined;
    const texts = Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
    const own = parseLabels(texts);
    const text = textOf(caption);
    if (own.some(isLong) || isLong(text)) return LONG_TEXT;
    if (own.length > 0) this.index.addLabels(name, own);
    if (text !== '') this.index.addCaption(name, text);
    if (own.length > 0 || text !== '') this.describedImages += 1;
    return undefined;
  }

  private addCategory({ id, name }: Record<string, unknown>): string | undefined {
    const text = asText(name).trim();
    if (!isId(id) || text === '') return 'one of its categories has no id or no name';
    if (isLong(text)) return LONG_TEXT;
    this.categories.name(id, text);
    return undefined;
  }

  private annotate(annotation: Record<string, unknown>): string | undefined {
    const { image_id: image, category_id: category, bbox } = annotation;
    const caption = textOf(annotation['caption']);
    if (isId(image) && category === undefined && caption !== '') {
      if (isLong(caption)) return LONG_TEXT;
      const slot = this.images.slot(image);
      if (!this.captions.has(slot)) this.captions.set(slot, caption);
      return undefined;
    }
    if (!isId(image) || !isId(category)) return 'an annotation has no image_id or no category_id';
    const isWhole = bbox === undefined || bbox === null || (Array.isArray(bbox) && bbox.length === 0);
    let row = NO_BOX;
    if (!isWhole) {
      if (!Array.isArray(bbox) || bbox.length !== 4) return NOT_NUMBERS;
      const box = pixelBox(...(bbox as [unknown, unknown, unknown, unknown]));
      if (typeof box === 'string') return box;
      const confidence = this.options.withConfidence === true ? confidenceOf(annotation['score']) : undefined;
      if (typeof confidence === 'string') return confidence;
      row = this.boxes.push(box.x, box.y, box.width, box.height, confidence ?? NaN);
    }
    this.annotations.push(this.images.slot(image), this.categories.slot(category), row);
    return undefined;
  }

  private resolve(): void {
    for (let i = 0; i < this.annotations.length && !this.index.isFull; i++) {
      const path = this.images.at(this.annotations.get(i, ANNOTATION.image));
      const label = this.categories.at(this.annotations.get(i, ANNOTATION.category));
      const box = this.annotations.get(i, ANNOTATION.box);
      if (path === undefined) this.rejected.add('its image_id is not among the images', i + 1);
      else if (label === undefined) this.rejected.add('its category_id is not among the categories', i + 1);
      else if (box === NO_BOX) this.index.addLabels(path, [label]);
      else this.index.addObject(path, this.boxOf(box), label, this.boxes.get(box, 4));
    }
    for (const [image, caption] of this.captions) {
      if (this.index.isFull) return;
      const path = this.images.at(image);
      if (path !== undefined) this.index.addCaption(path, caption);
    }
  }

  private boxOf(row: number): { x: number; y: number; width: number; height: number } {
    const at = (column: number): number => this.boxes.get(row, column);
    return { x: at(0), y: at(1), width: at(2), height: at(3) };
  }
}

type Id = string | number;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

/** Names by their id, which may be referenced before it is defined. */
class NamedIds {
  private readonly slots = new Map<Id, number>();
  private readonly names: (string | undefined)[] = [];

  get count(): number {
    return this.names.length;
  }

  slot(id: Id): number {
    const known = this.slots.get(id);
    if (known !== undefined) return known;
    const slot = this.names.push(undefined) - 1;
    this.slots.set(id, slot);
    return slot;
  }

  name(id: Id, name: string): void {
    this.names[this.slot(id)] = name;
  }

  at(slot: number): string | undefined {
    return this.names[slot];
  }
}
