import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { MAX_METADATA_FIELDS, type MetadataField } from '../../datasets';

export class FieldExistsError extends ConflictError {
  constructor({ name, type }: MetadataField) {
    super(
      `The field ${JSON.stringify(name)} already exists with the type ${type}. Send its values as annotations, or choose another name.`,
    );
  }
}

export class TooManyFieldsError extends ConflictError {
  constructor() {
    super(`The dataset has ${MAX_METADATA_FIELDS} fields, which is the limit.`);
  }
}

export class ValuesSentError extends ConflictError {
  constructor() {
    super('This task has values already. Send further values as annotations.');
  }
}

export class MetadataTaskNotFoundError extends NotFoundError {
  constructor() {
    super('Custom metadata task not found');
  }
}
