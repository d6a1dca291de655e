import { ClickHouseError, ClickHouseLogLevel, createClient } from "@clickhouse/client"
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { reasonOf } from "../local/ReasonOf.ts"
import { identifier } from "./Literals.ts"
import { Readable } from "node:stream"
import { finished } from "node:stream/promises"

/** ClickHouse refused a statement; `code` is its own number of the error. */
export class ClickHouseRefused extends Data.TaggedError("ClickHouseRefused")<{
  readonly code: number
  readonly message: string
}> {}

/** No answer came from ClickHouse: it is down or cannot be reached. */
export class ClickHouseSilent extends Data.TaggedError("ClickHouseSilent")<{ readonly message: string }> {}

export type ClickHouseProblem = ClickHouseRefused | ClickHouseSilent

export interface ClickHouseOptions {
  readonly url: string
  readonly database: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  /** Milliseconds after which a statement without an answer counts as unanswered. */
  readonly timeout: number
}

/** Settings of ClickHouse by their own names. */
export type QuerySettings = Readonly<Record<string, string | number>>

/** Asks a query for its rows, each as the list of its columns. */
export type Rows = <Row>(query: string) => Effect.Effect<ReadonlyArray<Row>, ClickHouseProblem>

interface Statements {
  /** The rows of a query, each as the list of its columns. */
  readonly rows: <Row>(query: string, settings?: QuerySettings) => Effect.Effect<ReadonlyArray<Row>, ClickHouseProblem>
  /** Stores lines of JSON in a table. Lines that were stored with the same token before are not stored again. */
  readonly insert: (
    table: string,
    lines: ReadonlyArray<Uint8Array>,
    token: string
  ) => Effect.Effect<void, ClickHouseProblem>
  readonly run: (statement: string) => Effect.Effect<void, ClickHouseProblem>
}

/** One database of ClickHouse. */
export class ClickHouse extends Context.Tag("adapters/clickhouse/ClickHouse")<ClickHouse, Statements>() {}

const problemOf = (cause: unknown): ClickHouseProblem =>
  cause instanceof ClickHouseError
    ? new ClickHouseRefused({ code: Number(cause.code), message: cause.message })
    : new ClickHouseSilent({ message: reasonOf(cause) })

/** The most bytes and parts of a statement: those of questions list values and groups, and what each step of a funnel has. */
const long: QuerySettings = { max_query_size: 200_000_000, max_ast_elements: 1_000_000 }

/**
 * ClickHouse answers numbers as numbers of JSON, and stops a query whose asker has gone. It holds the answer back until that is whole: once rows are
 * on their way, it could only tell of a failure by one more row, which looks like all others.
 */
const reading: QuerySettings = {
  output_format_json_quote_64bit_integers: 0,
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  ...long
}

/** A text that looks like a date or a number stays a text, and a number is read to its last bit. */
const writing: QuerySettings = {
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  input_format_json_try_infer_numbers_from_strings: 0,
  precise_float_parsing: 1,
  max_partitions_per_insert_block: 0
}

const connect = ({ url, database, username, password, timeout }: ClickHouseOptions) =>
  createClient({
    url,
    database,
    request_timeout: timeout,
    // The client need not log: every failure is answered to its caller.
    log: { level: ClickHouseLogLevel.OFF },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password: Redacted.value(password) })
  })

const make = (options: ClickHouseOptions) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => connect(options)),
      (client) => Effect.promise(() => client.close())
    ),
    (client): Statements => ({
      rows: <Row>(query: string, settings: QuerySettings = {}) =>
        Effect.tryPromise({
          try: (signal) =>
            client
              .query({
                query,
                format: "JSONCompactEachRow",
                abort_signal: signal,
                clickhouse_settings: { ...reading, ...settings }
              })
              .then((found) => found.json<Row>()),
          catch: problemOf
        }),
      insert: (table, lines, token) =>
        Effect.tryPromise({
          try: () =>
            client
              .exec({
                query: `insert into ${table} format JSONEachRow`,
                clickhouse_settings: { ...writing, insert_deduplication_token: token },
                values: Readable.from(lines)
              })
              .then(({ stream }) => finished(stream.resume())),
          catch: problemOf
        }),
      run: (query) =>
        Effect.tryPromise({
          try: () => client.command({ query, clickhouse_settings: long }).then(() => undefined),
          catch: problemOf
        })
    })
  )

/** One database of ClickHouse as it is; statements are refused where it is missing. */
export const ClickHouseFound = (options: ClickHouseOptions) => Layer.scoped(ClickHouse, make(options))

/** One database of ClickHouse, made where it is missing. */
export const ClickHouseLive = (options: ClickHouseOptions) =>
  Layer.scoped(
    ClickHouse,
    Effect.zipRight(
      Effect.scoped(
        Effect.flatMap(make({ ...options, database: "default" }), ({ run }) =>
          run(`create database if not exists ${identifier(options.database)}`)
        )
      ),
      make(options)
    )
  )
