// The stores that benchmarks of questions share: ours in a data folder as a server has it, and those of the peers, made once for each size.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Events } from "../../../src/adapters/sqlite/events/Events.ts"
import { settle } from "../../support/Server.ts"
import { loadChdb } from "../Chdb.ts"
import { loadDuck } from "../Duck.ts"
import type { Size } from "../Generate.ts"
import { close, loadOurs, maintain, openOurs, setCohort } from "../Ours.ts"
import { cohort, cohortId } from "../Questions.ts"

export const benchFolder = join(tmpdir(), "gamekeeper-bench")

/** So many markers of a hundredth as many players. */
export const sizeOf = (events: number): Size => ({ events, players: Math.max(1000, Math.round(events / 100)) })

export interface Stores {
  readonly size: Size
  /** A data folder: of a person with an organization, and of the markers in environment 1. */
  readonly data: string
  readonly ours: string
  readonly sorted: string
  readonly arrival: string
  readonly chdb: string
  readonly told: string
}

export const storesOf = (events: number, folder = benchFolder): Stores => {
  const directory = join(folder, String(events))
  return {
    size: sizeOf(events),
    data: join(directory, "data"),
    ours: join(directory, "data", "events.sqlite"),
    sorted: join(directory, "sorted.duckdb"),
    arrival: join(directory, "arrival.duckdb"),
    chdb: join(directory, "chdb"),
    told: join(directory, "told.json")
  }
}

/** What was measured when the stores were made. */
export interface Told {
  readonly ourMilliseconds: number
  readonly bytesWithin: number
  readonly duckMilliseconds?: number
  readonly bytesPast?: number
}

const readTold = ({ told }: Stores): Told => JSON.parse(readFileSync(told, "utf8"))

const tell = (stores: Stores, more: Partial<Told>): Told => {
  const told = { ...readTold(stores), ...more }
  writeFileSync(stores.told, JSON.stringify(told))
  return told
}

/** Bytes of the event file with all that lies beside it: the log and the checksums of its pages. */
const eventBytes = (data: string): number =>
  readdirSync(data)
    .filter((name) => name.startsWith("events.sqlite") && !name.endsWith("-shm"))
    .reduce((sum, name) => sum + statSync(join(data, name)).size, 0)

/** Makes our store, unless it is there. */
export const loadOwn = async (stores: Stores): Promise<Told> => {
  const { size, data, ours, told } = stores
  if (existsSync(told)) return readTold(stores)
  rmSync(join(data, ".."), { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  await settle(data)
  const ourMilliseconds = await loadOurs(ours, size, 1000, 8)
  const store = await openOurs(ours)
  await maintain(store)
  await close(store)
  const fresh: Told = { ourMilliseconds, bytesWithin: eventBytes(data) / size.events }
  writeFileSync(told, JSON.stringify(fresh))
  return fresh
}

/** Measures what a marker takes past the window in which duplicates are found, in a copy of the store. */
export const measurePast = async (stores: Stores): Promise<Told> => {
  const known = await loadOwn(stores)
  if (known.bytesPast !== undefined) return known
  const copy = join(stores.data, "..", "past")
  rmSync(copy, { recursive: true, force: true })
  cpSync(stores.data, copy, { recursive: true })
  const past = await openOurs(join(copy, "events.sqlite"), 0)
  await maintain(past)
  await close(past)
  const bytesPast = eventBytes(copy) / stores.size.events
  rmSync(copy, { recursive: true, force: true })
  return tell(stores, { bytesPast })
}

/** Makes the two stores of DuckDB, unless they are there. */
export const loadDucks = async (stores: Stores): Promise<Told> => {
  const known = await loadOwn(stores)
  if (known.duckMilliseconds !== undefined) return known
  for (const file of [stores.arrival, stores.sorted]) rmSync(file, { force: true })
  const duckMilliseconds = await loadDuck(stores.arrival, stores.size, false)
  await loadDuck(stores.sorted, stores.size, true)
  return tell(stores, { duckMilliseconds })
}

/** Makes the store of ClickHouse, unless it is there. */
export const loadClickHouse = async ({ chdb, size }: Stores): Promise<void> => {
  const whole = `${chdb}.whole`
  if (existsSync(whole)) return
  rmSync(chdb, { recursive: true, force: true })
  await loadChdb(chdb, size)
  writeFileSync(whole, "")
}

/** Our store, with the cohort that a question asks about. */
export const openOwn = async ({ ours, size }: Stores): Promise<Events> => {
  const store = await openOurs(ours)
  await setCohort(store, cohortId, cohort(size.players))
  return store
}
