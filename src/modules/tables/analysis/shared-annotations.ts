import { Injectable } from '@nestjs/common';
import { AnnotationFiles } from '../annotation-files/annotation-files';
import type { ReadAnnotations } from '../annotation-files/domain/read-annotations';
import type { ListedSource } from './listed-source';

/** Annotations of different sources that are in memory. */
const MAX_KEPT = 2;
const KEEP_MS = 60_000;

interface Kept {
  readonly annotations: Promise<ReadAnnotations>;
  readonly expiry: NodeJS.Timeout;
}

/** The annotations of a source, read once for all its parts that this process analyses. */
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
