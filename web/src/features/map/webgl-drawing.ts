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

/** Draws with the graphics card; null where the browser has no WebGL2. `onRestored` is called when a lost context can draw again. */
export function webGlDrawing(canvas: HTMLCanvasElement, onRestored: () => void): Drawing | null {
  const gl = canvas.getContext('webgl2', { antialias: false, depth: false, premultipliedAlpha: true });
  if (gl === null) return null;
  const arrays = new Map<MapTile, { readonly array: WebGLVertexArrayObject; readonly buffer: WebGLBuffer }>();
  let program: WebGLProgram | undefined;
  let uniforms = {} as Uniforms;

  const setUp = (): void => {
    arrays.clear();
    program = linked(gl);
    if (program === undefined) return;
    const known = program;
    uniforms = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(known, name)])) as Uniforms;
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  };
  const arrayOf = (tile: MapTile): WebGLVertexArrayObject => {
    const known = arrays.get(tile);
    if (known !== undefined) return known.array;
    const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, packed(tile), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(PLACE);
    gl.vertexAttribPointer(PLACE, 2, gl.UNSIGNED_SHORT, true, POINT_BYTES, 0);
    gl.enableVertexAttribArray(LOOK);
    gl.vertexAttribIPointer(LOOK, 2, gl.UNSIGNED_SHORT, POINT_BYTES, 4);
    arrays.set(tile, { array, buffer });
    return array;
  };
  const setColours = ({ palette, highlighted, pointPx, ratio }: Frame): void => {
    const rows = palette.colours.flatMap((colour, at) => [
      ...colour,
      highlighted === null || highlighted === at ? 1 : 0,
    ]);
    gl.uniform4fv(uniforms.palette, rows);
    gl.uniform4f(uniforms.dimmed, ...palette.colours[COLOURS - 1]!, DIMMED_ALPHA);
    gl.uniform4f(uniforms.rim, ...palette.ground, rimAlpha(pointPx));
    gl.uniform1f(uniforms.size, pointPx * ratio);
    gl.uniform1f(uniforms.edge, Math.min(0.4, 1.5 / (pointPx * ratio)));
  };
  const drawTile = (tile: MapTile, leastShare: number, { view, size, pointPx }: Frame): void => {
    const square = squareOf(tile.id);
    const from = toScreen(view, size, { x: square.left, y: square.top });
    const [across, down] = [2 / size.width, -2 / size.height];
    const side = (square.right - square.left) * view.scale;
    gl.bindVertexArray(arrayOf(tile));
    gl.uniform1f(uniforms.strength, alphaOf(pointAlpha(pointPx), tile.share, leastShare));
    gl.uniform2f(uniforms.origin, from.x * across - 1, from.y * down + 1);
    gl.uniform2f(uniforms.extent, side * across, side * down);
    gl.drawArrays(gl.POINTS, 0, tile.count);
  };
  const onLost = (event: Event): void => event.preventDefault();
  const onBack = (): void => {
    setUp();
    onRestored();
  };
  canvas.addEventListener('webglcontextlost', onLost);
  canvas.addEventListener('webglcontextrestored', onBack);
  setUp();

  return {
    isSample: false,
    draw: (tiles, frame) => {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      if (program === undefined || gl.isContextLost()) return;
      setColours(frame);
      const leastShare = Math.min(1, ...tiles.map(({ share }) => share));
      for (const isLit of frame.hasDimmed ? [false, true] : [true]) {
        gl.uniform1i(uniforms.isLitPass, isLit ? 1 : 0);
        for (const tile of tiles) drawTile(tile, leastShare, frame);
      }
    },
    forget: (tile) => {
      const known = arrays.get(tile);
      if (known === undefined) return;
      arrays.delete(tile);
      gl.deleteVertexArray(known.array);
      gl.deleteBuffer(known.buffer);
    },
    dispose: () => {
      canvas.removeEventListener('webglcontextlost', onLost);
      canvas.removeEventListener('webglcontextrestored', onBack);
      for (const { array, buffer } of arrays.values()) {
        gl.deleteVertexArray(array);
        gl.deleteBuffer(buffer);
      }
      arrays.clear();
    },
  };
}
