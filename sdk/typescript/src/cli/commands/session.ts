import { MediaService } from '../../service.js';
import type { Credentials } from '../../credentials.js';
import { UnauthenticatedError } from '../../errors.js';
import { Questions } from '../ask.js';
import type { Command } from '../command.js';
import { UsageError } from '../exit.js';
import { DEFAULT_URL, profilePath, removeProfile, writeProfile } from '../profile.js';

async function takesCallers(url: string, credentials: Credentials | undefined): Promise<boolean> {
  try {
    await new MediaService({ url, credentials }).datasets();
    return true;
  } catch (error) {
    if (error instanceof UnauthenticatedError) return false;
    throw error;
  }
}

const isLoopback = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

export const login: Command = {
  name: 'login',
  operands: '',
  summary: 'Save the address of a service and its API key',
  details:
    'Asks for the key and its secret, or reads them from the standard input, a line each. Get them in a browser at\n' +
    '/api/v1/api_credentials of the service. They are saved in a file that only you can read. A service without sign-in needs none.',
  options: {},
  async run(run) {
    const questions = new Questions();
    try {
      const url =
        run.url ??
        (process.stdin.isTTY ? await questions.ask('Address of the service', { fallback: DEFAULT_URL }) : undefined);
      if (url === undefined) throw new UsageError('Give the address of the service: dms login --url URL');
      if (!URL.canParse(url)) throw new UsageError(`"${url}" is not a URL, such as ${DEFAULT_URL}`);
      if (await takesCallers(url, undefined)) {
        await writeProfile({ url });
        run.answer({ url, signed_in: false }, () =>
          run.print(`The service at ${url} needs no sign-in. Its address is saved in ${profilePath()}.`),
        );
        return;
      }
      if (url.startsWith('http:') && !isLoopback(url))
        run.note('WARNING: the address is http, so that others on the network can read what is sent.');
      const apiKey = await questions.ask('API key');
      const apiSecret = await questions.ask('API secret', { secret: true });
      if (!(await takesCallers(url, { apiKey, apiSecret }))) {
        run.note('The service does not accept this key and secret.');
        return 3;
      }
      await writeProfile({ url, api_key: apiKey, api_secret: apiSecret });
      run.answer({ url, signed_in: true }, () =>
        run.print(`Signed in to ${url}. The key is saved in ${profilePath()}.`),
      );
    } finally {
      questions.close();
    }
  },
};

export const logout: Command = {
  name: 'logout',
  operands: '',
  summary: 'Delete the saved address and API key',
  options: {},
  async run(run) {
    await removeProfile();
    run.answer({ signed_in: false }, () =>
      run.print('Signed out. The key stays valid until you revoke it in the service.'),
    );
  },
};
