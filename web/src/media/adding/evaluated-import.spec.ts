import type { components } from 'dataset-media-service-sdk';
import { importedDraft, truthsFor } from './evaluated-import';
import { importedBody } from '../evaluating/evaluation-draft';
import type { FilePreview, SourceImport } from './source-import';

type Source = components['schemas']['AnnotationSource'];

const source = (name: string, counts: Partial<Source>): Source => ({
  ...{ name, kind: 'truth', model_id: null, created_at: null, skeletons: [] },
  ...{ n_labels: 0, n_boxes: 0, n_polygons: 0, n_masks: 0, n_keypoints: 0, ...counts },
});
const INTO: SourceImport = { source: 'model', kind: 'predictions', mode: 'add', format: null };
const people = source('ground_truth', { n_boxes: 3, n_labels: 2 });
const shapes = source('shapes', { n_polygons: 3 });
const previewOf = (shape: object | null) => ({ first: [{ shape }] }) as unknown as FilePreview;

describe('the evaluation of an import', () => {
  it('compares with other sources that have annotations', () => {
    const all = [people, source('empty', {}), source('model', { n_boxes: 1 })];
    expect(truthsFor(all, INTO).map(({ name }) => name)).toEqual(['ground_truth']);
    expect(truthsFor(all, { ...INTO, mode: 'delete' })).toEqual([]);
    expect(importedDraft({}, [], INTO, undefined)).toBeUndefined();
  });

  it('is about what the files have, as far as the truth has it', () => {
    const taskOf = (shape: object | null, truths = [shapes, people]) =>
      importedDraft({}, truths, INTO, previewOf(shape))?.task;
    expect(taskOf({ type: 'box' })).toBe('detection');
    expect(taskOf(null)).toBe('classification');
    expect(taskOf({ type: 'mask' })).toBe('detection');
    expect(taskOf({ type: 'mask' }, [shapes])).toBe('segmentation');
    expect(taskOf({ type: 'box' }, [shapes])).toBe('detection');
  });

  it('is asked for without the predictions', () => {
    const draft = importedDraft({ truth: 'shapes', protocol: 'voc' }, [people, shapes], INTO, undefined)!;
    expect(importedBody(draft)).toMatchObject({ truth: 'shapes', task: 'detection', protocol: 'voc' });
    expect(importedBody(draft)).not.toHaveProperty('predictions');
    expect(importedDraft({ task: 'classification', protocol: 'voc' }, [people], INTO, undefined)?.protocol).toBe(
      'coco',
    );
  });
});
