import { SetMetadata } from '@nestjs/common';

export const MAY_FAIL = 'may-fail';

/**
 * Documents statuses of errors of a route, besides those that follow from its access rule, its parameters, its body and its rate limit.
 * The contract test fails on a status that is not described.
 */
export const MayFail = (...statuses: readonly number[]): MethodDecorator & ClassDecorator =>
  SetMetadata(MAY_FAIL, statuses);
