import { createWriteStream, existsSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { once } from "node:events"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { generate, type Size } from "./Generate.ts"

/** ClickHouse inside this process (chDB), which `node test/cluster/install.mjs` installs. */
export interface Chdb {
  readonly query: (sql: string, format: string) => string
  readonly close: () => void
}

const cluster = join(import.meta.dirname, "..", "cluster")

export const isChdbThere = (): boolean => existsSync(join(cluster, "node_modules", "chdb", "package.json"))

export const openChdb = (folder: string): Chdb => {
  const { Session } = createRequire(join(cluster, "package.json"))("chdb") as {
    readonly Session: new (path: string) => Chdb
  }
  return new Session(folder)
}

export const chdbNumbers = (chdb: Chdb, sql: string): ReadonlyArray<ReadonlyArray<number>> =>
  chdb
    .query(sql, "TabSeparated")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t").map(Number))

const columns = `environment UInt32, sequence UInt64, marker UUID, type LowCardinality(String), unit String, session String, ts UInt64,
  received UInt64, level Nullable(Int32), mode LowCardinality(Nullable(String)), score Nullable(Int32), price Nullable(Float64),
  item LowCardinality(Nullable(String)), won Nullable(Bool), platform LowCardinality(Nullable(String)),
  country LowCardinality(Nullable(String)), x Nullable(Float64), y Nullable(Float64), z Nullable(Float64)`

const cell = (value: unknown): string => (value === undefined || value === null ? "\\N" : String(value))

const lineOf = (event: Event, sequence: number): string =>
  [
    1,
    sequence,
    event.markerId,
    event.type,
    event.unitId,
    event.sessionId,
    event.timestamp,
    event.receivedAt,
    ...["level", "mode", "score", "price", "item", "won"].map((name) => event.arguments[name]),
    ...["platform", "country"].map((name) => event.properties[name]),
    ...(event.position ?? [null, null, null])
  ]
    .map(cell)
    .join("\t")

/** Loads the events, sorted by environment, type and time: the order that suits the questions best. */
export const loadChdb = async (folder: string, size: Size): Promise<void> => {
  const file = `${folder}.tsv`
  const out = createWriteStream(file)
  let sequence = 0
  for (const events of generate(size, 2048)) {
    const text = events.map((event) => `${lineOf(event, ++sequence)}\n`).join("")
    if (!out.write(text)) await once(out, "drain")
  }
  out.end()
  await once(out, "finish")
  const chdb = openChdb(folder)
  chdb.query("create database bench", "TabSeparated")
  const order = "engine = MergeTree order by (environment, type, ts)"
  chdb.query(`create table bench.events (${columns}) ${order}`, "TabSeparated")
  chdb.query(`insert into bench.events select * from file('${file}', 'TabSeparated', '${columns}')`, "TabSeparated")
  chdb.query("optimize table bench.events final", "TabSeparated")
  chdb.query("create table bench.cohort (unit String) engine = MergeTree order by unit", "TabSeparated")
  chdb.query(
    "insert into bench.cohort select distinct unit from bench.events where unit like 'player-1%'",
    "TabSeparated"
  )
  chdb.close()
  rmSync(file)
}
