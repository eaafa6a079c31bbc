import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];

/** Whether a program can be started by its name. Only searches for the file, because some programs need a tenth of a second to print their version. */
export async function isOnPath(name: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = folders.flatMap((folder) => ENDINGS.map((ending) => join(folder, `${name}${ending}`)));
  const found = await Promise.allSettled(places.map((place) => access(place, constants.X_OK)));
  return found.some(({ status }) => status === 'fulfilled');
}
