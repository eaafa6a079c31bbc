import type { components } from 'dataset-media-service-sdk';
import {
  bodyOf,
  changed,
  EMPTY_DRAFT,
  errorsOf,
  firstDraft,
  isWhole,
  refusedFields,
  tasksOf,
} from './evaluation-draft';

type Source = components['schemas']['AnnotationSource'];

const source = (name: string, kind: Source['kind'], counts: Partial<Source>): Source => ({
  ...{ name, kind, model_id: null, created_at: null, skeletons: [] },
  ...{ n_labels: 0, n_boxes: 0, n_polygons: 0, n_masks: 0, n_keypoints: 0, ...counts },
});

const people = source('ground_truth', 'truth', { n_boxes: 4, n_labels: 2 });
const boxes = source('detector', 'predictions', { n_boxes: 9 });
const labels = source('tagger', 'predictions', { n_labels: 3 });

describe('a new evaluation', () => {
  it('begins with what people say and the last predictions', () => {
    expect(firstDraft([boxes, people, labels])).toMatchObject({
      ...{ truth: 'ground_truth', predictions: 'tagger', task: 'classification' },
    });
    expect(firstDraft([boxes, people, labels], 'detector')).toMatchObject({
      predictions: 'detector',
      task: 'detection',
    });
    const second = source('second', 'truth', { n_labels: 1 });
    expect(firstDraft([people, second])).toMatchObject({ truth: 'ground_truth', predictions: 'second' });
    expect(firstDraft([])).toMatchObject({ truth: '', predictions: '' });
  });

  it('compares what both sources have', () => {
    expect(tasksOf(people, boxes)).toEqual(['detection']);
    expect(tasksOf(boxes, labels)).toEqual([]);
    expect(tasksOf(undefined, labels)).toEqual([]);
    const shapes = source('shapes', 'predictions', { n_polygons: 3 });
    expect(tasksOf(people, shapes)).toEqual(['detection']);
    expect(tasksOf(shapes, shapes)).toEqual(['segmentation', 'detection']);
    expect(changed(EMPTY_DRAFT, { truth: 'shapes', predictions: 'shapes' }, [shapes]).task).toBe('segmentation');
    expect(changed(firstDraft([shapes], 'shapes'), { truth: 'shapes', task: 'detection' }, [shapes]).task).toBe(
      'detection',
    );
    const masks = source('masks', 'truth', { n_masks: 1, n_keypoints: 1 });
    expect(tasksOf(masks, source('model', 'predictions', { n_polygons: 1, n_keypoints: 2 }))).toEqual([
      'segmentation',
      'keypoints',
      'detection',
    ]);
  });

  it('gets a task and a protocol that fit other sources', () => {
    const draft = { ...firstDraft([people, boxes, labels], 'detector'), protocol: 'voc' as const };
    expect(changed(draft, { predictions: 'tagger' }, [people, boxes, labels])).toMatchObject({
      ...{ task: 'classification', protocol: 'coco' },
    });
  });

  it('is whole with two sources that can be compared', () => {
    const all = [people, boxes, labels];
    const draft = firstDraft(all, 'detector');
    expect(isWhole(draft, all)).toBe(true);
    expect(isWhole({ ...draft, predictions: 'ground_truth' }, all)).toBe(false);
    expect(isWhole({ ...draft, task: 'keypoints' }, all)).toBe(false);
    expect(isWhole({ ...draft, hierarchy: 'dog' }, all)).toBe(false);
  });

  it('says which line is wrong', () => {
    const draft = {
      ...EMPTY_DRAFT,
      classConfidences: 'cat = 40\ndog = 140',
      hierarchy: 'dog',
      sigmas: '0.1, x',
      k: '1',
    };
    expect(errorsOf(draft)).toEqual({
      classConfidences: 'This is no percentage from 0 to 100: dog = 140',
      hierarchy: 'This line is not "label = value": dog',
      sigmas: 'Write numbers with commas between them.',
      k: undefined,
    });
  });

  it('places what the service refuses', () => {
    const refusal = (...locs: string[][]) =>
      Object.assign(new Error('wrong filter'), { items: locs.map((loc) => ({ loc, msg: `wrong ${loc.at(-1)}` })) });
    expect(refusedFields(refusal(['body', 'options', 'k', '0'], ['body', 'name']))).toEqual({
      ...{ name: 'wrong name', options: { k: 'wrong 0' } },
    });
    expect(refusedFields(refusal(['body', 'filter']))).toEqual({ options: {}, other: 'wrong filter' });
    expect(refusedFields(new Error('away'))).toEqual({ options: {}, other: 'away' });
    expect(refusedFields(null)).toEqual({ options: {} });
  });

  it('asks for options of its task alone', () => {
    const draft = {
      ...firstDraft([people, boxes], 'detector'),
      ...{
        confidence: '30',
        classConfidences: 'a=b = 50',
        isClassAgnostic: true,
        isOfTruth: true,
        k: '1, 3',
        isVerified: true,
      },
    };
    expect(bodyOf(draft, undefined)).toEqual({
      ...{ name: 'detector, boxes', truth: 'ground_truth', predictions: 'detector' },
      ...{ task: 'detection', protocol: 'coco' },
      options: {
        ...{ iou: 0.5, confidence: 0.3, class_confidences: { 'a=b': 0.5 }, class_agnostic: true },
        pictures: 'with_truth',
      },
    });
    const ofLabels = { ...draft, task: 'classification' as const, labels: 'multi' as const, classConfidences: '' };
    expect(bodyOf(ofLabels, undefined).options).toEqual({
      ...{ confidence: 0.3, k: [1, 3], labels: 'multi', pictures: 'with_truth' },
    });
  });

  it('is kept up to date if that is wanted', () => {
    const draft = firstDraft([people, boxes], 'detector');
    expect(bodyOf(draft, undefined).keep_up_to_date).toBeUndefined();
    expect(bodyOf({ ...draft, isKeptUpToDate: true }, undefined).keep_up_to_date).toBe(true);
  });

  it('is about the search if that is wanted', () => {
    const draft = firstDraft([people, boxes], 'detector');
    const filter = { entity_type: 'IMAGES' as const };
    expect(bodyOf(draft, filter).filter).toEqual(filter);
    expect(bodyOf({ ...draft, isOfSearch: false }, filter).filter).toBeUndefined();
  });
});
