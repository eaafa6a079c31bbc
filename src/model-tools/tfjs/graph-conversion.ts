import {
  ONNX_ELEMENT,
  type OnnxConstant,
  type OnnxGraph,
  type OnnxNode,
} from '../../common/engine/arithmetic/onnx-graph';
import { WeightsRefusedError } from '../packages/converter';
import type { GraphModel, GraphNode, GraphWeights } from './graph-model';

export const MAX_SIDE = 2048;

/** Converts a node after those that it needs, and returns the name of its value. */
export type Operator = (node: GraphNode, into: GraphConversion) => string;

/** An ONNX graph that is made node by node. Pictures, and all that is computed of them, have their channels first. */
export class GraphConversion {
  private readonly nodes: OnnxNode[] = [];
  private readonly constants = new Map<string, OnnxConstant>();
  /** Undefined while a node is being converted. */
  private readonly values = new Map<string, string | undefined>();
  private inputShape: readonly number[] | undefined;

  constructor(
    private readonly model: GraphModel,
    private readonly operators: Readonly<Record<string, Operator>>,
  ) {}

  graph(outputs: readonly string[]): OnnxGraph {
    if (this.inputShape === undefined) throw new WeightsRefusedError('The TensorFlow.js graph has no input.');
    return {
      nodes: this.nodes,
      constants: [...this.constants.values()],
      inputs: [{ name: 'image', element: 'float32', shape: this.inputShape }],
      outputs: outputs.map((name) => ({
        name,
        element: 'float32',
        shape: ['batch', `planes of ${name}`, 'rows', 'columns'],
      })),
    };
  }

  /** The name of a picture or of a single number. */
  valueOf(name: string): string {
    const known = this.values.get(name);
    if (known !== undefined) return known;
    if (this.values.has(name))
      throw new WeightsRefusedError(`The node ${name} of the TensorFlow.js graph needs its own result.`);
    this.values.set(name, undefined);
    const value = this.converted(name);
    this.values.set(name, value);
    return value;
  }

  weightsOf(name: string): GraphWeights {
    const weights = this.model.weights.get(name);
    if (weights === undefined) throw new WeightsRefusedError(`The TensorFlow.js graph has no weights ${name}.`);
    return weights;
  }

  integersOf(name: string): number[] {
    const { element, bytes } = this.weightsOf(name);
    if (element !== 'int32') throw unsupported(name, `the type ${element}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return Array.from({ length: bytes.length / 4 }, (_, at) => view.getInt32(4 * at, true));
  }

  add(node: OnnxNode & { readonly output: string }): string {
    this.nodes.push(node);
    return node.output;
  }

  /** Numbers of 16 bits are stored as they are, and extended when the file is loaded. */
  addConstant(constant: OnnxConstant): string {
    const { name, element } = constant;
    const output = element === 'float16' ? `${name}/float32` : name;
    if (element === 'float16' && !this.constants.has(name))
      this.add({ operator: 'Cast', inputs: [name], output, attributes: { to: ONNX_ELEMENT.float32 } });
    this.constants.set(name, constant);
    return output;
  }

  private converted(name: string): string {
    const weights = this.model.weights.get(name);
    if (weights !== undefined) {
      if (weights.shape.length > 0) throw unsupported(name, `the shape [${weights.shape.join(', ')}]`);
      return this.addConstant({ name, ...weights });
    }
    const node = this.model.nodes.get(name);
    if (node === undefined) throw new WeightsRefusedError(`The TensorFlow.js graph has no node ${name}.`);
    if (node.op === 'Placeholder') return this.input(node);
    if (!Object.hasOwn(this.operators, node.op)) throw unsupported(name, `the operation ${node.op}`);
    return this.operators[node.op]!(node, this);
  }

  private input({ name, attr }: GraphNode): string {
    const shape = attr['shape']?.shape?.dim?.map(({ size }) => size) ?? [];
    const [batch, height, width, channels] = shape;
    const isPicture = shape.length === 4 && batch === 1 && shape.every((length) => length > 0 && length <= MAX_SIDE);
    if (!isPicture || this.inputShape !== undefined) throw unsupported(name, `the input [${shape.join(', ')}]`);
    this.inputShape = [1, channels!, height!, width!];
    return 'image';
  }
}

export const unsupported = (node: string, what: string): WeightsRefusedError =>
  new WeightsRefusedError(`The node ${node} of the TensorFlow.js graph has ${what}, which is not supported.`);
