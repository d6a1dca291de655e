type Colour = readonly [red: number, green: number, blue: number]

export const ramps = ["fire", "sea"] as const
export type RampName = (typeof ramps)[number]

const stops: Readonly<Record<RampName, ReadonlyArray<Colour>>> = {
  fire: [
    [255, 209, 102],
    [243, 114, 44],
    [155, 29, 90]
  ],
  sea: [
    [207, 230, 218],
    [74, 159, 132],
    [8, 69, 54]
  ]
}

const below: ReadonlyArray<Colour> = [
  [169, 200, 226],
  [31, 111, 178]
]
const above: ReadonlyArray<Colour> = [
  [239, 196, 143],
  [180, 97, 10]
]

/** The colour at a share of the way through the stops. */
const mixed = (colours: ReadonlyArray<Colour>, share: number): Colour => {
  const way = Math.min(1, Math.max(0, share)) * (colours.length - 1)
  const at = Math.min(colours.length - 2, Math.floor(way))
  const [from = [0, 0, 0], to = from] = [colours[at], colours[at + 1]]
  const part = way - at
  return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1]), from[2] + part * (to[2] - from[2])]
}

/** How the values of a grid become colours. */
export interface Scale {
  /** Differences have a side below 0, and colours of their own. */
  readonly isSigned: boolean
  readonly ramp: RampName
  /** The value with the strongest colour. */
  readonly top: number
}

/** The strength of a value from 0 to 1: its root, so that cells with little are seen beside cells with much. */
export const strengthOf = ({ top }: Scale, value: number): number =>
  top === 0 ? 0 : Math.sqrt(Math.min(1, Math.abs(value) / top))

/** Red, green and blue of a value, each 0 to 255. */
export const colourOf = (scale: Scale, value: number): Colour => {
  const strength = strengthOf(scale, value)
  if (!scale.isSigned) return mixed(stops[scale.ramp], strength)
  return mixed(value < 0 ? below : above, strength)
}

/** How much of the map a value hides, from 0 to 255: nothing where nothing is. */
const coverOf = (strength: number): number => 255 * Math.min(1, strength * 3) * (0.55 + 0.45 * strength)

/** Pixels of a grid, four bytes each, for `putImageData`. */
export const pixelsOf = (scale: Scale, values: Float64Array): Uint8ClampedArray<ArrayBuffer> => {
  const pixels = new Uint8ClampedArray(4 * values.length)
  for (const [index, value] of values.entries()) {
    if (value === 0) continue
    const [red, green, blue] = colourOf(scale, value)
    pixels[4 * index] = red
    pixels[4 * index + 1] = green
    pixels[4 * index + 2] = blue
    pixels[4 * index + 3] = coverOf(strengthOf(scale, value))
  }
  return pixels
}
