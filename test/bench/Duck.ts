import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBValue,
  INTEGER,
  VARCHAR
} from "@duckdb/node-api"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { generate, type Size } from "./Generate.ts"
import { cohortSql } from "./Questions.ts"

const columns = `environment integer, sequence bigint, marker varchar, type varchar, unit varchar, session varchar, ts bigint, received bigint,
  level integer, mode varchar, score integer, price double, item varchar, won boolean, platform varchar, country varchar, x double, y double, z double`
const kinds = [
  INTEGER,
  BIGINT,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  BIGINT,
  BIGINT,
  INTEGER,
  VARCHAR,
  INTEGER,
  DOUBLE,
  VARCHAR,
  BOOLEAN,
  VARCHAR,
  VARCHAR,
  DOUBLE,
  DOUBLE,
  DOUBLE
]

const scalar = (value: unknown): DuckDBValue =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null

const rowOf = (event: Event, sequence: number): Array<DuckDBValue> => [
  1,
  BigInt(sequence),
  event.markerId,
  event.type,
  event.unitId,
  event.sessionId,
  BigInt(event.timestamp),
  BigInt(event.receivedAt),
  ...["level", "mode", "score", "price", "item", "won"].map((name) => scalar(event.arguments[name])),
  ...["platform", "country"].map((name) => scalar(event.properties[name])),
  ...(event.position ?? [null, null, null])
]

export const openDuck = async (file: string, mode: "READ_ONLY" | "READ_WRITE"): Promise<DuckDBConnection> => {
  const instance = await DuckDBInstance.create(file, { access_mode: mode })
  return instance.connect()
}

/** Rows of a vector of DuckDB, which its appender takes best. */
export const vectorRows = 2048

/** Appends the events; answers the milliseconds that took until all were committed. */
export const appendToDuck = async (
  connection: DuckDBConnection,
  batches: Iterable<ReadonlyArray<Event>>
): Promise<number> => {
  await connection.run(`create table events (${columns})`)
  const appender = await connection.createAppender("events")
  let sequence = 0
  let spent = 0
  for (const events of batches) {
    const started = performance.now()
    const rows = events.map((event) => rowOf(event, ++sequence))
    const chunk = DuckDBDataChunk.create(kinds, rows.length)
    chunk.setRows(rows)
    appender.appendDataChunk(chunk)
    spent += performance.now() - started
  }
  const closing = performance.now()
  appender.closeSync()
  return spent + performance.now() - closing
}

/** Loads the events in order of arrival, or sorted by environment, marker and time. Answers the milliseconds of the appends. */
export const loadDuck = async (file: string, size: Size, sorted: boolean): Promise<number> => {
  const connection = await openDuck(file, "READ_WRITE")
  const spent = await appendToDuck(connection, generate(size, vectorRows))
  if (sorted) {
    await connection.run("create table ordered as select * from events order by environment, type, ts")
    await connection.run("drop table events")
    await connection.run("alter table ordered rename to events")
  }
  await connection.run(cohortSql)
  await connection.run("checkpoint")
  connection.closeSync()
  return spent
}
