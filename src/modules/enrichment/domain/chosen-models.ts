import type { EnrichmentType } from '../../../common/engine/models/model-manifest';
import type { AppliedModel, AppliedModels } from '../../datasets';
import {
  CombinedEncodingError,
  InactiveModelError,
  MissingDependencyError,
  NoModelChosenError,
  UnknownModelError,
} from './enrichment-errors';

export interface ChosenModel extends AppliedModel {
  readonly type: EnrichmentType;
  /** Applied again, to the objects that a detector of the same request finds and to nothing else. */
  readonly toFoundOnly?: boolean | undefined;
}

/** A model that may be applied. */
export interface KnownModel {
  readonly id: string;
  readonly type: EnrichmentType;
  readonly status: 'Active' | 'Coming Soon';
  readonly dependencies: readonly EnrichmentType[] | null;
}

const DESCRIBING_OBJECTS: ReadonlySet<EnrichmentType> = new Set(['CAPTION_OBJECTS', 'MULTIMODEL_IMAGE_ENCODING']);

/** The models of a request, each after those that it depends on. Throws if one can't be applied. */
export function chooseModels(
  requested: AppliedModels,
  applied: AppliedModels,
  known: readonly KnownModel[],
): ChosenModel[] {
  const chosen = Object.entries(requested) as [EnrichmentType, AppliedModel][];
  if (chosen.length === 0) throw new NoModelChosenError();
  if ('IMAGE_ENCODING' in requested && chosen.length > 1) throw new CombinedEncodingError();
  const dependencies = new Map<EnrichmentType, readonly EnrichmentType[]>();
  for (const [type, { id }] of chosen) {
    const model = known.find((each) => each.id === id && each.type === type);
    const ofType = known.filter((each) => each.type === type && each.status === 'Active');
    if (model === undefined)
      throw new UnknownModelError(
        type,
        id,
        ofType.map((each) => each.id),
      );
    if (model.status !== 'Active') throw new InactiveModelError(id);
    const needed = model.dependencies ?? [];
    const missing = needed.filter((each) => !(each in requested) && !(each in applied));
    if (missing.length > 0) throw new MissingDependencyError(type, id, missing);
    // Objects that are found in the same request are described too, also if the manifest needs no detection.
    dependencies.set(type, DESCRIBING_OBJECTS.has(type) ? [...needed, 'OBJECT_DETECTION'] : needed);
  }
  return inOrder(dependencies).map((type) => ({ type, ...requested[type]! }));
}

export interface RenewedModels {
  readonly renewed: readonly ChosenModel[];
  /** The models that can no longer be applied. */
  readonly gone: readonly ChosenModel[];
}

/** With a detection, the models that described objects before and are not in the request: new objects are described too. */
export function renewedModels(
  chosen: readonly ChosenModel[],
  applied: AppliedModels,
  known: readonly KnownModel[],
): RenewedModels {
  const isChosen = (wanted: EnrichmentType): boolean => chosen.some(({ type }) => type === wanted);
  if (!isChosen('OBJECT_DETECTION')) return { renewed: [], gone: [] };
  const before = [...DESCRIBING_OBJECTS].flatMap((type): ChosenModel[] => {
    const model = isChosen(type) ? undefined : applied[type];
    return model === undefined ? [] : [{ type, ...model, toFoundOnly: true }];
  });
  const isThere = ({ type, id }: ChosenModel): boolean =>
    known.some((each) => each.id === id && each.type === type && each.status === 'Active');
  return { renewed: before.filter(isThere), gone: before.filter((model) => !isThere(model)) };
}

function inOrder(dependencies: ReadonlyMap<EnrichmentType, readonly EnrichmentType[]>): EnrichmentType[] {
  const ordered = new Set<EnrichmentType>();
  const place = (type: EnrichmentType, above: readonly EnrichmentType[]): void => {
    // A circle of dependencies has no order; the models are applied as they come.
    if (above.includes(type)) return;
    for (const each of dependencies.get(type) ?? []) if (dependencies.has(each)) place(each, [...above, type]);
    ordered.add(type);
  };
  for (const type of dependencies.keys()) place(type, []);
  return [...ordered];
}
