import { issuesOf, type Issue, type MediaItem } from '../domain/media-item';
import type { ExportInfo } from './archive-format';
import {
  duplicateItem,
  givenCaptionItem,
  givenLabelItem,
  issueItem,
  metadataItems,
  score,
  type MetadataItem,
} from './metadata.presenter';

type Around = readonly [before: string, after: string];

const MOST_LABELS = 10_000;
const TEXT_HOLE = '\u0000';
const NUMBER_HOLE = 0.123456;

/** The JSON of an item before and after its only value that differs between media. */
function around(item: MetadataItem, hole: string | number): Around {
  const [before, after] = JSON.stringify(item).split(JSON.stringify(hole));
  return [before!, after!];
}

const CAPTION = around(givenCaptionItem(TEXT_HOLE), TEXT_HOLE);

/**
 * Writes the metadata items of media as JSON. What most media have is put together from texts made once, which takes a fraction of the
 * time of `JSON.stringify`.
 */
export class MetadataTexts {
  private readonly labels = new Map<string, string>();
  private readonly issues = new Map<string, Around>();
  private duplicates: { readonly similarity: number; readonly around: Around } | undefined;

  constructor(private readonly info: ExportInfo) {}

  of(item: MediaItem): string {
    if (!isPlain(item)) return JSON.stringify(metadataItems(item, this.info));
    const { row, duplicates } = item;
    let text = '';
    for (const issue of issuesOf(row)) text += `,${this.issue(issue)}`;
    if (duplicates !== null) {
      const [before, after] = this.duplicate(duplicates.similarity);
      text += `,${before}${JSON.stringify(duplicates.groupId)}${after}`;
    }
    for (const label of row.labels) text += `,${this.label(label)}`;
    if (row.caption !== null) text += `,${CAPTION[0]}${JSON.stringify(row.caption)}${CAPTION[1]}`;
    return `[${text.slice(1)}]`;
  }

  private issue(issue: Issue): string {
    if (typeof issue.suggestedLabel === 'string') return JSON.stringify(issueItem(issue));
    let known = this.issues.get(issue.type);
    if (known === undefined) {
      known = around(issueItem({ type: issue.type, confidence: NUMBER_HOLE }), NUMBER_HOLE);
      this.issues.set(issue.type, known);
    }
    return `${known[0]}${score(issue.confidence)}${known[1]}`;
  }

  private label(label: string): string {
    const known = this.labels.get(label);
    if (known !== undefined) return known;
    const text = JSON.stringify(givenLabelItem(label));
    if (this.labels.size < MOST_LABELS) this.labels.set(label, text);
    return text;
  }

  private duplicate(similarity: number): Around {
    if (this.duplicates?.similarity !== similarity) {
      const item = duplicateItem({ groupId: TEXT_HOLE, similarity });
      this.duplicates = { similarity, around: around(item, TEXT_HOLE) };
    }
    return this.duplicates.around;
  }
}

/** Whether there is nothing to tell but issues, copies, and the labels and the caption that people gave. */
const isPlain = ({ row, objects, tags, imageError }: MediaItem): boolean =>
  row.kind !== 'FRAME' &&
  row.generatedLabels === null &&
  row.generatedCaption === null &&
  row.textLines === null &&
  row.customMetadata === null &&
  objects.length === 0 &&
  tags.length === 0 &&
  imageError === null;
