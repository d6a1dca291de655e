import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Machine } from "./Machine.ts"
import type { Details, Handed, Row } from "./Row.ts"

/** What became of one benchmark. */
export interface Measured extends Handed {
  /** Null if it ran to its end; else why it did not. */
  readonly failure: string | null
  /** The day it ran. */
  readonly day: string
  readonly seconds: number
  readonly events: number
  readonly rounds: number
  /** How many programs wanted a core in the minute before: what is above 1 or so disturbs the figures. */
  readonly load: number
  readonly commit: string
}

/** All that is known, of one run or of several. */
export interface Results {
  readonly machine: Machine
  readonly benches: Readonly<Record<string, Measured>>
}

export const readResults = (file: string): Results =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { machine: [], benches: {} }

/** The results if this machine found them (by its processor, cores and memory); otherwise none. */
export const ofMachine = (results: Results, machine: Machine): Results => {
  const hardware = (of: Machine) =>
    JSON.stringify(of.filter(([name]) => name === "processor" || name === "cores" || name === "memory"))
  return hardware(results.machine) === hardware(machine) ? results : { machine, benches: {} }
}

/** Replaces the file at once: a run that is cut off loses nothing of what was there. */
export const writeResults = (file: string, results: Results): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(results, null, 1)}\n`)
  renameSync(`${file}.new`, file)
}

/** What a benchmark has handed over, a line of JSON each time; of rows with the same id the last one counts. */
export const gathered = (text: string): Handed => {
  const all: ReadonlyArray<Handed> = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
  const rows = new Map<string, Row>()
  const details = new Map<string, Details>()
  for (const handed of all) {
    for (const row of handed.rows) rows.set(row.id, row)
    for (const each of handed.details) details.set(each.title, each)
  }
  return { rows: [...rows.values()], details: [...details.values()] }
}
