import type { Annotation } from '../../annotations/annotation';
import type { LabelHierarchy } from './label-hierarchy';

/** A picture label with this confidence says that people looked for the label and it is not there. */
const ABSENT = 0;

/** The labels that people have looked for in a picture. What is there also is what stands for it, and of what is not there neither is anything below it. */
export class VerifiedLabels {
  private readonly present: ReadonlySet<string>;
  private readonly absent: ReadonlySet<string>;

  constructor(
    private readonly hierarchy: LabelHierarchy,
    shapes: readonly Annotation[],
    pictureLabels: readonly Annotation[],
  ) {
    const isAbsent = ({ confidence }: Annotation): boolean => confidence === ABSENT;
    const present = [...shapes, ...pictureLabels.filter((each) => !isAbsent(each))];
    this.present = new Set(present.flatMap(({ label }) => hierarchy.namesOf(label)));
    this.absent = new Set(pictureLabels.filter(isAbsent).map(({ label }) => label));
  }

  has(name: string): boolean {
    return this.present.has(name) || this.hierarchy.namesOf(name).some((each) => this.absent.has(each));
  }
}
