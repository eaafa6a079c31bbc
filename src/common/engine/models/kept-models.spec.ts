import { KeptModels } from './kept-models';

class Opened {
  isClosed = false;

  constructor(readonly id: string) {}

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

interface Model {
  readonly manifest: { readonly id: string };
}

describe('KeptModels', () => {
  const opened: Opened[] = [];
  const models = new Map<string, Model>();
  const open = ({ manifest: { id } }: Model): Promise<Opened> => {
    if (id === 'missing') return Promise.reject(new Error('There is no model missing'));
    const model = new Opened(id);
    opened.push(model);
    return Promise.resolve(model);
  };
  const openIds = (): string[] => opened.filter(({ isClosed }) => !isClosed).map(({ id }) => id);
  let kept: KeptModels<Model, Opened>;

  beforeEach(() => {
    opened.length = 0;
    models.clear();
    kept = new KeptModels(open, 2);
  });

  const named = (id: string): Model => {
    const model = models.get(id) ?? { manifest: { id } };
    models.set(id, model);
    return model;
  };
  const use = (id: string): Promise<string> => kept.use(named(id), (model) => Promise.resolve(model.id));

  it('opens each model once for concurrent callers', async () => {
    expect(await Promise.all([use('a'), use('a'), use('b')])).toEqual(['a', 'a', 'b']);
    await use('a');
    expect(opened).toHaveLength(2);
  });

  it('closes the least recently used one, and opens it again on demand', async () => {
    for (const id of ['a', 'b', 'a', 'c']) await use(id);
    expect(openIds()).toEqual(['a', 'c']);
    await use('b');
    expect(openIds()).toEqual(['c', 'b']);
  });

  it('closes none in use', async () => {
    let finish: () => void = () => undefined;
    const long = kept.use(named('a'), () => new Promise<void>((resolve) => (finish = resolve)));
    for (const id of ['b', 'c', 'd']) await use(id);
    expect(openIds()).toEqual(['a', 'd']);
    finish();
    await long;
    await use('b');
    expect(openIds()).toEqual(['d', 'b']);
  });

  it('opens a model again when its manifest has changed, and closes the earlier one when it is no longer used', async () => {
    let finish: () => void = () => undefined;
    const long = kept.use(named('a'), () => new Promise<void>((resolve) => (finish = resolve)));
    models.delete('a');
    await use('a');
    await use('a');
    expect(openIds()).toEqual(['a', 'a']);
    finish();
    await long;
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('drops a model that failed to open, but not one whose work failed', async () => {
    await expect(use('missing')).rejects.toThrow('There is no model missing');
    await expect(use('missing')).rejects.toThrow('There is no model missing');
    await expect(kept.use(named('a'), () => Promise.reject(new Error('bad picture')))).rejects.toThrow('bad picture');
    for (const id of ['b', 'a']) await use(id);
    expect(openIds()).toEqual(['a', 'b']);
  });
});
