import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Additions } from '../../support/additions';
import { filesForm, formOf } from '../../support/api-client';
import { pictureBytes, writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

const PATHS = ['hats/0.jpg', 'train/hats/1.jpg', 'shoes, "red"/2.jpg', '3.jpg'];
const LABELS = { '0.jpg': ['hats'], '1.jpg': ['hats'], '2.jpg': ['shoes, "red"'], '3.jpg': [] };

describe('labels from folder names', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let folder: string;

  beforeAll(async () => {
    folder = join(running.folder, 'clothes');
    for (const [seed, path] of PATHS.entries()) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writePicture(join(folder, path), seed);
    }
  });

  const created = async (form: Record<string, string>): Promise<string> => {
    const { dataset_id: id } = await additions.api.must<{ dataset_id: string }>(
      200,
      'POST',
      '/api/v1/dataset',
      formOf({ dataset_name: 'Clothes', bucket_path: folder, ...form }),
    );
    await additions.api.untilStatus(id, ['READY']);
    return id;
  };
  const labelsOf = async (id: string): Promise<object> =>
    Object.fromEntries((await additions.rows(id)).map(({ fileName, labels }) => [fileName, labels]));
  const given = async (id: string, mode: string): Promise<void> => {
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations/folders`, { mode });
    await additions.api.untilStatus(id, ['READY']);
  };

  it('are set on request at creation from a folder, and afterwards', async () => {
    expect(await labelsOf(await created({ labels_from_folders: 'true' }))).toEqual(LABELS);
    const plain = await created({});
    expect(await labelsOf(plain)).toEqual({ '0.jpg': [], '1.jpg': [], '2.jpg': [], '3.jpg': [] });
    await additions.api.must(202, 'POST', `/api/v1/dataset/${plain}/annotations`, {
      annotations: [
        { file_name: 'hats/0.jpg', labels: ['cap'] },
        { file_name: '3.jpg', labels: ['sock'] },
      ],
    });
    await additions.api.untilStatus(plain, ['READY']);
    await given(plain, 'add');
    expect(await labelsOf(plain)).toEqual({ ...LABELS, '0.jpg': ['cap', 'hats'], '3.jpg': ['sock'] });
    await given(plain, 'replace');
    expect(await labelsOf(plain)).toEqual({ ...LABELS, '3.jpg': ['sock'] });
  });

  it('are set at creation from uploads', async () => {
    const { dataset_id: id } = await additions.api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Uploaded',
    );
    const { trans_id: transaction } = await additions.api.must<{ trans_id: number }>(
      200,
      'GET',
      `/api/v1/ingestion/${id}/data_files`,
    );
    const files = await Promise.all(PATHS.map(async (name, seed) => ({ name, bytes: await pictureBytes(seed) })));
    const annotations = { name: 'image_annotations.csv', bytes: Buffer.from('filename,label\nhats/0.jpg,cap\n') };
    await additions.api.must(
      202,
      'POST',
      `/api/v1/ingestion/${id}/data_files/${transaction}`,
      filesForm([...files, annotations]),
    );
    await additions.api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}?labels_from_folders=1`);
    await additions.api.untilStatus(id, ['READY']);
    expect(await labelsOf(id)).toEqual({ ...LABELS, '0.jpg': ['cap', 'hats'] });
    await additions.addUploads(id, [{ name: 'socks/4.jpg', bytes: await pictureBytes(4) }]);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await labelsOf(id)).toMatchObject({ '4.jpg': ['socks'] });
  });

  it.each([true, false])('are set in additions if they were at creation: %s', async (isLabelled) => {
    const labels = (label: string): string[] => (isLabelled ? [label] : []);
    const name = `grown ${isLabelled}`;
    await writePicture(additions.place(name, 'boots', 'a.jpg'), 20);
    await writePicture(additions.place(`${name} later`, 'coats', 'b.jpg'), 21);
    const form = { bucket_path: additions.place(name), labels_from_folders: String(isLabelled) };
    const id = await created(form);

    await additions.addFolder(id, additions.place(`${name} later`));
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', warnings: [] });
    await additions.addUploads(id, [{ name: 'socks/c.jpg', bytes: await pictureBytes(22) }]);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', warnings: [] });
    await writePicture(additions.place(name, 'gloves', 'd.jpg'), 23);
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync`);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });

    expect(await labelsOf(id)).toEqual({
      'a.jpg': labels('boots'),
      'b.jpg': labels('coats'),
      'c.jpg': labels('socks'),
      'd.jpg': labels('gloves'),
    });
  });

  it('are counted in advance', async () => {
    const path = `/api/v1/ingestion/folder_labels?bucket_path=${encodeURIComponent(folder)}`;
    expect(await additions.api.must(200, 'GET', path)).toEqual({
      labels: [
        { value: 'hats', count: 2 },
        { value: 'shoes, "red"', count: 1 },
      ],
      labels_total: 2,
      files: 4,
      is_partial: false,
    });
  });

  it('are not available if no image is in a folder', async () => {
    const flat = await additions.indexed('Flat', await additions.writeFolder('Flat', [7]));
    await given(flat, 'add');
    const { tasks } = await additions.api.must<{ tasks: { error_message: string | null }[] }>(
      200,
      'GET',
      `/api/v1/tasks?dataset_id=${flat}&task_type=ANNOTATION`,
    );
    expect(tasks[0]!.error_message).toBe(
      'No image of the dataset is in a folder, so there are no folder names to use as labels.',
    );
  });
});
