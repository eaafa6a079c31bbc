import { Tensor } from 'onnxruntime-node';
import { encodeOnnx, type OnnxGraph } from '../../common/engine/arithmetic/onnx-graph';
import { openSession } from '../../common/engine/arithmetic/open-session';
import { firstLine } from '../../common/engine/models/onnx-session';
import { WeightsRefusedError, type Converter } from '../packages/converter';
import { readGraphModel } from './graph-model';
import { graphToOnnx } from './graph-to-onnx';

/** The nodes before those that choose the hundred surest points. */
const OUTPUTS = { peaks: 'tower_0/mul_1', sizes: 'tower_0/wh' };

/** Converts a CenterNet of TensorFlow.js, from the members `graph` and `weights`. */
export const convertCenterNet: Converter = async (members) => {
  const graph = graphToOnnx(readGraphModel(members.get('graph')!, members.get('weights')!), OUTPUTS);
  const onnx = encodeOnnx(graph);
  await applyOnce(onnx, graph);
  return new Map([['model.onnx', onnx]]);
};

/** Most shapes are only compared when a model is applied. */
async function applyOnce(onnx: Uint8Array, { inputs }: OnnxGraph): Promise<void> {
  try {
    const session = await openSession(onnx);
    const { name, shape } = inputs[0]!;
    const black = new Float32Array((shape as number[]).reduce((product, length) => product * length, 1));
    const image = new Tensor('float32', black, shape as number[]);
    await session.run({ [name]: image }).finally(() => session.release());
  } catch (error) {
    throw new WeightsRefusedError(`The TensorFlow.js graph does not become a usable model: ${firstLine(error)}.`);
  }
}
