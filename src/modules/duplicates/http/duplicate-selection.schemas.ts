import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { describedAs } from '../../../common/platform/http/description/described-as';
import { givenName, uuid, jsonOf, rejectRepeated } from '../../../common/platform/http/query-values';
import { trimEndOf, trimStartOf } from '../../../common/platform/text/texts';
import { searchBodyFields, searchParameterFields, toSearchQuery } from '../../search';
import { LEAST_SIMILARITY, NEAR_DUPLICATES, NOT_KEPT } from '../../versions';
import { MOST_DECISIONS } from '../domain/decision';
import { KEEP_RULES, type KeepRule } from '../domain/keep-columns';
import { pageFields } from './duplicate.schemas';

const MOST_FOLDERS = 100;
const MOST_MEMBERS = 10_000;
const MAX_NAME = 4_096;

/** Bounds of `POST …/decisions`: some ten thousand ids. */
export const MAX_DECISION_BYTES = 4 * 1024 * 1024;

const { vql, labels, tags, caption, duplicate_threshold } = searchParameterFields;
const filterFields = {
  duplicate_threshold: duplicate_threshold.describe(
    `Groups of near duplicates at this similarity or above, 0.8 to 1; default ${NEAR_DUPLICATES}.`,
  ),
  vql,
  labels,
  tags,
  caption,
};

const ruleName = z
  .enum(KEEP_RULES, { error: `Input should be one of ${KEEP_RULES.join(', ')}` })
  .default('largest')
  .describe(
    'Which member of a group stays: `largest` (most pixels, default), `oldest` (added first), `sharpest`, `folder` ' +
      '(of the preferred folders), or `all`, which calls them different. Of equals the larger one stays, ' +
      'then the one that was added first, then the one with the shorter path.',
  );

const folderList = z.array(z.string().max(MAX_NAME)).max(MOST_FOLDERS);
const FOLDERS = 'With the rule `folder`: the preferred folders, the best one first; each includes those below it.';

const folderText = describedAs(folderList)
  .transform((value, context): readonly string[] => {
    const read = folderList.safeParse(typeof value === 'string' ? jsonOf(value) : undefined);
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: 'Input should be a JSON list of folders' });
    return z.NEVER;
  })
  .optional()
  .meta({ contentMediaType: 'application/json', description: FOLDERS, example: ['originals'] });

const trimmed = (folder: string): string => trimStartOf(trimEndOf(folder, '/'), '/');

const ruleOf = (name: KeepRule['name'], folders: readonly string[] = []): KeepRule => ({
  name,
  folders: folders.map(trimmed),
});

const queryFields = z.object({ ...filterFields, rule: ruleName, folders: folderText });
type Values = Pick<z.output<typeof queryFields>, keyof typeof filterFields>;

function askedOf({ duplicate_threshold: similarity = NEAR_DUPLICATES, ...values }: Values, context: z.RefinementCtx) {
  const query = toSearchQuery(
    {
      ...values,
      entity_type: 'IMAGES',
      threshold: undefined,
      image_caption: undefined,
      textual_similarity_threshold: undefined,
      duplicate_threshold: undefined,
      anchor_media_id: undefined,
      anchor_type: undefined,
    },
    context,
  );
  return { similarity, query };
}

export const groupsQuery = z.preprocess(
  rejectRepeated,
  queryFields.extend(pageFields).transform(({ rule, folders, page_number: page, limit, ...values }, context) => ({
    asked: askedOf(values, context),
    rule: ruleOf(rule, folders),
    page,
    limit,
  })),
);
export type GroupsQuery = z.output<typeof groupsQuery>;

export const overviewQuery = z.preprocess(
  rejectRepeated,
  queryFields.transform(({ rule, folders, ...values }, context) => ({
    asked: askedOf(values, context),
    rule: ruleOf(rule, folders),
  })),
);
export type OverviewQuery = z.output<typeof overviewQuery>;

const optionFields = {
  tag: givenName
    .nullable()
    .default(null)
    .describe('The name of a tag for removed media, which is created if it does not exist; none by default.'),
  carry_tags: z
    .boolean()
    .default(false)
    .describe('Whether tags of removed media are assigned to the kept ones; default false.'),
};

export const ruleBody = z
  .strictObject({
    ...filterFields,
    vql: searchBodyFields.vql,
    duplicate_threshold: z
      .number()
      .min(LEAST_SIMILARITY, { error: NOT_KEPT })
      .max(1)
      .optional()
      .describe(`As in the list of groups; default ${NEAR_DUPLICATES}.`),
    rule: ruleName,
    folders: folderList.optional().describe(FOLDERS),
    group_id: uuid.optional().describe('Only this group; all open ones that are not in doubt by default.'),
    include_doubtful: z
      .boolean()
      .default(false)
      .describe('Whether groups in doubt (`doubt`) are decided too; default false. Does not concern `group_id`.'),
    ...optionFields,
  })
  .transform(
    ({ rule, folders, group_id: groupId, include_doubtful: withDoubted, tag, carry_tags, ...values }, context) => ({
      asked: { ...askedOf(values, context), groupId, withDoubted },
      rule: ruleOf(rule, folders),
      options: { tag, carriesTags: carry_tags },
    }),
  )
  .meta({ example: { duplicate_threshold: 0.98, rule: 'largest', tag: 'to remove', carry_tags: true } });
export type RuleBody = z.output<typeof ruleBody>;

const mediaIds = z.array(uuid.transform((id) => id.toLowerCase())).max(MOST_MEMBERS);

const decision = z
  .object({
    keep: mediaIds,
    remove: mediaIds.default([]).describe('None if all are different.'),
  })
  .refine(({ keep }) => keep.length > 0, {
    path: ['keep'],
    error: 'Input should name a medium that stays',
    abort: true,
  })
  .refine(({ keep, remove }) => new Set([...keep, ...remove]).size === keep.length + remove.length, {
    error: 'Input should name each medium once',
  })
  .refine(({ keep, remove }) => keep.length + remove.length > 1, { error: 'Input should name two media or more' })
  .transform(({ keep, remove }) => ({ kept: keep, removed: remove }));

export const decisionsBody = z
  .object({
    decisions: z
      .array(decision)
      .min(1, { error: 'Input should have a decision' })
      .max(MOST_DECISIONS, { error: `Input should have at most ${MOST_DECISIONS} decisions` }),
    ...optionFields,
  })
  .transform(({ decisions, tag, carry_tags: carriesTags }) => ({ decisions, options: { tag, carriesTags } }))
  .meta({
    example: {
      decisions: [{ keep: [EXAMPLE.media], remove: [EXAMPLE.otherMedia] }],
      tag: 'to remove',
      carry_tags: true,
    },
  });
export type DecisionsBody = z.output<typeof decisionsBody>;
