import { SetMetadata } from '@nestjs/common';

export const MAY_FAIL = 'may-fail';

/**
 * Documents error statuses of a route, besides those that follow from its access rule, its parameters, its body and its rate limit. The contract test
 * fails for a status that is not documented.
 */
export const MayFail = (...statuses: readonly number[]): MethodDecorator & ClassDecorator =>
  SetMetadata(MAY_FAIL, statuses);
