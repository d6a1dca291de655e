export type Vector = readonly [x: number, y: number, z: number]

/** How the map is looked at: angles in radians, distance in lengths of the map's longer side. */
export interface View {
  readonly turn: number
  readonly tilt: number
  readonly distance: number
}

export const firstView: View = { turn: 0.5, tilt: 0.85, distance: 1.8 }

const clamped = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** The view turned, tilted and moved nearer or farther, within what shows the map from above. */
export const changed = ({ turn, tilt, distance }: View, by: Partial<View>): View => ({
  turn: turn + (by.turn ?? 0),
  tilt: clamped(tilt + (by.tilt ?? 0), 0.2, 1.5),
  distance: clamped(distance * (by.distance ?? 1), 0.5, 4)
})

/** A place on the screen in pixels, from the upper left. */
export type ScreenPlace = readonly [x: number, y: number]

/** Fingers that are nearer than this, in pixels, count as this far apart: what they do next to each other is not meant. */
const leastApart = 10

/** How the view changes while one of two fingers moves and the other rests: apart brings the map nearer, around turns it with them. */
export const twoFingers = (before: ScreenPlace, after: ScreenPlace, other: ScreenPlace): Partial<View> => {
  const apart = ([x, y]: ScreenPlace) => Math.max(leastApart, Math.hypot(x - other[0], y - other[1]))
  const angle = ([x, y]: ScreenPlace) => Math.atan2(y - other[1], x - other[0])
  const turned = angle(after) - angle(before)
  const turn = turned > Math.PI ? turned - 2 * Math.PI : turned < -Math.PI ? turned + 2 * Math.PI : turned
  return { distance: apart(before) / apart(after), turn }
}

/** Half of the vertical field of view, as a tangent. */
const reach = Math.tan(0.36)
const near = 0.05
const far = 12
/** What the camera looks at: what is near takes more of the picture, so that the middle of the map lies above that of the picture. */
const middle: Vector = [0, -0.08, 0]

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** Where the camera stands, and its three directions. */
export interface Camera {
  readonly eye: Vector
  readonly right: Vector
  readonly up: Vector
  readonly ahead: Vector
  /** Width of the picture divided by its height. */
  readonly aspect: number
}

export const cameraOf = ({ turn, tilt, distance }: View, aspect: number): Camera => {
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)]
  const [rise, reached] = [Math.sin(tilt), Math.cos(tilt)]
  const ahead: Vector = [-sin * reached, -rise, -cos * reached]
  const away = distance * Math.max(1, 1.2 / aspect)
  return {
    eye: [middle[0] - ahead[0] * away, middle[1] - ahead[1] * away, middle[2] - ahead[2] * away],
    right: [cos, 0, -sin],
    up: [-sin * rise, reached, -cos * rise],
    ahead,
    aspect
  }
}

/** The matrix of the camera with perspective, column by column, as WebGL takes it. */
export const matrixOf = ({ eye, right, up, ahead, aspect }: Camera): Float32Array => {
  const back: Vector = [-ahead[0], -ahead[1], -ahead[2]]
  const [wide, high] = [1 / (reach * aspect), 1 / reach]
  const depth = (far + near) / (near - far)
  const offset = (2 * far * near) / (near - far)
  const column = (axis: 0 | 1 | 2): ReadonlyArray<number> => [
    wide * right[axis],
    high * up[axis],
    depth * back[axis],
    -back[axis]
  ]
  const [x, y, z] = [-dot(right, eye), -dot(up, eye), -dot(back, eye)]
  return new Float32Array([...column(0), ...column(1), ...column(2), wide * x, high * y, depth * z + offset, -z])
}

/** Where a place is seen: shares of the picture's width and height from the upper left; null behind the camera. */
export const seenAt = (camera: Camera, place: Vector): readonly [across: number, down: number] | null => {
  const way = minus(place, camera.eye)
  const depth = dot(way, camera.ahead)
  if (depth <= near) return null
  const [x, y] = [dot(way, camera.right) / (depth * reach * camera.aspect), dot(way, camera.up) / (depth * reach)]
  return [(1 + x) / 2, (1 - y) / 2]
}

/** The direction in which a place of the picture lies, given as shares of its width and height. */
export const rayAt = ({ right, up, ahead, aspect }: Camera, across: number, down: number): Vector => {
  const [x, y] = [(2 * across - 1) * reach * aspect, (1 - 2 * down) * reach]
  return [ahead[0] + x * right[0] + y * up[0], ahead[1] + x * right[1] + y * up[1], ahead[2] + x * right[2] + y * up[2]]
}
