import type { Position } from "../analytics/markers/Event.ts"
import { indexedPng } from "./Png.ts"
import type { SeededRandom } from "./SeededRandom.ts"

/** Half the side of the island's map in world units: it reaches from -200 to 200 on both axes. */
export const mapReach = 200

/** The side of the map's image in pixels. */
const imageSide = 320

/** The height above the sea that players walk on. */
const ground = 12

interface Place {
  readonly x: number
  readonly z: number
}

const lavaFrom: Place = { x: 50, z: -95 }
const lavaTo: Place = { x: 150, z: -20 }
const spikes: Place = { x: -60, z: 75 }
const arena: Place = { x: 10, z: 140 }
const arenaRadius = 26
const cliff: Place = { x: -142, z: -30 }
const cliffHalf = 75
const village: Place = { x: 0, z: 0 }

const between = (from: Place, to: Place, share: number): Place => ({
  x: from.x + share * (to.x - from.x),
  z: from.z + share * (to.z - from.z)
})

const near = (random: SeededRandom, { x, z }: Place, spread: number): Position => [
  x + spread * random.normal(),
  ground,
  z + spread * random.normal()
]

const hazards: ReadonlyArray<
  readonly [hazard: { readonly cause: string; readonly at: (random: SeededRandom) => Position }, weight: number]
> = [
  [{ cause: "lava", at: (random) => near(random, between(lavaFrom, lavaTo, random.next()), 7) }, 34],
  [{ cause: "spikes", at: (random) => near(random, spikes, 13) }, 26],
  [
    {
      cause: "boss",
      at: (random) => {
        const angle = 2 * Math.PI * random.next()
        const edge = { x: arena.x + arenaRadius * Math.cos(angle), z: arena.z + arenaRadius * Math.sin(angle) }
        return near(random, edge, 5)
      }
    },
    22
  ],
  [
    {
      cause: "fall",
      at: (random) => near(random, { x: cliff.x, z: cliff.z + cliffHalf * (2 * random.next() - 1) }, 5)
    },
    14
  ],
  [{ cause: "wolf", at: (random) => near(random, village, 55) }, 4]
]

/** What a player of the demo died of, and where. */
export const demoDeath = (random: SeededRandom): { readonly cause: string; readonly position: Position } => {
  const { cause, at } = random.pick(hazards)
  return { cause, position: at(random) }
}

/** Red, green and blue of everything on the map, by the index in the image. */
const palette = [
  [58, 110, 142],
  [84, 140, 166],
  [222, 207, 160],
  [150, 178, 112],
  [124, 158, 96],
  [128, 122, 116],
  [196, 92, 44],
  [96, 88, 84],
  [206, 184, 142],
  [168, 148, 120],
  [142, 70, 62]
] as const

const sea = 0
const shallows = 1
const sand = 2
const meadow = 3
const wood = 4
const rock = 5
const lava = 6
const spiked = 7
const path = 8
const stone = 9
const roof = 10

const distance = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.z - b.z)

/** The distance of a place from the way between two others. */
const distanceToWay = (place: Place, from: Place, to: Place): number => {
  const [dx, dz] = [to.x - from.x, to.z - from.z]
  const share = ((place.x - from.x) * dx + (place.z - from.z) * dz) / (dx * dx + dz * dz)
  return distance(place, between(from, to, Math.min(1, Math.max(0, share))))
}

const waves = ({ x, z }: Place): number =>
  8 * Math.sin(x / 23 + z / 41) + 6 * Math.sin(z / 17 - x / 31) + 3 * Math.sin(x / 7 + z / 9)

/** How far a place lies inside the shore, in world units; negative in the sea. */
const inland = (place: Place): number => 184 - distance(place, village) + waves(place)

const houses: ReadonlyArray<Place> = [
  { x: -18, z: -14 },
  { x: 14, z: -20 },
  { x: 24, z: 10 },
  { x: -10, z: 20 },
  { x: -30, z: 6 }
]

const onIsland = (place: Place): number => {
  if (distanceToWay(place, lavaFrom, lavaTo) < 11 + waves(place) / 6) return lava
  if (houses.some((house) => Math.max(Math.abs(place.x - house.x), Math.abs(place.z - house.z)) < 6)) return roof
  const fromArena = distance(place, arena)
  if (fromArena < arenaRadius + 6) return fromArena > arenaRadius - 3 ? rock : stone
  if (distance(place, spikes) < 24 && (Math.round(place.x / 6) + Math.round(place.z / 6)) % 2 === 0) return spiked
  if (Math.abs(place.x - cliff.x + 6) < 7 && Math.abs(place.z - cliff.z) < cliffHalf + 12) return rock
  const ends = [lavaFrom, spikes, arena, { x: cliff.x + 12, z: cliff.z }]
  if (ends.some((end) => distanceToWay(place, village, end) < 3 + waves(place) / 12)) return path
  return Math.sin(place.x / 29) + Math.sin(place.z / 37) + waves(place) / 20 > 0.7 ? wood : meadow
}

const groundAt = (place: Place): number => {
  const depth = inland(place)
  if (depth < -12) return sea
  if (depth < 0) return shallows
  return depth < 11 ? sand : onIsland(place)
}

/** A map of the island as a PNG image, its first row at the smallest z. */
export const demoMap = (): Uint8Array => {
  const worldOf = (pixel: number): number => ((pixel + 0.5) / imageSide) * 2 * mapReach - mapReach
  return indexedPng(imageSide, imageSide, palette, (column, row) => groundAt({ x: worldOf(column), z: worldOf(row) }))
}
