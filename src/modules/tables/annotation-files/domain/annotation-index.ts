import type { PixelBox } from '../../../../common/engine/compute/media-analysis';
import { normalForm } from '../../../../common/platform/text/texts';
import { bytesOfField, type FileField } from './file-fields';
import { decimals, GrowingColumns, integers } from './growing-columns';

export interface AnnotatedObject extends PixelBox {
  readonly label: string;
  /** The confidence of a prediction, 0..1; absent for objects marked by people. */
  readonly confidence?: number;
}

/** The annotations of one file. */
export interface FileAnnotation {
  readonly labels: readonly string[];
  readonly caption: string | null;
  readonly objects: readonly AnnotatedObject[];
  /** Custom fields; absent if there are none. */
  readonly fields?: readonly FileField[];
}

export interface IndexLimits {
  readonly objects: number;
  /** Approximate memory limit for names, captions and links. */
  readonly bytes: number;
}

/** Limited, because each box is compared with all others of its picture, and all are sent to a child in one message. */
export const MOST_BOXES_OF_A_PICTURE = 5_000;

export const INDEX_LIMITS: IndexLimits = { objects: 1_000_000, bytes: 512 * 1024 * 1024 };

const NONE = -1;
const IMAGES_FOLDER = 'images/';
/** Overhead of a string, including its map entry. */
const STRING_BYTES = 80;
const LINK_BYTES = 8;
/** Matches most paths, which need no normalisation. */
const PLAIN_PATH = /^[\w-][\w .,()-]*(?:\/[\w-][\w .,()-]*)*$/;
const MAX_PATH_CHARACTERS = 4096;
const FILE = { objects: 0, labels: 1, boxes: 2 } as const;

/**
 * Annotations by file. Every name is stored once; boxes (56 bytes each) and labels are rows of numbers, linked by file,
 * so that a million objects take some 60 MB and a million labelled files some 200 MB.
 */
export class AnnotationIndex {
  private readonly fileIds = new Map<string, number>();
  private readonly files = new GrowingColumns(integers, 3);
  private readonly captions = new Map<number, string>();
  private readonly fields = new Map<number, FileField[]>();
  private readonly labelIds = new Map<string, number>();
  private readonly labelNames: string[] = [];
  private readonly labelLinks = new GrowingColumns(integers, 2);
  private readonly boxes = new GrowingColumns(decimals, 5);
  private readonly objectLinks = new GrowingColumns(integers, 2);
  private bytes = 0;
  private refused = false;
  private crowded = 0;

  constructor(private readonly limits: IndexLimits = INDEX_LIMITS) {}

  get fileCount(): number {
    return this.fileIds.size;
  }

  get objectCount(): number {
    return this.boxes.length;
  }

  get hasLabels(): boolean {
    return this.labelLinks.length > 0;
  }

  get hasCaptions(): boolean {
    return this.captions.size > 0;
  }

  get hasFields(): boolean {
    return this.fields.size > 0;
  }

  get isFull(): boolean {
    return this.bytes >= this.limits.bytes;
  }

  /** Whether objects beyond the limit were refused. */
  get refusedObjects(): boolean {
    return this.refused;
  }

  /** The number of pictures with more boxes than the limit. */
  get crowdedPictures(): number {
    return this.crowded;
  }

  get(path: string): FileAnnotation | undefined {
    const files = this.filesOf(path);
    if (files.length === 0) return undefined;
    const labels = files.flatMap((file) =>
      this.chain(this.labelLinks, file, FILE.labels).map((row) => this.labelOf(this.labelLinks, row)),
    );
    const [caption] = files.flatMap((file) => this.captions.get(file) ?? []);
    const fields = files.flatMap((file) => this.fields.get(file) ?? []);
    return {
      labels: [...new Set(labels)],
      caption: caption ?? null,
      objects: files.flatMap((file) =>
        this.chain(this.objectLinks, file, FILE.objects).map((row) => this.objectAt(row)),
      ),
      ...(fields.length > 0 && { fields }),
    };
  }

  /** All files in insertion order; files with many labels, objects or fields are split into parts. */
  *parts(most: number): Generator<FileAnnotation & { readonly path: string }> {
    for (const path of this.fileIds.keys()) {
      const { labels, caption, objects, fields = [] } = this.get(path)!;
      const length = Math.max(1, labels.length, objects.length, fields.length);
      for (let at = 0; at < length; at += most) {
        const part = <Item>(items: readonly Item[]): readonly Item[] => items.slice(at, at + most);
        const values = part(fields);
        yield {
          path,
          labels: part(labels),
          caption: at === 0 ? caption : null,
          objects: part(objects),
          ...(values.length > 0 && { fields: values }),
        };
      }
    }
  }

  add({ path, labels, caption, objects, fields }: FileAnnotation & { readonly path: string }): void {
    this.addLabels(path, labels);
    if (caption !== null) this.addCaption(path, caption);
    for (const { label, confidence, ...box } of objects) this.addObject(path, box, label, confidence);
    for (const field of fields ?? []) this.addField(path, field);
  }

