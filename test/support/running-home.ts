import { ProgramHome } from './program-home';

/** The program for a block of tests: started before the first test, and removed after the last. */
export function runningHome(env: Readonly<Record<string, string>> = {}): () => ProgramHome {
  let home: ProgramHome;
  beforeAll(async () => {
    home = await ProgramHome.make(env);
    await home.start();
  });
  afterAll(() => home.remove());
  return () => home;
}
