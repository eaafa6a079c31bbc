import { Injectable } from '@nestjs/common';
import { KINDS_OF, rowsBetween, type EntityType, type OpenedVersion } from '../versions';
import type { LabelSuggestion } from './domain/label-suggestion';
import { KeptLabelRepository } from './persistence/kept-label.repository';

/** The most confident ones; more are suggested once these are decided. */
export const MOST_SUGGESTIONS = 50_000;

export interface AskedSuggestions {
  readonly entityType: EntityType;
  /** That a label is wrong. */
  readonly least: number;
}

export interface FoundSuggestions {
  /** The most confident first. */
  readonly suggestions: readonly LabelSuggestion[];
  /** Media with several labels, of which it is not known which one looks wrong. */
  readonly several: number;
}

/** What indexing suggests instead of labels that look wrong, without what people have decided since. */
@Injectable()
export class LabelSuggestions {
  constructor(private readonly kept: KeptLabelRepository) {}

  async of(
    datasetId: string,
    version: OpenedVersion,
    { entityType, least }: AskedSuggestions,
  ): Promise<FoundSuggestions> {
    const { table, index } = version;
    const { mislabels: confidences } = await version.measures();
    const doubtful = await rowsBetween(confidences, least, 1);
    const rows = Array.from(doubtful.and(await index.rowsOf(KINDS_OF[entityType])).toArray())
      .sort((a, b) => confidences[b]! - confidences[a]! || a - b)
      .slice(0, MOST_SUGGESTIONS);
    const read = await table.takeRows(rows, ['id', 'suggestedLabel']);
    const kept = await this.kept.of(
      datasetId,
      read.map(({ id }) => id),
    );
    const suggestions: LabelSuggestion[] = [];
    let several = 0;
    for (const [at, row] of rows.entries()) {
      const { id: mediaId, suggestedLabel: suggested } = read[at]!;
      const labels = index.labelsOf(row);
      if (suggested === null || labels.length === 0 || labels.includes(suggested)) continue;
      const label = labels[0]!;
      const known = kept.get(mediaId);
      if (labels.length > 1) several += 1;
      else if (known?.label !== label || known.suggested !== suggested)
        suggestions.push({ row, mediaId, label, suggested, confidence: confidences[row]! });
    }
    return { suggestions, several };
  }
}
