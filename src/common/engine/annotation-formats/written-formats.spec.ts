import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AnnotationFormat } from './annotation-format';
import { cvatFormat } from './cvat/write-cvat';
import { datumaroFormat } from './datumaro/write-datumaro';
import type { FilePicture } from './file-picture';
import { fitted, Losses } from './fit-annotations';
import { labelStudioFormat } from './label-studio/write-label-studio';
import { labelmeFormat } from './labelme/write-labelme';
import { MemberNames } from './member-names';
import { motFormat } from './mot/write-mot';
import { vocFormat } from './voc/write-voc';
import { shardsOf } from './webdataset/write-webdataset';
import { yoloFormat } from './yolo/write-yolo';

async function written(format: AnnotationFormat, pictures: readonly FilePicture[]): Promise<Record<string, string>> {
  const losses = new Losses();
  const all = async function* () {
    for (const picture of pictures) yield await Promise.resolve([fitted(picture, format.holds, losses)]);
  };
  const members: Record<string, string> = {};
  for await (const member of format.write(all, { dataset: 'Set', name: 'shapes', skeletons: [] }))
    members[member.name] = (
      'bytes' in member ? Buffer.from(member.bytes) : await buffer(Readable.from(member.stream))
    ).toString();
  return members;
}

const picture = (path: string, ...annotations: FilePicture['annotations']): FilePicture => ({
  path,
  width: 100,
  height: 50,
  annotations,
});

