import { alphaOf, DIMMED_ALPHA, pointAlpha, type Drawing, type Frame } from './drawing';
import type { MapTile } from './tile-format';
import { squareOf } from './tile-tree';
import { toScreen } from './viewport';

const COLOURS = 22;
const POINT_BYTES = 8;
const PLACE = 0;
const LOOK = 1;

const VERTEX = `#version 300 es
uniform vec2 origin;
uniform vec2 extent;
uniform float size;
uniform vec4 palette[${COLOURS}];
uniform vec4 dimmed;
uniform bool isLitPass;
uniform float strength;
layout(location = ${PLACE}) in vec2 place;
layout(location = ${LOOK}) in uvec2 look;
out vec4 tint;
void main() {
  vec4 own = palette[min(look.x, ${COLOURS - 1}u)];
  bool isLit = look.y == 1u && own.a > 0.0;
  tint = isLit ? vec4(own.rgb, strength) : dimmed;
  gl_PointSize = size;
  gl_Position = isLit == isLitPass ? vec4(origin + place * extent, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
uniform vec4 rim;
uniform float edge;
in vec4 tint;
out vec4 colour;
void main() {
  float radius = length(gl_PointCoord - 0.5) * 2.0;
  float alpha = tint.a * (1.0 - smoothstep(1.0 - edge, 1.0, radius));
  vec3 shown = mix(tint.rgb, rim.rgb, rim.a * smoothstep(1.0 - 2.5 * edge, 1.0 - edge, radius));
  colour = vec4(shown * alpha, alpha);
}`;

const UNIFORMS = ['origin', 'extent', 'size', 'palette', 'dimmed', 'isLitPass', 'strength', 'rim', 'edge'] as const;
type Uniforms = Readonly<Record<(typeof UNIFORMS)[number], WebGLUniformLocation | null>>;

function compiled(gl: WebGL2RenderingContext, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

/** Around points that are large enough to lose some of their colour. */
const rimAlpha = (pointPx: number): number => Math.max(0, Math.min(0.75, (pointPx - 5) / 4));

/** Undefined where the browser cannot run it. */
function linked(gl: WebGL2RenderingContext): WebGLProgram | undefined {
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : undefined;
}

/** Place, colour and match of each point side by side. */
function packed({ count, x, y, colour, matches }: MapTile): Uint16Array {
  const points = new Uint16Array((count * POINT_BYTES) / 2);
  for (let at = 0; at < count; at += 1) {
    const from = at * 4;
    points[from] = x[at]!;
    points[from + 1] = y[at]!;
    points[from + 2] = colour[at]!;
    points[from + 3] = matches[at]!;
  }
  return points;
}

/** The points of tiles, in the memory of the graphics card from when they are first drawn. */
class TileArrays {
  private readonly arrays = new Map<
    MapTile,
    { readonly array: WebGLVertexArrayObject; readonly buffer: WebGLBuffer }
  >();

  constructor(private readonly gl: WebGL2RenderingContext) {}

  of(tile: MapTile): WebGLVertexArrayObject {
    const known = this.arrays.get(tile);
    if (known !== undefined) return known.array;
    const { gl } = this;
    const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, packed(tile), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(PLACE);
    gl.vertexAttribPointer(PLACE, 2, gl.UNSIGNED_SHORT, true, POINT_BYTES, 0);
    gl.enableVertexAttribArray(LOOK);
    gl.vertexAttribIPointer(LOOK, 2, gl.UNSIGNED_SHORT, POINT_BYTES, 4);
    this.arrays.set(tile, { array, buffer });
    return array;
  }

  delete(tile: MapTile): void {
    const known = this.arrays.get(tile);
    if (known === undefined) return;
    this.arrays.delete(tile);
    this.gl.deleteVertexArray(known.array);
    this.gl.deleteBuffer(known.buffer);
  }

  deleteAll(): void {
    for (const tile of this.arrays.keys()) this.delete(tile);
  }

  /** When the context was lost with all that it had. */
  forgetAll(): void {
    this.arrays.clear();
  }
}

/** Undefined where the browser cannot run the program. */
function usedProgram(gl: WebGL2RenderingContext): Uniforms | undefined {
  const program = linked(gl);
  if (program === undefined) return undefined;
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  return Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)])) as Uniforms;
}

function setColours(gl: WebGL2RenderingContext, uniforms: Uniforms, frame: Frame): void {
  const { palette, highlighted, pointPx, ratio } = frame;
  const rows = palette.colours.flatMap((colour, at) => [...colour, highlighted === null || highlighted === at ? 1 : 0]);
  gl.uniform4fv(uniforms.palette, rows);
  gl.uniform4f(uniforms.dimmed, ...palette.colours[COLOURS - 1]!, DIMMED_ALPHA);
  gl.uniform4f(uniforms.rim, ...palette.ground, rimAlpha(pointPx));
  gl.uniform1f(uniforms.size, pointPx * ratio);
  gl.uniform1f(uniforms.edge, Math.min(0.4, 1.5 / (pointPx * ratio)));
}

/** Where the points of a tile are on the screen. */
function setPlace(gl: WebGL2RenderingContext, uniforms: Uniforms, tile: MapTile, { view, size }: Frame): void {
  const square = squareOf(tile.id);
  const from = toScreen(view, size, { x: square.left, y: square.top });
  const [across, down] = [2 / size.width, -2 / size.height];
  const side = (square.right - square.left) * view.scale;
  gl.uniform2f(uniforms.origin, from.x * across - 1, from.y * down + 1);
  gl.uniform2f(uniforms.extent, side * across, side * down);
}

/** Draws with the graphics card; null where the browser has no WebGL2. `onRestored` is called when a lost context can draw again. */
export function webGlDrawing(canvas: HTMLCanvasElement, onRestored: () => void): Drawing | null {
  const gl = canvas.getContext('webgl2', { antialias: false, depth: false, premultipliedAlpha: true });
  if (gl === null) return null;
  const arrays = new TileArrays(gl);
  let uniforms = usedProgram(gl);
  const onLost = (event: Event): void => event.preventDefault();
  const onBack = (): void => {
    arrays.forgetAll();
    uniforms = usedProgram(gl);
    onRestored();
  };
  canvas.addEventListener('webglcontextlost', onLost);
  canvas.addEventListener('webglcontextrestored', onBack);

  return {
    isSample: false,
    draw: (tiles, frame) => {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      if (uniforms === undefined || gl.isContextLost()) return;
      setColours(gl, uniforms, frame);
      const leastShare = Math.min(1, ...tiles.map(({ share }) => share));
      for (const isLit of frame.hasDimmed ? [false, true] : [true]) {
        gl.uniform1i(uniforms.isLitPass, isLit ? 1 : 0);
        for (const tile of tiles) {
          gl.bindVertexArray(arrays.of(tile));
          gl.uniform1f(uniforms.strength, alphaOf(pointAlpha(frame.pointPx), tile.share, leastShare));
          setPlace(gl, uniforms, tile, frame);
          gl.drawArrays(gl.POINTS, 0, tile.count);
        }
      }
    },
    forget: (tile) => arrays.delete(tile),
    dispose: () => {
      canvas.removeEventListener('webglcontextlost', onLost);
      canvas.removeEventListener('webglcontextrestored', onBack);
      arrays.deleteAll();
    },
  };
}
