import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  ServiceBusyError,
} from '../../../common/platform/errors/domain-error';
import type { EnrichmentType } from '../../../common/engine/models/model-manifest';

export class NoModelChosenError extends BadRequestError {
  constructor() {
    super('enrichment_models is empty: choose at least one model of list_models');
  }
}

export class UnknownModelError extends BadRequestError {
  constructor(type: EnrichmentType, id: string, known: readonly string[]) {
    super(
      known.length === 0
        ? `There is no model ${id} of type ${type}, and no other of this type; list_models lists the available models`
        : `There is no model ${id} of type ${type}; there is ${known.join(', ')}`,
    );
  }
}

export class InactiveModelError extends BadRequestError {
  constructor(id: string) {
    super(`The model ${id} is Coming Soon; only models that are Active can be applied`);
  }
}

export class MissingDependencyError extends BadRequestError {
  constructor(type: EnrichmentType, id: string, missing: readonly EnrichmentType[]) {
    super(`${type} by ${id} needs ${missing.join(' and ')} first: choose a model of it in the same request`);
  }
}

export class CombinedEncodingError extends BadRequestError {
  constructor() {
    super('IMAGE_ENCODING is applied alone, because all media are compared again: apply the other models afterwards');
  }
}

export class ContextNotFoundError extends NotFoundError {
  constructor() {
    super('Enrichment context not found');
  }
}

export class PreviewsDisabledError extends ForbiddenError {
  constructor() {
    super('Enrichment preview feature is not enabled');
  }
}

export class PreviewTooSlowError extends ServiceBusyError {
  constructor(limitMs: number) {
    super(
      `The models did not finish the preview within ${limitMs / 1000} seconds. Choose fewer models, or try again`,
      60,
    );
  }
}
