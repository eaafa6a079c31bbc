import { comparedFields, type ListedMedia } from './compared-fields';

const BLANK = {
  caption: null,
  caption_source: null,
  generated_caption: null,
  label_sources: [],
  user_tags: null,
  objects: [],
} as unknown as ListedMedia;

const of = (known: object): ListedMedia => ({ ...BLANK, ...known });
const object = (id: string, label: string, confidence: number | null, caption: string | null = null) => ({
  media_id: id,
  caption,
  label_sources: [{ label, confidence }],
});

describe('comparing two states of a medium', () => {
  it('omits fields without a value in either state', () => {
    expect(comparedFields(BLANK, BLANK)).toEqual([]);
    expect(comparedFields(of({ user_tags: { id: { name: 'kept', count: 1 } } }), BLANK)).toEqual([
      { name: 'tags', before: [{ key: 'kept', text: 'kept', note: null, differs: true }], now: [] },
    ]);
  });

  it('marks a caption by a model beside one by a person', () => {
    const people = { caption: 'A boat', caption_source: 'User' };
    const [field] = comparedFields(of(people), of({ ...people, generated_caption: 'A ship at sea' }));
    expect(field!.before).toEqual([{ key: 'A boat', text: 'A boat', note: 'by people', differs: false }]);
    expect(field!.now).toEqual([
      { key: 'A boat', text: 'A boat', note: 'by people', differs: false },
      { key: 'A ship at sea', text: 'A ship at sea', note: 'by a model', differs: true },
    ]);
  });

  it('marks a caption by a model that equals one by a person', () => {
    const people = { caption: 'A boat', caption_source: 'User' };
    const [field] = comparedFields(of(people), of({ ...people, generated_caption: 'A boat' }));
    expect(field!.now).toEqual([
      { key: 'A boat', text: 'A boat', note: 'by people; a model writes the same', differs: false },
    ]);
  });

  it('names the model of a caption once', () => {
    const model = { caption: 'A ship', caption_source: 'captioner', generated_caption: 'A ship' };
    expect(comparedFields(BLANK, of(model))[0]!.now).toEqual([
      { key: 'A ship', text: 'A ship', note: 'by captioner', differs: true },
    ]);
  });

  it('shows a label by both a person and a model once, with its confidence', () => {
    const sources = [
      { label: 'boat', source: 'User', confidence: null },
      { label: 'boat', source: 'tagger', confidence: 0.9 },
      { label: 'sea', source: 'tagger', confidence: 0.5 },
    ];
    const [field] = comparedFields(of({ label_sources: sources.slice(0, 1) }), of({ label_sources: sources }));
    expect(field!.now.map(({ text, note, differs }) => [text, note, differs])).toEqual([
      ['boat', '90%', false],
      ['sea', '50%', true],
    ]);
  });

  it('distinguishes added, removed and newly captioned objects', () => {
    const before = of({ objects: [object('1', 'ball', null), object('2', 'toy', 0.4)] });
    const now = of({ objects: [object('1', 'ball', null, 'A red ball'), object('3', 'lamp', 0.75)] });
    const [field] = comparedFields(before, now);
    expect(field!.before.map(({ text, differs }) => [text, differs])).toEqual([
      ['ball', true],
      ['toy', true],
    ]);
    expect(field!.now.map(({ text, note, differs }) => [text, note, differs])).toEqual([
      ['ball: A red ball', null, true],
      ['lamp', '75%', true],
    ]);
  });

  it('compares the lines of text, of which several may be the same', () => {
    const lines = (...all: readonly string[]) =>
      of({ text: { text_lines: all.map((text) => ({ text, confidence: 0.9 })) } });
    const [field] = comparedFields(lines('EXIT', 'Gate 1'), lines('EXIT', 'EXIT', 'Gate 1'));
    expect(field!.now.map(({ text, note, differs }) => [text, note, differs])).toEqual([
      ['EXIT', '90%', false],
      ['EXIT', '90%', true],
      ['Gate 1', '90%', false],
    ]);
  });

  it('finds no difference from an unknown state', () => {
    const [field] = comparedFields(undefined, of({ objects: [object('1', 'ball', 0.9)] }));
    expect(field).toEqual({
      name: 'objects',
      before: [],
      now: [{ key: '1 ', mediaId: '1', text: 'ball', note: '90%', differs: false }],
    });
  });
});
