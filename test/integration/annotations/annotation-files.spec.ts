import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { Additions, type UpdateTask } from '../../support/additions';
import { withHeldJobs } from '../../support/at-once';
import { npyOf, vectorsForm } from '../../support/npy-bytes';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const UNKNOWN = 'annotations match no medium of the dataset';

describe('annotating existing media with files', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let source: string;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    source = await additions.writeFolder('Pictures', [0, 1, 2]);
  });

  const formWith = (files: Readonly<Record<string, string | Uint8Array>>, mode?: string): FormData => {
    const form = new FormData();
    for (const [name, content] of Object.entries(files))
      form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    if (mode !== undefined) form.set('mode', mode);
    return form;
  };
  const send = async (id: string, form: FormData): Promise<string> =>
    (await additions.api.must<{ task_id: string }>(202, 'POST', `/api/v1/dataset/${id}/annotations/files`, form))
      .task_id;
  const ended = async (id: string, task: string): Promise<UpdateTask> => {
    await additions.api.untilStatus(id, ['READY']);
    return (await additions.tasks(id)).find(({ task_id: each }) => each === task)!;
  };
  const annotate = async (
    id: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    mode?: string,
  ): Promise<UpdateTask> => ended(id, await send(id, formWith(files, mode)));
  const labelsOf = async (id: string): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      (await additions.rows(id))
        .filter(({ kind }) => kind === 'IMAGE')
        .map(({ fileName, labels, caption }) => [fileName, [[...labels].sort(), caption]]),
    );
  const objectsOf = async (id: string): Promise<string[]> =>
    (await additions.rows(id))
      .filter(({ kind }) => kind === 'OBJECT')
      .map(({ fileName, labels, box, generatedLabels }) => {
        const { x, y, width, height } = box!;
        const [found] = generatedLabels ?? [];
        const places = [x * 160, y * 120, width * 160, height * 120].map(Math.round).join(' ');
        return `${fileName} ${labels.join()} ${places}${found === undefined ? '' : ` ${found.confidence}`}`;
      })
      .sort();

  it('sets custom fields from CSV and Parquet', async () => {
    const id = await additions.indexed('Fields', source);
    await additions.api.must(200, 'POST', `/api/v1/datasets/${id}/custom_metadata/tasks`, {
      field_name: 'parts',
      field_type: 'enum',
      enum_options: ['a', 'b'],
      is_multi: true,
    });
    const fieldsOf = async (): Promise<Record<string, unknown>> =>
      Object.fromEntries(
        (await additions.rows(id)).map(({ fileName, customMetadata }) => [
          fileName,
          Object.fromEntries((customMetadata ?? []).map(({ name, type, value }) => [name, [type, value]])),
        ]),
      );
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'filename', data: ['0.jpg', '1.jpg', 'gone.jpg'], type: 'STRING' },
        { name: 'metadata.score', data: [0.5, 2, 3], type: 'DOUBLE' },
        { name: 'metadata.checked', data: [true, false, true], type: 'BOOLEAN' },
        { name: 'metadata.taken', data: [new Date(0), new Date(1000), new Date(0)], type: 'TIMESTAMP' },
      ],
    });
    expect(await annotate(id, { 'image_annotations.parquet': new Uint8Array(parquet) })).toMatchObject({
      status: 'COMPLETED',
      warnings: [`1 of 3 ${UNKNOWN}: gone.jpg.`],
    });
    const first = {
      score: ['float', 0.5],
      checked: ['boolean', true],
      taken: ['datetime', '1970-01-01T00:00:00.000Z'],
    };
    expect((await fieldsOf())['0.jpg']).toEqual(first);
    const csv = [
      'filename,label,metadata.score,metadata.site,metadata.parts,metadata.__proto__',
      '0.jpg,,7,"north, or so",a|b,x',
      '1.jpg,boat,deep,,c,',
      '2.jpg,,,,,',
    ];
    expect(await annotate(id, { 'image_annotations.csv': csv.join('\n') })).toMatchObject({
      status: 'COMPLETED',
      warnings: [
        'A value is left out: The field "score" has the type float; "deep" is not a finite number.',
        'A value is left out: The field "parts" has the type enum; "c" is not a list of options a, b.',
      ],
    });
    const site = ['string', 'north, or so'];
    expect((await fieldsOf())['0.jpg']).toEqual(
      Object.fromEntries([
        ...Object.entries({ ...first, score: ['float', 7], site, parts: ['enum', ['a', 'b']] }),
        ['__proto__', ['string', 'x']],
      ]),
    );
    expect((await fieldsOf())['1.jpg']).toMatchObject({ score: ['float', 2] });
    expect((await labelsOf(id))['1.jpg']).toEqual([['boat'], null]);
    const many = Array.from({ length: 101 }, (_, at) => `metadata.f${at}`).join(',');
    expect(await annotate(id, { 'image_annotations.csv': `filename,${many}\n0.jpg,1` })).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/101 columns of fields, and 100 is the limit/) as unknown,
    });
  });

  it('sets labels and captions from CSV, Parquet and COCO in one change', async () => {
    const id = await additions.indexed('Labels', source);
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'filename', data: ['1.jpg'], type: 'STRING' },
        { name: 'label', data: ['parquet'], type: 'STRING' },
      ],
    });
    const coco = {
      images: [
        { id: 1, file_name: 'images/2.jpg' },
        { id: 2, file_name: '2.jpg' },
      ],
      categories: [{ id: 1, name: 'coco' }],
      annotations: [{ image_id: 2, category_id: 1 }],
    };
    const task = await annotate(id, {
      'image_annotations.csv': `filename,label,caption\n./0.jpg,"['a','b']",A picture\ngone.jpg,a,\n`,
      'image_annotations.parquet': new Uint8Array(parquet),
      'annotations.json': JSON.stringify(coco),
    });
    expect(task).toMatchObject({ status: 'COMPLETED', warnings: [`1 of 4 ${UNKNOWN}: gone.jpg.`] });
    expect(await labelsOf(id)).toEqual({
      '0.jpg': [['a', 'b'], 'A picture'],
      '1.jpg': [['parquet'], null],
      '2.jpg': [['coco'], null],
    });
    await annotate(id, { 'image_annotations.csv': 'filename,label\n0.jpg,c\n1.jpg,\n' }, 'replace');
    // Media that a file does not mention are unchanged.
    expect(await labelsOf(id)).toMatchObject({ '0.jpg': [['c'], 'A picture'], '1.jpg': [['parquet'], null] });
  });

  it('adds and replaces boxes, separately for marked and predicted ones', async () => {
    const id = await additions.indexed('Boxes', source);
    const clusters = (await additions.rows(id)).map((row) => [row.id, row.clusters]);
    const head = 'filename,col_x,row_y,width,height,label,confidence\n';
    const marked = `${head}0.jpg,10,20,40,30,cat,\n0.jpg,10,20,40,30,cat,\n1.jpg,150,110,100,100,dog,\n1.jpg,500,0,9,9,out,\n`;
    expect(await annotate(id, { 'object_annotations.csv': marked })).toMatchObject({
      status: 'COMPLETED',
      warnings: ['1 annotated box left out: outside of the picture.'],
    });
    expect(await objectsOf(id)).toEqual(['0.jpg cat 10 20 40 30', '1.jpg dog 150 110 10 10']);
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
      n_objects: 2,
      progress: 100,
    });
    expect((await additions.rows(id)).slice(0, 3).map((row) => [row.id, row.clusters])).toEqual(clusters);

    const predicted = `${head}0.jpg,60,60,20,20,tail,0.5\n0.jpg,10,20,40,30,cat,0.9\n`;
    await annotate(id, { 'object_annotations.csv': predicted });
    expect(await objectsOf(id)).toEqual([
      '0.jpg cat 10 20 40 30',
      '0.jpg tail 60 60 20 20 0.5',
      '1.jpg dog 150 110 10 10',
    ]);

    const { pointer } = await additions.get(id);
    await annotate(id, { 'object_annotations.csv': predicted });
    expect((await additions.get(id)).pointer).toEqual(pointer);

    await annotate(id, { 'object_annotations.csv': `${head}0.jpg,0,0,20,20,ear,0.25\n` }, 'replace');
    expect(await objectsOf(id)).toEqual([
      '0.jpg cat 10 20 40 30',
      '0.jpg ear 0 0 20 20 0.25',
      '1.jpg dog 150 110 10 10',
    ]);
    await annotate(id, { 'object_annotations.csv': `${head}0.jpg,0,0,40,40,tiger,\n` }, 'replace');
    expect(await objectsOf(id)).toEqual([
      '0.jpg ear 0 0 20 20 0.25',
      '0.jpg tiger 0 0 40 40',
      '1.jpg dog 150 110 10 10',
    ]);
  });

  it('adds and removes boxes by a request, and keeps tags', async () => {
    const id = await additions.indexed('Request', source);
    const media = new Map((await additions.rows(id)).map((row) => [row.fileName, row.id]));
    const tags = `/api/v1/dataset/${id}/tags`;
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', tags, { name: 'kept' });
    await additions.api.must(200, 'POST', `${tags}/${tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [media.get('2.jpg')] } }],
    });
    const give = async (mode: string, annotations: readonly object[]): Promise<void> => {
      const path = `/api/v1/dataset/${id}/annotations`;
      await additions.api.must(202, 'POST', path, { mode, annotations });
      await additions.api.untilStatus(id, ['READY']);
    };
    const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
    await give('add', [
      { media_id: media.get('0.jpg'), objects: [{ label: 'sea', bounding_box: box, confidence: 1 }] },
      { file_name: '0.jpg', objects: [{ label: 'sea', bounding_box: box }], labels: ['coast'] },
    ]);
    expect(await objectsOf(id)).toEqual(['0.jpg sea 40 60 80 30']);
    expect(await labelsOf(id)).toMatchObject({ '0.jpg': [['coast'], null] });
    expect(await additions.api.must(200, 'GET', tags)).toMatchObject({ tags: [{ name: 'kept', n_items: 1 }] });
    await give('replace', [{ file_name: '0.jpg', objects: [] }]);
    expect(await objectsOf(id)).toEqual([]);
    expect(await labelsOf(id)).toMatchObject({ '0.jpg': [['coast'], null] });
  });

  it('does not change the boxes of an unreadable picture', async () => {
    const folder = await additions.writeFolder('Unreadable', [0, 1]);
    const id = await additions.indexed('Unreadable', folder);
    const head = 'filename,col_x,row_y,width,height,label\n';
    await annotate(id, { 'object_annotations.csv': `${head}0.jpg,0,0,9,9,old\n1.jpg,0,0,9,9,old\n` });
    await rm(join(folder, '0.jpg'));
    const task = await annotate(
      id,
      { 'object_annotations.csv': `${head}0.jpg,0,0,40,40,new\n1.jpg,0,0,40,40,new\n` },
      'replace',
    );
    expect(task).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
    expect(await objectsOf(id)).toEqual(['0.jpg old 0 0 9 9', '1.jpg new 0 0 40 40']);
  });

  it('fails with the reason if there are no annotations, and skips invalid rows', async () => {
    const id = await additions.indexed('Hostile', source);
    expect(await annotate(id, { 'image_annotations.csv': 'name,what\na,b\n' })).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(
        /^There is no annotation in image_annotations\.csv\. .*no column filename, label/,
      ) as unknown,
    });
    const cells = ['NaN', 'Infinity', '1e400', '-1', 'a'.repeat(1000), '0x10', ''].map(
      (cell) => `0.jpg,1,1,5,${cell},label,\n0.jpg,1,1,5,5,label,${cell === '' ? '2' : cell}\n`,
    );
    const head = 'filename,col_x,row_y,width,height,label,confidence\n';
    const task = await annotate(id, {
      'object_annotations.csv': head + cells.join(''),
      // In another Unicode form, with another separator, and repeated.
      'image_annotations.csv': `filename,label\n${'x'.repeat(900_000)},a\n.\\0.jpg,${'b'.repeat(900_000)}\n0.jpg,e\u0301\n0.jpg,e\u0301\n`,
    });
    expect(task.status).toBe('COMPLETED');
    expect(task.warnings.join(' ').length).toBeLessThan(2_000);
    const found = (await objectsOf(id)).map((each) => each.replaceAll('label', ''));
    expect(found).toEqual(['0.jpg  1 1 5 16']);
    expect(JSON.stringify((await labelsOf(id))['0.jpg'])).toContain('e\u0301');
  });

  it('matches file names in any Unicode form', async () => {
    const folder = await additions.writeFolder('Unicode', [0]);
    await additions.writeFolder('Unicode/caf\u00e9', [3]);
    const id = await additions.indexed('Unicode', folder);
    expect(await annotate(id, { 'image_annotations.csv': 'filename,label\ncafe\u0301/3.jpg,here\n' })).toMatchObject({
      warnings: [],
    });
    expect(await labelsOf(id)).toMatchObject({ '3.jpg': [['here'], null] });
  });

  it('can be aborted and retried with the sent files, and leaves nothing in the store', async () => {
    const id = await additions.indexed('Aborted', source);
    const task = await withHeldJobs(running, async () => {
      const started = await send(id, formWith({ 'image_annotations.csv': 'filename,label\n0.jpg,late\n' }));
      await additions.api.must(200, 'POST', `/api/v1/tasks/${started}/abort`);
      return started;
    });
    expect(await labelsOf(id)).toMatchObject({ '0.jpg': [[], null] });
    await additions.api.must(200, 'POST', `/api/v1/tasks/${task}/retry`);
    expect(await ended(id, task)).toMatchObject({ status: 'COMPLETED' });
    expect(await labelsOf(id)).toMatchObject({ '0.jpg': [['late'], null] });
    await waitUntil(
      async () => (await additions.stored(`work/${task}/`)).length + (await additions.stored('staging/')).length === 0,
    );
  });

  it('sets labels, but refuses boxes with the reason if the image vectors were uploaded', async () => {
    const id = await additions.indexed('Uploaded', source);
    const vectors = npyOf([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    const form = vectorsForm({ vectors, names: ['0.jpg', '1.jpg', '2.jpg'] });
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/embeddings`, form);
    await additions.api.untilStatus(id, ['READY']);
    await annotate(id, { 'image_annotations.csv': 'filename,label\n0.jpg,cat\n' });
    expect(await labelsOf(id)).toMatchObject({ '0.jpg': [['cat'], null] });
    const boxes = 'filename,col_x,row_y,width,height,label\n0.jpg,1,1,9,9,cat\n';
    expect(await annotate(id, { 'object_annotations.csv': boxes })).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/^The image vectors of this dataset were uploaded \(own\)/) as unknown,
    });
    expect(await objectsOf(id)).toEqual([]);
  });

  it('changes only the named dataset', async () => {
    const [one, other] = [await additions.indexed('One', source), await additions.indexed('Other', source)];
    const foreign = (await additions.rows(other))[0]!.id;
    const before = (await additions.get(one)).pointer;
    const path = `/api/v1/dataset/${one}/annotations`;
    await additions.api.must(202, 'POST', path, { annotations: [{ media_id: foreign, labels: ['foreign'] }] });
    await additions.api.untilStatus(one, ['READY']);
    expect((await additions.tasks(one))[0]!.warnings).toEqual([`1 of 1 ${UNKNOWN}: ${foreign}.`]);
    expect((await additions.get(one)).pointer).toEqual(before);
    expect(await labelsOf(other)).toMatchObject({ '0.jpg': [[], null] });
  });
});
