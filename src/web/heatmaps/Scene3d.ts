import { instanceLength } from "./Bars3d.ts"

const vertexShader = `#version 300 es
in vec3 corner;
in vec3 normal;
in vec4 place;
in vec4 look;
uniform mat4 camera;
out vec3 colour;
out vec2 image;
out float isMap;
void main() {
  isMap = look.x < 0.0 ? 1.0 : 0.0;
  vec3 at = vec3(place.x + corner.x * place.z, corner.y * max(look.x, 0.0), place.y + corner.z * place.w);
  gl_Position = camera * vec4(at, 1.0);
  colour = look.yzw * (0.66 + 0.34 * max(0.0, dot(normal, normalize(vec3(0.4, 1.0, 0.35)))));
  image = vec2(corner.x + 0.5, corner.z + 0.5);
}`

const fragmentShader = `#version 300 es
precision mediump float;
in vec3 colour;
in vec2 image;
in float isMap;
uniform sampler2D map;
uniform float dim;
out vec4 pixel;
void main() {
  vec3 ground = texture(map, image).rgb;
  pixel = vec4(isMap > 0.5 ? mix(ground, vec3(dot(ground, vec3(0.3, 0.6, 0.1))), 0.25) * dim : colour, 1.0);
}`

type Corner = readonly [x: number, y: number, z: number]
const faces: ReadonlyArray<readonly [normal: Corner, corners: readonly [Corner, Corner, Corner, Corner]]> = [
  [
    [0, 1, 0],
    [
      [-0.5, 1, -0.5],
      [-0.5, 1, 0.5],
      [0.5, 1, 0.5],
      [0.5, 1, -0.5]
    ]
  ],
  [
    [0, 0, 1],
    [
      [-0.5, 0, 0.5],
      [0.5, 0, 0.5],
      [0.5, 1, 0.5],
      [-0.5, 1, 0.5]
    ]
  ],
  [
    [1, 0, 0],
    [
      [0.5, 0, 0.5],
      [0.5, 0, -0.5],
      [0.5, 1, -0.5],
      [0.5, 1, 0.5]
    ]
  ],
  [
    [-1, 0, 0],
    [
      [-0.5, 0, -0.5],
      [-0.5, 0, 0.5],
      [-0.5, 1, 0.5],
      [-0.5, 1, -0.5]
    ]
  ],
  [
    [0, 0, -1],
    [
      [0.5, 0, -0.5],
      [-0.5, 0, -0.5],
      [-0.5, 1, -0.5],
      [0.5, 1, -0.5]
    ]
  ]
]

/** A box without its bottom as triangles: a corner and the direction of its face, three numbers each. */
const box = new Float32Array(
  faces.flatMap(([normal, [a, b, c, d]]) => [a, b, c, a, c, d].flatMap((corner) => [...corner, ...normal]))
)
const cornerLength = 6

/** What draws bars on a map into a canvas. */
export interface Scene {
  /** Boxes as `instancesOf` makes them. */
  readonly setBars: (instances: Float32Array) => void
  /** The picture of the ground. */
  readonly setMap: (image: TexImageSource) => void
  /** Draws with the matrix of a camera; `dim` is the light on the map, 1 in full. */
  readonly draw: (camera: Float32Array, dim: number) => void
  readonly remove: () => void
}

const shaderOf = (gl: WebGL2RenderingContext, type: number, source: string): WebGLShader | null => {
  const shader = gl.createShader(type)
  if (shader === null) return null
  gl.shaderSource(shader, source)
  gl.compileShader(shader)
  return shader
}

const programOf = (gl: WebGL2RenderingContext): WebGLProgram | null => {
  const vertex = shaderOf(gl, gl.VERTEX_SHADER, vertexShader)
  const fragment = shaderOf(gl, gl.FRAGMENT_SHADER, fragmentShader)
  if (vertex === null || fragment === null) return null
  const program = gl.createProgram()
  gl.attachShader(program, vertex)
  gl.attachShader(program, fragment)
  gl.linkProgram(program)
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : null
}

/** Sets a scene up in the canvas; null where the browser has no WebGL2. */
export const sceneIn = (canvas: HTMLCanvasElement): Scene | null => {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, preserveDrawingBuffer: true })
  if (gl === null) return null
  const program = programOf(gl)
  if (program === null) return null
  gl.useProgram(program)
  let count = 0
  const attribute = (name: string, size: number, length: number, offset: number, divisor: number) => {
    const at = gl.getAttribLocation(program, name)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 4 * length, 4 * offset)
    gl.vertexAttribDivisor(at, divisor)
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, box, gl.STATIC_DRAW)
  attribute("corner", 3, cornerLength, 0, 0)
  attribute("normal", 3, cornerLength, 3, 0)
  const bars = gl.createBuffer()
  gl.bindBuffer(gl.ARRAY_BUFFER, bars)
  attribute("place", 4, instanceLength, 0, 1)
  attribute("look", 4, instanceLength, 4, 1)
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([178, 190, 182, 255]))
  gl.generateMipmap(gl.TEXTURE_2D)
  gl.enable(gl.DEPTH_TEST)
  const camera = gl.getUniformLocation(program, "camera")
  const light = gl.getUniformLocation(program, "dim")
  return {
    setBars: (instances) => {
      count = instances.length / instanceLength
      gl.bindBuffer(gl.ARRAY_BUFFER, bars)
      gl.bufferData(gl.ARRAY_BUFFER, instances, gl.DYNAMIC_DRAW)
    },
    setMap: (image) => {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image)
      gl.generateMipmap(gl.TEXTURE_2D)
    },
    draw: (matrix, dim) => {
      gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight)
      gl.clearColor(0, 0, 0, 0)
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
      gl.uniformMatrix4fv(camera, false, matrix)
      gl.uniform1f(light, dim)
      gl.drawArraysInstanced(gl.TRIANGLES, 0, box.length / cornerLength, count)
    },
    remove: () => gl.getExtension("WEBGL_lose_context")?.loseContext()
  }
}
