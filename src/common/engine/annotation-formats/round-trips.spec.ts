import { describeRoundTrips } from '../../../../test/support/round-trips';
import { cocoFormat } from './coco/write-coco';
import { cvatFormat } from './cvat/write-cvat';
import { datumaroFormat } from './datumaro/write-datumaro';
import { imagefolderFormat } from './imagefolder/write-imagefolder';
import { labelStudioFormat } from './label-studio/write-label-studio';
import { labelmeFormat } from './labelme/write-labelme';
import { motFormat } from './mot/write-mot';
import { vocFormat } from './voc/write-voc';
import { webdatasetFormat } from './webdataset/write-webdataset';
import { yoloFormat } from './yolo/write-yolo';

const NONE = { label: 0, box: 1, polygon: 0, mask: 0, keypoints: 0 };

describeRoundTrips({
  coco: { format: cocoFormat, read: 'coco', isExact: true, adds: ['area', 'box'], skeletons: 'edges' },
  'yolo of boxes': { format: yoloFormat(NONE), read: 'yolo' },
  'yolo of segments': { format: yoloFormat({ ...NONE, polygon: 1 }), read: 'yolo' },
  'yolo of poses': { format: yoloFormat({ ...NONE, keypoints: 1 }), read: 'yolo', points: 3, skeletons: 'names' },
  voc: { format: vocFormat, read: 'voc' },
  labelme: { format: labelmeFormat, read: 'labelme' },
  cvat: { format: cvatFormat, read: 'cvat', skeletons: 'edges' },
  datumaro: { format: datumaroFormat, read: 'datumaro', isExact: true, skeletons: 'edges' },
  'label-studio': { format: labelStudioFormat, read: 'label-studio' },
  mot: { format: motFormat, read: 'mot', isExact: true },
  imagefolder: { format: imagefolderFormat, read: 'imagefolder', isExact: true },
  webdataset: { format: webdatasetFormat, read: 'webdataset', isExact: true },
});
