import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A player of the published test: the gate it was given, and whether it came back. */
export interface Player {
  readonly id: string
  readonly gate: "gate_30" | "gate_40"
  readonly day1: boolean
  readonly day7: boolean
}

const file = (): string => {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, "shared", "data", "cookie_cats.csv")
    if (existsSync(candidate)) return candidate
  }
  throw new Error("There is no ../shared/data/cookie_cats.csv beside this repository")
}

/** All 90,189 of them. */
export const cookieCats = (): ReadonlyArray<Player> =>
  readFileSync(file(), "utf8")
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => {
      const [id = "", gate = "", , day1 = "", day7 = ""] = line.split(",")
      return { id, gate: gate === "gate_30" ? gate : "gate_40", day1: day1 === "TRUE", day7: day7 === "TRUE" }
    })