  addField(path: string, field: FileField): void {
    const file = this.fileId(path);
    const known = this.fields.get(file);
    if (known === undefined) this.fields.set(file, [field]);
    else known.push(field);
    this.bytes += bytesOfField(field);
  }

  /** Replaces or removes each value of a field. */
  replaceFields(replacement: (field: FileField) => FileField | undefined): void {
    for (const [file, fields] of this.fields) {
      const kept = fields.flatMap((field) => replacement(field) ?? []);
      if (kept.length === 0) this.fields.delete(file);
      else this.fields.set(file, kept);
    }
  }

  addLabels(path: string, labels: readonly string[]): void {
    const file = this.fileId(path);
    for (const label of labels) this.link(this.labelLinks, file, FILE.labels, label);
  }

  /** Keeps the first caption of a file. */
  addCaption(path: string, caption: string): void {
    const file = this.fileId(path);
    if (this.captions.has(file)) return;
    this.captions.set(file, caption);
    this.bytes += STRING_BYTES + caption.length;
  }

  addObject(path: string, box: PixelBox, label: string, confidence = NaN): void {
    if (this.boxes.length >= this.limits.objects) {
      this.refused = true;
      return;
    }
    const file = this.fileId(path);
    const boxes = this.files.get(file, FILE.boxes) + 1;
    if (boxes > MOST_BOXES_OF_A_PICTURE + 1) return;
    this.files.set(file, FILE.boxes, boxes);
    if (boxes > MOST_BOXES_OF_A_PICTURE) {
      this.crowded += 1;
      return;
    }
    this.boxes.push(box.x, box.y, box.width, box.height, confidence);
    this.link(this.objectLinks, file, FILE.objects, label);
  }

  /** Annotated files that are not in `paths`: their number and some examples. */
  async unknownFiles(
    paths: AsyncIterable<string> | Iterable<string>,
    mostExamples = 3,
  ): Promise<{ count: number; examples: readonly string[] }> {
    const known = new Uint8Array(this.fileIds.size);
    for await (const path of paths) {
      for (const file of this.filesOf(path)) known[file] = 1;
    }
    const examples: string[] = [];
    let count = 0;
    for (const [path, file] of this.fileIds) {
      if (known[file] === 1) continue;
      count += 1;
      if (examples.length < mostExamples) examples.push(path);
    }
    return { count, examples };
  }

  /** Exports and most tools put annotations next to a folder `images`, and name files relative to that folder. */
  private filesOf(path: string): number[] {
    const name = normalizedPath(path);
    const names = name.startsWith(IMAGES_FOLDER) ? [name, name.slice(IMAGES_FOLDER.length)] : [name];
    return names.flatMap((each) => this.fileIds.get(each) ?? []);
  }

  private objectAt(row: number): AnnotatedObject {
    const at = (column: number): number => this.boxes.get(row, column);
    const object = { x: at(0), y: at(1), width: at(2), height: at(3), label: this.labelOf(this.objectLinks, row) };
    return Number.isNaN(at(4)) ? object : { ...object, confidence: at(4) };
  }

  private fileId(path: string): number {
    const name = normalizedPath(path);
    const known = this.fileIds.get(name);
    if (known !== undefined) return known;
    const id = this.files.push(NONE, NONE, 0);
    this.fileIds.set(name, id);
    this.bytes += STRING_BYTES + name.length;
    return id;
  }

  private labelId(label: string): number {
    const known = this.labelIds.get(label);
    if (known !== undefined) return known;
    const id = this.labelNames.push(label) - 1;
    this.labelIds.set(label, id);
    this.bytes += STRING_BYTES + label.length;
    return id;
  }

  private link(links: GrowingColumns, file: number, head: number, label: string): void {
    const row = links.push(this.labelId(label), this.files.get(file, head));
    this.files.set(file, head, row);
    this.bytes += LINK_BYTES;
  }

  /** Rows of a file, in insertion order. */
  private chain(links: GrowingColumns, file: number, head: number): number[] {
    const rows: number[] = [];
    for (let row = this.files.get(file, head); row !== NONE; row = links.get(row, 1)) rows.push(row);
    return rows.reverse();
  }

  private labelOf(links: GrowingColumns, row: number): string {
    return this.labelNames[links.get(row, 0)] ?? '';
  }
}

/** Normalises a path: `./a\b.jpg` becomes `a/b.jpg`, in Unicode's composed form. */
export function normalizedPath(path: string): string {
  // Longer than any file name in a dataset.
  if (path.length > MAX_PATH_CHARACTERS || PLAIN_PATH.test(path)) return path;
  return normalForm(path, 'NFC')
    .split(/[\\/]+/)
    .filter((segment) => segment !== '.')
    .join('/');
}
