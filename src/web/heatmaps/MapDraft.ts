import type { BodyOf } from "../api/Endpoints.ts"
import type { Shape } from "../ui/kept/Kept.ts"
import type { Corner } from "./Corners.ts"
import { boundsFrom, cornersOf, heightsOf } from "./Corners.ts"
import type { GameMap } from "./HeatmapQueries.ts"
import type { ImagePlace } from "./ImageCorners.tsx"

/** A corner as it is typed. */
export interface CornerDraft extends ImagePlace {
  readonly x: string
  readonly z: string
}

/** A map while somebody edits it: numbers are texts until they are read. */
export interface MapDraft {
  readonly name: string
  readonly description: string
  readonly corners: readonly [CornerDraft, CornerDraft]
  readonly low: string
  readonly high: string
}

/** What somebody has changed of a map, which is kept in the browser. The image is not: no browser keeps a file. */
export const mapShape: Shape<Partial<MapDraft>> = { version: 1, read: (kept) => kept }

const standard: GameMap["bounds"] = { pointA: { x: -100, y: 0, z: -100 }, pointB: { x: 100, y: 100, z: 100 } }

const cornerDraft = (corner: Corner): CornerDraft => ({
  ...corner,
  x: String(corner.x),
  z: String(corner.z)
})

/** The draft that a map begins with; null for a new one. */
export const draftOf = (map: GameMap | null): MapDraft => {
  const bounds = map?.bounds ?? standard
  const [first, second] = cornersOf(bounds)
  const { low, high } = heightsOf(bounds)
  return {
    name: map?.name ?? "",
    description: map?.description ?? "",
    corners: [cornerDraft(first), cornerDraft(second)],
    low: String(low),
    high: String(high)
  }
}

const numberIn = (text: string): number | null => {
  const value = Number(text)
  return text.trim() === "" || !Number.isFinite(value) || Math.abs(value) > 1e12 ? null : value
}

type Definition = BodyOf<"heatmaps.create">

const cornerIn = ({ across, down, x, z }: CornerDraft): Corner | null => {
  const [worldX, worldZ] = [numberIn(x), numberIn(z)]
  return worldX === null || worldZ === null ? null : { across, down, x: worldX, z: worldZ }
}

/** The world that the whole image shows, or what is wrong with the corners. */
export const boundsIn = ({ corners, low, high }: MapDraft): GameMap["bounds"] | string => {
  const [first, second] = [cornerIn(corners[0]), cornerIn(corners[1])]
  if (first === null || second === null) {
    return "Both corners need the X and Z of their place in the world, as numbers."
  }
  const [lowest, highest] = [numberIn(low), numberIn(high)]
  if (lowest === null || highest === null) return "The lowest and the highest height are numbers."
  if (lowest > highest) return "The lowest height is above the highest."
  return (
    boundsFrom(first, second, { low: lowest, high: highest }) ??
    "The corners are too near each other: drag them apart in both directions, to places with another X and Z."
  )
}

/** The definition that the draft says, or what is wrong with it. */
export const definitionIn = (draft: MapDraft, resolutionFactor: number): Definition | string => {
  const bounds = boundsIn(draft)
  if (typeof bounds === "string") return bounds
  const name = draft.name.trim()
  if (name === "") return "The map needs a name."
  const description = draft.description.trim()
  return { name, description: description === "" ? null : description, bounds, resolutionFactor }
}
