import { BadRequestError } from '../../../common/platform/errors/domain-error';

export class UnknownSettingError extends BadRequestError {
  constructor(name: string) {
    super(`Unknown setting: ${name}`);
  }
}

export class SecretSettingError extends BadRequestError {
  constructor(name: string) {
    super(`${name} is a secret: only the environment of the service holds it`);
  }
}

export class StartTimeSettingError extends BadRequestError {
  constructor(name: string) {
    super(`${name} is read when the service starts: change it in its environment, and start it again`);
  }
}

export class InvalidSettingValueError extends BadRequestError {
  constructor(name: string, why: string) {
    super(`${name} ${why}`);
  }
}
