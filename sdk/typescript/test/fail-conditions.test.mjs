import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { failConditionOf, verdictOf } from './node_modules/dataset-media-service-sdk/dist/cli/fail-conditions.js';
import { junitReport } from './node_modules/dataset-media-service-sdk/dist/cli/junit.js';
import { root } from './program.mjs';

const { XMLParser, XMLValidator } = createRequire(join(root, 'package.json'))('fast-xml-parser');

const read = (text, task = 'detection', protocol = 'coco') => {
  const { of, figure, comparison, limit } = failConditionOf(text, task, protocol);
  return [of, figure, comparison, limit];
};
const ALL = { kind: 'all' };

describe('the conditions of dms evaluate', () => {
  it('name a figure of the evaluation, a comparison and a number', () => {
    assert.deepEqual(read('map50<0.60'), [ALL, 'ap50', '<', 0.6]);
    assert.deepEqual(read('  AP <= .5 '), [ALL, 'ap', '<=', 0.5]);
    assert.deepEqual(read('mar100>=1.'), [ALL, 'ar100', '>=', 1]);
    assert.deepEqual(read('cost_missed > 0.1'), [ALL, 'cost_missed', '>', 0.1]);
    assert.deepEqual(read('n_truth<1'), [ALL, 'n_truth', '<', 1]);
    assert.deepEqual(read('map<0.5', 'detection', 'voc'), [ALL, 'map', '<', 0.5]);
    assert.deepEqual(read('map75<0.5', 'keypoints'), [ALL, 'ap75', '<', 0.5]);
    assert.deepEqual(read('kappa<-0.1', 'classification'), [ALL, 'kappa', '<', -0.1]);
    assert.deepEqual(read('top_3<0.9', 'classification'), [ALL, 'top_3', '<', 0.9]);
  });

  it('name the figure of a label after its last point', () => {
    assert.deepEqual(read('label:cat.f1<0.4'), [{ kind: 'label', label: 'cat' }, 'f1', '<', 0.4]);
    assert.deepEqual(read('label:v1.5 <b>.map50>=0.4'), [{ kind: 'label', label: 'v1.5 <b>' }, 'ap50', '>=', 0.4]);
    assert.deepEqual(read('label:a.ap<1', 'detection', 'open_images')[1], 'ap');
    assert.deepEqual(read('label:a.kappa<1', 'classification')[1], 'kappa');
  });

  it('name the figure of a slice of one or several parts', () => {
    const slice = (...conditions) => ({ kind: 'slice', conditions });
    const night = { by: 'folder', value: 'night' };
    assert.deepEqual(read('slice:folder=night.f1<0.4'), [slice(night), 'f1', '<', 0.4]);
    assert.deepEqual(read('slice:folder=night&label=R&D=x.f1<0.4')[0], slice(night, { by: 'label', value: 'R&D=x' }));
    assert.deepEqual(read('slice:tag=a&.f1<0.4')[0], slice({ by: 'tag', value: 'a&' }));
    assert.deepEqual(read('slice:folder=a.b/c.difference<-0.2'), [
      slice({ by: 'folder', value: 'a.b/c' }),
      'difference',
      '<',
      -0.2,
    ]);
  });

  it('are refused with a sentence', () => {
    for (const [text, why] of [
      ['', /compares nothing/],
      ['map50', /compares nothing/],
      ['map50=0.5', /compares nothing/],
      ['map50<', /"" is not a number/],
      ['map50<0,6', /"0,6" is not a number/],
      ['map50<NaN', /"NaN" is not a number/],
      ['map50<1e-3', /"1e-3" is not a number/],
      ['map50<Infinity', /not a number/],
      ['<0.5', /"" is no figure of detection \(coco\); it may be ap, ap50/],
      ['map51<0.5', /"map51" is no figure/],
      ['accuracy<0.5', /"accuracy" is no figure of detection/],
      ['top_5<0.5', /"top_5" is no figure/],
      ['mf1<0.5', /"mf1" is no figure/],
      ['constructor<0.5', /"constructor" is no figure/],
      ['label:cat<0.5', /a figure is missing; write it as label:cat\.f1<0\.4/],
      ['label:.f1<0.5', /a figure is missing/],
      ['label:cat.<0.5', /a figure is missing/],
      ['label:cat.accuracy<0.5', /"accuracy" is no figure of a label/],
      ['slice:night.f1<0.5', /"night" is no part of a slice; write it as folder=night/],
      ['slice:folder=.f1<0.5', /"folder=" is no part of a slice/],
      ['slice:folder=night.ap50<0.5', /"ap50" is no figure of a slice/],
      [`label:${'<'.repeat(1000)}.f1<0.5`, /more than 1000 characters/],
    ])
      assert.throws(() => read(text), why, text);
  });

  it('hold by the figures, and where there are none', () => {
    const judge = (text, figures) => {
      const { holds, value, found } = verdictOf(failConditionOf(text, 'detection', 'coco'), figures);
      return [holds, value, found];
    };
    assert.deepEqual(judge('map50<0.6', { ap50: 0.59999 }), [true, 0.59999, 'ap50 is 0.6']);
    assert.deepEqual(judge('map50<0.6', { ap50: 0.6 }), [false, 0.6, 'ap50 is 0.6']);
    assert.deepEqual(judge('map50<=0.6', { ap50: 0.6 })[0], true);
    assert.deepEqual(judge('cost_missed>0.1', { cost_missed: 0.1 })[0], false);
    assert.deepEqual(judge('cost_missed>=0.1', { cost_missed: 0.1 })[0], true);
    assert.deepEqual(judge('aps<0.1', { aps: -1 }), [true, undefined, 'aps is undefined: nothing was measured']);
    assert.deepEqual(judge('kappa>0.9', { kappa: -1 }), [false, -1, 'kappa is -1']);
    assert.deepEqual(judge('f1>0.9', { f1: null })[0], true);
    assert.deepEqual(judge('f1>0.9', {})[0], true);
    assert.deepEqual(judge('label:cat.f1>0.9', undefined), [true, undefined, 'the evaluation has no such label']);
  });
});

describe('the report for build servers', () => {
  it('is XML with a test case for each condition, whatever its text', () => {
    const hostile = 'label:</testcase>&"\'\n\u0000\u{1f600}\ud800\uffff.f1<0.4';
    const text = junitReport('photos & more', 'detector-a', 1.23456, [
      { name: hostile, isFailed: true, message: 'f1 is <0.1' },
      { name: 'map50<0.6', isFailed: false, message: 'ap50 is 0.7' },
    ]);
    assert.equal(XMLValidator.validate(text), true);
    const options = { ignoreAttributes: false, attributeNamePrefix: '', htmlEntities: true };
    const { testsuites } = new XMLParser(options).parse(text);
    const { testsuite } = testsuites;
    assert.deepEqual(
      [testsuite.name, testsuite.tests, testsuite.failures, testsuite.time],
      ['photos & more', '2', '1', '1.235'],
    );
    const [first, second] = testsuite.testcase;
    assert.equal(
      first.name,
      hostile.replace('\u0000', '\ufffd').replace('\ud800', '\ufffd').replace('\uffff', '\ufffd'),
    );
    assert.equal(first.failure.message, 'f1 is <0.1');
    assert.equal(second['system-out'], 'ap50 is 0.7');
  });
});
