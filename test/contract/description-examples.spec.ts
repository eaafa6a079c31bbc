import { Ajv2020 } from 'ajv/dist/2020';
import { DESCRIPTION, examplesOf, OPERATIONS } from './description-examples';

describe('each example of the API description', () => {
  const schemas = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  schemas.addSchema({ ...DESCRIPTION, $id: 'description' });

  it.each(OPERATIONS)('of $id exists and matches its schema', (described) => {
    for (const { at, schema, value } of examplesOf(described)) {
      const validate = schemas.compile({ $ref: encodeURI(`description#${schema}`) });
      const isValid = value !== undefined && validate(value);
      expect({ at, isValid, errors: validate.errors }).toEqual({ at, isValid: true, errors: null });
    }
  });
});
