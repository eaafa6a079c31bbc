import { rmSync } from 'node:fs';
import { sharedServer } from './test-server';

export default async function stopPostgres(): Promise<void> {
  const { server, folder } = sharedServer.take();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
