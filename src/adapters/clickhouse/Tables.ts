import { Effect } from "effect"
import { ClickHouse } from "./ClickHouse.ts"

/** Insertions whose tokens are remembered: more than can be under way when a process dies. */
const remembered = "non_replicated_deduplication_window = 10000"

/** How the tables are made. */
export interface TableOptions {
  /** Days after its receipt at which the id of a marker leaves the disk; null: never. */
  readonly idDays: number | null
}

/**
 * Markers, ordered so that those of one unit and day lie together. Instants are epoch milliseconds, since no time zone of ClickHouse may
 * decide about a day. `received` is `at + delay`. A text that may be missing has a flag, because null and "" differ. Arguments and properties
 * have a path for each name and type of value (see MarkerLines.ts).
 */
const marker = ({ idDays }: TableOptions) => `create table if not exists marker (
  environment UInt32,
  type LowCardinality(String),
  at Int64 codec(DoubleDelta, ZSTD(1)),
  unit String codec(ZSTD(1)),
  hasUnit Bool,
  session String codec(ZSTD(1)),
  hasSession Bool,
  server LowCardinality(String),
  hasServer Bool,
  sequence UInt64 codec(Delta, ZSTD(1)),
  delay Int64 codec(T64, ZSTD(1)),
  clamped Bool,
  id UUID codec(ZSTD(1))${idDays === null ? "" : ` ttl toDateTime(intDiv(at + delay, 1000) + ${idDays * 86_400})`},
  x Nullable(Float64),
  y Nullable(Float64),
  z Nullable(Float64),
  a JSON(max_dynamic_paths = 512),
  p JSON(max_dynamic_paths = 256),
  index by_unit unit type bloom_filter(0.001) granularity 1,
  index by_sequence sequence type minmax granularity 1
) engine = MergeTree
partition by toYYYYMM(fromUnixTimestamp64Milli(at, 'UTC'))
order by (environment, type, intDiv(at, 86400000), unit, at, sequence)
settings ${remembered}`

/**
 * What was seen, as sums of what each insertion saw: rows of the kind `type` count markers of a UTC day, `name` the kinds of
 * value that a name had, `value` its values as JSON.
 */
const catalogue = `create table if not exists catalogue (
  environment UInt32,
  kind LowCardinality(String),
  source LowCardinality(String),
  name String,
  type String,
  value String,
  day Int32,
  n SimpleAggregateFunction(sum, Int64),
  firstAt SimpleAggregateFunction(min, Int64),
  lastAt SimpleAggregateFunction(max, Int64)
) engine = AggregatingMergeTree
order by (environment, kind, source, name, type, value, day)
settings ${remembered}`

/** Who entered and left cohorts, at the instants of their generations. Rows after the latest generation are of one that was not finished. */
const stay = `create table if not exists stay (
  environment UInt32,
  cohort UInt32,
  unit String,
  at Int64,
  entered Bool
) engine = MergeTree
order by (environment, cohort, unit, at)
settings ${remembered}, index_granularity = 256`

/** The tables that hold rows of environments. */
export const tableNames = ["marker", "catalogue", "stay"] as const

/** ClickHouse must have markers on its disk before it answers that it has them, because PostgreSQL then deletes its own copy. */
const durable = tableNames.map(
  (table) => `alter table ${table} modify setting fsync_after_insert = 1, fsync_part_directory = 1`
)

const steps = (options: TableOptions): ReadonlyArray<string> => [marker(options), catalogue, stay, ...durable]

/**
 * Makes what is missing. Every step may be repeated and only adds, since processes of the version before go on meanwhile; `migration` says
 * which steps were done.
 */
export const makeTables = (options: TableOptions) =>
  Effect.gen(function* () {
    const { rows, run, insert } = yield* ClickHouse
    yield* run(
      `create table if not exists migration (number UInt32) engine = ReplacingMergeTree order by number settings ${remembered}`
    )
    const done = new Set((yield* rows<readonly [number]>("select number from migration")).map(([number]) => number))
    for (const [index, step] of steps(options).entries()) {
      const number = index + 1
      if (done.has(number)) continue
      yield* run(step)
      yield* insert("migration", [Buffer.from(JSON.stringify({ number }))], `migration ${number}`)
    }
  })
