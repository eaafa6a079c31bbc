import type { components } from 'dataset-media-service-sdk';

type Page = components['schemas']['AnnotationPage'];

/** Asks for a page of annotations. */
export type AskPage = (asked: {
  readonly limit: number;
  readonly source?: string;
  readonly cursor?: string;
}) => Promise<Page>;

/** A source of which not all annotations are shown. */
export interface CutSource {
  readonly source: string;
  readonly shown: number;
  readonly total: number;
}

export interface FairAnnotations {
  readonly annotations: Page['annotations'];
  readonly cut: readonly CutSource[];
}

/** Of one page. */
const MOST_PER_PAGE = 1_000;

/** The largest shares that add up to at most this: small wishes are granted whole. */
export function sharesOf(wishes: readonly number[], most: number): readonly number[] {
  const shares = wishes.map(() => 0);
  let left = most;
  [...wishes.keys()]
    .sort((one, other) => wishes[one]! - wishes[other]!)
    .forEach((at, before) => {
      shares[at] = Math.min(wishes[at]!, Math.floor(left / (wishes.length - before)));
      left -= shares[at];
    });
  return shares;
}

/** All annotations if there are at most so many, otherwise a fair share of each source. */
export async function listFairly(
  ask: AskPage,
  namesOfSources: () => Promise<readonly string[]>,
  most: number,
): Promise<FairAnnotations> {
  const first = await ask({ limit: MOST_PER_PAGE });
  if (first.total <= most) return { annotations: await restOf(ask, first, first.total), cut: [] };
  const names = await namesOfSources();
  const limit = Math.max(1, Math.min(MOST_PER_PAGE, Math.floor(most / names.length)));
  const pages = await Promise.all(names.map((source) => ask({ source, limit })));
  const shares = sharesOf(
    pages.map(({ total }) => total),
    most,
  );
  const lists = await Promise.all(
    names.map((source, at) => restOf((asked) => ask({ ...asked, source }), pages[at]!, shares[at]!)),
  );
  const cut = names.map((source, at) => ({ source, shown: lists[at]!.length, total: pages[at]!.total }));
  return { annotations: lists.flat(), cut: cut.filter(({ shown, total }) => shown < total) };
}

/** The annotations of a page and of those after it, so many of them. */
async function restOf(ask: AskPage, first: Page, wanted: number): Promise<Page['annotations']> {
  const annotations = first.annotations.slice(0, wanted);
  let cursor = first.next_cursor;
  while (cursor !== null && annotations.length < wanted) {
    const page = await ask({ cursor, limit: Math.min(MOST_PER_PAGE, wanted - annotations.length) });
    annotations.push(...page.annotations);
    cursor = page.next_cursor;
  }
  return annotations;
}
