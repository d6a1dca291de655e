import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { seeded } from "../Seeded.ts"

/** A player of the published test: the gate it was given, and whether it came back. */
export interface Player {
  readonly id: string
  readonly gate: "gate_30" | "gate_40"
  readonly day1: boolean
  readonly day7: boolean
}

const file = resolve(import.meta.dirname, "../../../data/cookie-cats/players.json")

/** All 90,189 of them, in an order that mixes the groups and is the same in every run. */
export const cookieCats = (): ReadonlyArray<Player> => {
  const groups: ReadonlyArray<Omit<Player, "id"> & { readonly players: number }> = JSON.parse(
    readFileSync(file, "utf8")
  )
  const random = seeded(184)
  return groups
    .flatMap(({ players, ...player }) => Array.from({ length: players }, () => ({ player, place: random() })))
    .sort((one, other) => one.place - other.place)
    .map(({ player }, at) => ({ id: String(at + 1), ...player }))
}
