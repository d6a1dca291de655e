import type { Request, Studio } from "../access/Studio.ts"
import { openStudio } from "../access/Studio.ts"
import { type Game, gameOf } from "../game/Game.ts"
import { journeys, markerOf, metric, week } from "./Journeys.ts"

export const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 8, y: 4, z: 8 } }
export const nowhere = "00000000-0000-4000-8000-000000000000"

/** The journeys, most of them at places of the world. */
const placed = journeys!.map((sent, at) => {
  const marker = markerOf(sent)
  const position = { x: (at * 7) % 11, y: at % 5, z: (at * 3) % 9 }
  return at % 6 === 0 ? marker : { ...marker, properties: { ...marker.properties, position } }
})

export interface PlacedWorld {
  readonly studio: Studio
  readonly game: Game
  readonly heatmapId: string
}

/** A studio whose game has sent the journeys, with a heatmap of their world. */
export const placedWorld = async (request: Request): Promise<PlacedWorld> => {
  const studio = await openStudio(request, "ada")
  const game = await gameOf(request, studio)
  await game.send(placed)
  const { body } = await request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
    headers: studio.cookie,
    body: { name: "Map", bounds, resolutionFactor: 1 / 16 }
  })
  return { studio, game, heatmapId: body.id }
}

export const levels = { time: week, metrics: [metric("A", { type: "sum", argument: "price" }), metric("B", {})] }
export const formula = { id: "C", data: { type: "formula", formula: "A / B" } }
export const returning = { time: week, start: { name: "Start" }, interval: "day", intervals: 3 }
export const placesOf = ({ heatmapId }: PlacedWorld) => ({
  time: week,
  metrics: [metric("A", {})],
  heatmapData: { id: heatmapId }
})
export const monday = "2026-03-02T00:00:00.000Z"
