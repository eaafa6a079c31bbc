import type { AttributeTests } from '../../../common/engine/annotations/attribute-tests';
import { assertCallerWaits } from '../../../common/platform/concurrency/caller-gone';
import type { SourcePart } from './source-part';

const PICTURES_TOGETHER = 1_024;

/** Annotations of a part that pass by its columns, and whose attributes have to be read. */
export class UntestedAnnotations {
  private readonly annotations: number[] = [];
  private readonly pictures: number[] = [];

  constructor(private readonly part: SourcePart) {}

  /** Annotations must ascend. */
  add(annotation: number, picture: number): void {
    this.annotations.push(annotation);
    this.pictures.push(picture);
  }

  /** Visits each annotation that has all of the attributes. Few of them are in memory at a time. */
  async test(tests: AttributeTests, see: (picture: number, annotation: number) => void): Promise<void> {
    const { firsts } = this.part.columns;
    for (let start = 0; start < this.annotations.length;) {
      assertCallerWaits();
      const { pictures, end } = this.next(start);
      const passed = await this.part.withAttributes(tests, pictures);
      let [place, before] = [0, 0];
      for (let at = start; at < end; at++) {
        for (; pictures[place] !== this.pictures[at]; place++)
          before += firsts[pictures[place]! + 1]! - firsts[pictures[place]!]!;
        const annotation = this.annotations[at]!;
        if (passed[before + annotation - firsts[pictures[place]!]!] === 1) see(pictures[place]!, annotation);
      }
      start = end;
    }
  }

  /** The next pictures, and where their annotations end. */
  private next(start: number): { readonly pictures: readonly number[]; readonly end: number } {
    const pictures: number[] = [];
    let end = start;
    for (; end < this.annotations.length; end++) {
      if (pictures.at(-1) === this.pictures[end]) continue;
      if (pictures.length === PICTURES_TOGETHER) break;
      pictures.push(this.pictures[end]!);
    }
    return { pictures, end };
  }
}
