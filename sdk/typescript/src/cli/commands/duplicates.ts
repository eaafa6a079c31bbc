import { writeFile } from 'node:fs/promises';
import type { MediaPreview } from '../../dataset.js';
import { take } from '../../paging.js';
import type { Command } from '../command.js';
import { UsageError } from '../exit.js';

const BY: Readonly<Record<string, (a: MediaPreview, b: MediaPreview) => number>> = {
  largest: (a, b) => b.width * b.height - a.width * a.height,
  smallest: (a, b) => a.width * a.height - b.width * b.height,
  first: () => 0,
};

interface Group {
  readonly kept: MediaPreview;
  readonly dropped: readonly MediaPreview[];
}

function groupOf(members: readonly MediaPreview[], keep: string): Group {
  const [kept, ...dropped] = [...members].sort((a, b) => BY[keep]!(a, b) || (a.original_uri < b.original_uri ? -1 : 1));
  return { kept: kept!, dropped };
}

export const duplicates: Command = {
  name: 'duplicates',
  operands: 'DATASET',
  summary: 'Find groups of near duplicates, and choose which of each to keep',
  details: 'Nothing is deleted. The others can be written to a file or tagged.',
  options: {
    similarity: { type: 'string', value: 'S', help: 'From 0.8 to 1 (exact copies); default 0.95.' },
    keep: { type: 'string', value: 'WHICH', help: 'largest (the default), smallest, or first by name.' },
    output: {
      type: 'string',
      value: 'FILE',
      help: 'Write the paths of the others to this file, one per line.',
    },
    doubtful: {
      type: 'boolean',
      help: 'Include groups that may have different pictures: large groups, and those whose members are not all similar.',
    },
    tag: { type: 'string', value: 'NAME', help: 'Assign this tag to the others.' },
  },
  async run(run) {
    const keep = run.text('keep') ?? 'largest';
    if (!Object.hasOwn(BY, keep)) throw new UsageError('--keep must be largest, smallest or first');
    const query = { duplicate_threshold: run.number('similarity', 0.95, 0.8, 1), entity_type: 'IMAGES' } as const;
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const groups: Group[] = [];
    let leftOut = 0;
    for await (const cluster of dataset.search(query)) {
      if ((cluster.doubt ?? null) !== null && !run.flag('doubtful')) {
        leftOut += 1;
        continue;
      }
      const members = await take(dataset.members(cluster.cluster_id, query));
      if (members.length > 1) groups.push(groupOf(members, keep));
    }
    const dropped = groups.flatMap((group) => group.dropped);
    const [output, tagName] = [run.text('output'), run.text('tag')];
    if (output !== undefined) await writeFile(output, dropped.map(({ original_uri: path }) => `${path}\n`).join(''));
    if (tagName !== undefined && dropped.length > 0) {
      const tag = (await dataset.tags()).find(({ name }) => name === tagName) ?? (await dataset.createTag(tagName));
      await dataset.assignTag(
        tag.id,
        dropped.map(({ media_id: id }) => id),
      );
    }
    run.answer(groups, () => {
      run.table(
        ['GROUP', '', 'SIZE', 'FILE', 'ID'],
        groups.flatMap(({ kept, dropped: others }, at) =>
          [kept, ...others].map((each) => [
            at + 1,
            each === kept ? 'keep' : '',
            `${each.width} x ${each.height}`,
            each.original_uri,
            each.media_id,
          ]),
        ),
      );
      run.note(`${groups.length} groups; ${dropped.length} media are not kept.`);
      if (leftOut > 0)
        run.note(`${leftOut} more groups may have different pictures: look at them in the console, or use --doubtful.`);
    });
  },
};
