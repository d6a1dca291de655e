import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** What the last runs have shown: fingerprints of files of tests when they were green, and what the repository held. */
export interface Greens {
  readonly green: Map<string, string>
  readonly hashes: ReadonlyMap<string, string>
}

const fileIn = (root: string): string => join(root, "node_modules/.cache/gamekeeper/green.json")

const entriesIn = (value: unknown, name: string): ReadonlyArray<[string, string]> => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  if (typeof found !== "object" || found === null) return []
  return Object.entries(found).flatMap(([key, each]) => (typeof each === "string" ? [[key, each]] : []))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Nothing where nothing was kept, or it cannot be read: then everything runs. */
export const readGreens = (root: string): Greens => {
  const value = existsSync(fileIn(root)) ? parsed(readFileSync(fileIn(root), "utf8")) : undefined
  return { green: new Map(entriesIn(value, "green")), hashes: new Map(entriesIn(value, "hashes")) }
}

export const writeGreens = (root: string, { green, hashes }: Greens): void => {
  const file = fileIn(root)
  mkdirSync(dirname(file), { recursive: true })
  const text = JSON.stringify({ green: Object.fromEntries(green), hashes: Object.fromEntries(hashes) })
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