describe('written annotations', () => {
  it('are tracks over frames in CVAT, which end where the thing is gone', async () => {
    const frame = (number: number, ...of: FilePicture['annotations']) =>
      picture(`v.mp4/output_00000${number}.jpg`, ...of);
    const box = { label: 'car', trackId: '7', box: [1, 2, 3, 4] } as const;
    const files = await written(cvatFormat, [
      frame(4),
      frame(2, box),
      frame(1, { ...box, box: [0, 2, 3, 4] }),
      frame(3),
    ]);
    expect(Object.keys(files)).toEqual(['annotations.xml', 'v.mp4.xml']);
    const track = /<track[^]*<\/track>/.exec(files['v.mp4.xml']!)![0];
    expect(track.split('\n')).toEqual([
      '<track id="7" label="car" source="manual">',
      '<box frame="0" outside="0" keyframe="1" occluded="0" xtl="0" ytl="2" xbr="3" ybr="6" z_order="0"></box>',
      '<box frame="1" outside="0" keyframe="1" occluded="0" xtl="1" ytl="2" xbr="4" ybr="6" z_order="0"></box>',
      '<box frame="2" outside="1" keyframe="1" occluded="0" xtl="1" ytl="2" xbr="4" ybr="6" z_order="0"></box>',
      '</track>',
    ]);
  });

  it('are lines of a sequence in MOT, from frame 1', async () => {
    const box = { label: 'car\nred', trackId: 'a', box: [1, 2, 3, 4], confidence: 0.5 } as const;
    const files = await written(motFormat, [picture('v/10.jpg', box), picture('v/9.jpg', { ...box, label: 'bus' })]);
    expect(files).toEqual({
      'v/gt/gt.txt': '10,1,1,2,3,4,0.5,1,1\n9,1,1,2,3,4,0.5,2,1\n',
      'v/gt/labels.txt': 'car red\nbus\n',
    });
  });

  it('have what XML has no place for replaced, and what it reserves escaped', async () => {
    const files = await written(vocFormat, [
      picture('a&b/<1>.jpg', { label: '"\u0000\ud800\n]]>', box: [1, 2, 3, 4] }),
    ]);
    expect(Object.keys(files)).toEqual(['Annotations/a&b/_1_.xml', 'ImageSets/Main/default.txt']);
    const document = files['Annotations/a&b/_1_.xml']!;
    expect(document).toContain('<filename>a&#38;b/&#60;1&#62;.jpg</filename>');
    expect(document).toContain('<name>&#34;\ufffd\ufffd&#10;]]&#62;</name>');
  });

  it('turn a box around its upper left corner in Label Studio', async () => {
    const files = await written(labelStudioFormat, [
      picture('a.jpg', { id: 'i', label: 'x', box: [40, 20, 20, 10], rotation: 90 }),
    ]);
    const [task] = JSON.parse(files['tasks.json']!) as { annotations: { result: { value: object }[] }[] }[];
    expect(task!.annotations[0]!.result[0]!.value).toEqual({
      x: 55,
      y: 30,
      width: 20,
      height: 20,
      rotation: 90,
      rectanglelabels: ['x'],
    });
  });

  it('are of the task of YOLO that says most', async () => {
    const none = { label: 0, box: 1, polygon: 0, mask: 0, keypoints: 0 };
    const at = (value: number) => value.toFixed(12);
    const shapes = picture(
      'b/a.jpg',
      { label: 'x', box: [0, 0, 50, 50], keypoints: [10, 10, 2] },
      { label: 'y', box: [0, 0, 50, 50] },
    );
    const pose = await written(yoloFormat({ ...none, keypoints: 1 }), [shapes]);
    const box = [0.25, 0.5, 0.5, 1].map(at).join(' ');
    expect(pose['labels/b/a.txt']).toBe(`0 ${box} ${at(0.1)} ${at(0.2)} 2\n1 ${box} ${at(0)} ${at(0)} 0\n`);
    expect(pose['data.yaml']).toContain('kpt_shape: [1, 3]\n');
    const segment = await written(yoloFormat({ ...none, polygon: 1 }), [
      picture('a.jpg', { label: 'x', polygon: [[0, 0, 100, 0, 100, 25]] }),
    ]);
    expect(segment['labels/a.txt']).toBe(`0 ${[0, 0, 1, 0, 1, 0.5].map(at).join(' ')}\n`);
  });

  it('have the flags of LabelMe for labels, without their prototype', async () => {
    const files = await written(labelmeFormat, [picture('a/1.jpg', { label: '__proto__' })]);
    expect(files['a/1.json']).toContain('"flags":{"__proto__":true}');
    expect(files['a/1.json']).toContain('"imagePath":"1.jpg"');
  });

  it('have their ids and masks in Datumaro', async () => {
    const mask = { width: 2, height: 2, counts: '13' };
    const annotations = [{ id: 'i', label: 'x', mask, confidence: 0.5 }];
    const files = await written(datumaroFormat, [{ path: 'a.jpg', width: 2, height: 2, annotations }]);
    const { items } = JSON.parse(files['annotations/default.json']!) as { items: { annotations: object[] }[] };
    expect(items[0]!.annotations).toMatchObject([
      { type: 'mask', rle: { counts: '13', size: [2, 2] }, attributes: { annotation_id: 'i', score: 0.5 } },
    ]);
  });

  it('are in shards with the bytes of their images', async () => {
    const samples = async function* () {
      yield await Promise.resolve({
        picture: picture('a.jpg'),
        image: { extension: 'jpg', bytes: Buffer.from('abc') },
      });
    };
    const names: string[] = [];
    for await (const member of shardsOf(samples())) {
      names.push(member.name);
      const bytes = 'bytes' in member ? Buffer.from(member.bytes) : await buffer(Readable.from(member.stream));
      expect(bytes.subarray(0, 13).toString()).toBe('000000000.jpg');
      expect(bytes.subarray(512, 515).toString()).toBe('abc');
      expect(bytes.length % 512).toBe(0);
    }
    expect(names).toEqual(['shard-000000.tar']);
  });

  it('have names that stay in their folder and differ in more than case', () => {
    const names = new MemberNames();
    expect(['../../a.jpg', '/b.jpg', 'B.png', 'b_2.gif', 'c\\d.jpg', ''].map((path) => names.of(path))).toEqual([
      '_/_/a',
      'b',
      'B_2',
      'b_2_2',
      'c_d',
      '_',
    ]);
  });
});
