import {
  ONNX_ELEMENT,
  type OnnxConstant,
  type OnnxGraph,
  type OnnxNode,
} from '../../common/engine/arithmetic/onnx-graph';

/** Collects the nodes and constants of a graph. Each method returns the name of what it adds. */
export class GraphParts {
  readonly nodes: OnnxNode[] = [];
  readonly constants: OnnxConstant[] = [];

  node(operator: string, inputs: readonly string[], output: string, attributes: OnnxNode['attributes'] = {}): string {
    this.nodes.push({ operator, inputs, output, attributes });
    return output;
  }

  floats(name: string, shape: readonly number[], values: ArrayLike<number>): string {
    const bytes = new Uint8Array(Float32Array.from(values).buffer);
    this.constants.push({ name, element: 'float32', shape, bytes });
    return name;
  }

  /** Stored in 16 bits, and made 32 when the model is opened. */
  halves(name: string, shape: readonly number[], values: ArrayLike<number>): string {
    const bytes = new Uint8Array(Float16Array.from(values).buffer);
    this.constants.push({ name: `${name}.half`, element: 'float16', shape, bytes });
    return this.node('Cast', [`${name}.half`], name, { to: ONNX_ELEMENT.float32 });
  }

  /** The nodes and constants of another graph, whose names get a prefix, except those that are given new names. */
  include(
    { nodes, constants }: Pick<OnnxGraph, 'nodes' | 'constants'>,
    prefix: string,
    names: Readonly<Record<string, string>>,
  ): void {
    const renamed = (name: string): string => (Object.hasOwn(names, name) ? names[name]! : `${prefix}${name}`);
    for (const node of nodes)
      this.nodes.push({ ...node, inputs: node.inputs.map(renamed), output: [node.output].flat().map(renamed) });
    for (const constant of constants) this.constants.push({ ...constant, name: renamed(constant.name) });
  }
}
