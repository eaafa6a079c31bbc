import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ForeignFiles } from '../../../common/engine/compute/readers/foreign-files';
import { ReadLimitError } from '../../../common/engine/compute/readers/reader-messages';
import type { AnnotationPiece, AnnotationSource } from './annotation-files.reader';
import { AnnotationReadError } from './domain/annotation-file';
import { AnnotationIndex, INDEX_LIMITS, type IndexLimits } from './domain/annotation-index';
import { limitWarnings, type ReadAnnotations } from './domain/read-annotations';
import type { ListedSource } from '../analysis/file-list';

/** The number of sources whose annotations are kept in memory. */
const MAX_KEPT = 2;
const KEEP_MS = 60_000;

interface Kept {
  readonly annotations: Promise<ReadAnnotations>;
  readonly expiry: NodeJS.Timeout;
}

/** Reads annotation files, each in a child process. */
@Injectable()
export class AnnotationFiles {
  constructor(private readonly foreignFiles: ForeignFiles) {}

  /** Errors in a file become warnings. Throws if its bytes cannot be read. The limits apply to all files together. */
  async read(files: readonly AnnotationSource[], limits: IndexLimits = INDEX_LIMITS): Promise<ReadAnnotations> {
    const index = new AnnotationIndex(limits);
    const warnings = new Set<string>();
    for (const file of files) {
      if (index.isFull) break;
      for (const warning of await this.readOne(file, index)) warnings.add(warning);
    }
    for (const warning of limitWarnings(index, limits)) warnings.add(warning);
    return { index, warnings: [...warnings] };
  }

  private async readOne(
    { name, source, size, withConfidence = false, withFields = false }: AnnotationSource,
    index: AnnotationIndex,
  ): Promise<readonly string[]> {
    const warnings: string[] = [];
    const labels: string[] = [];
    try {
      const input: AnnotationSource = { name, source, size, withConfidence, withFields };
      for await (const piece of this.foreignFiles.read<AnnotationPiece>({ module: READER, input })) {
        if ('warnings' in piece) {
          warnings.push(...piece.warnings);
          continue;
        }
        for (const label of piece.labels) labels.push(label);
        for (const file of piece.files)
          index.add({
            ...file,
            labels: file.labels.map((number) => labels[number]!),
            objects: file.objects.map((object) => ({ ...object, label: labels[object.label]! })),
          });
        if (index.isFull) break;
      }
    } catch (error) {
      if (!(error instanceof ReadLimitError)) throw new AnnotationReadError(name, { cause: error });
      warnings.push(`${name} is left out: it ${error.message}.`);
    }
    return warnings;
  }
}

/** The annotations of a source, read once for all its parts in this process. */
@Injectable()
export class SharedAnnotations {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly files: AnnotationFiles) {}

  of(listed: Pick<ListedSource, 'key' | 'annotations'>): Promise<ReadAnnotations> {
    const annotations = this.kept.get(listed.key)?.annotations ?? this.files.read(listed.annotations);
    annotations.catch(() => this.forget(listed));
    this.forget(listed);
    const expiry = setTimeout(() => this.forget(listed), KEEP_MS).unref();
    this.kept.set(listed.key, { annotations, expiry });
    for (const key of [...this.kept.keys()].slice(0, -MAX_KEPT)) this.forget({ key });
    return annotations;
  }

  forget({ key }: Pick<ListedSource, 'key'>): void {
    clearTimeout(this.kept.get(key)?.expiry);
    this.kept.delete(key);
  }
}

const READER = join(__dirname, `annotation-files.reader${extname(__filename)}`);
