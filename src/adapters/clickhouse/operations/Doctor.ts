import { Effect } from "effect"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"
import { ClickHouse } from "../ClickHouse.ts"
import { tableNames } from "../Tables.ts"

/** The oldest version of ClickHouse that the statements are written for. */
const oldestServer = [25, 8] as const

const serverFinding = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < oldestServer[0] || (major === oldestServer[0] && minor < oldestServer[1])
  return isOld
    ? bad(`ClickHouse answers; its version is ${version}, and gamekeeper needs ${oldestServer.join(".")} or newer`)
    : good(`ClickHouse answers; its version is ${version}`)
}

/** A part of a table, whether it is as its checksums say, and what is wrong with it. */
type CheckedPart = readonly [name: string, isSound: boolean | number, problem: string]

const checkTable = (table: string) =>
  Effect.gen(function* () {
    const { rows } = yield* ClickHouse
    const parts = yield* rows<CheckedPart>(`check table ${table}`, { check_query_single_value_result: 0 })
    const damaged = parts.filter(([, isSound]) => isSound !== true && isSound !== 1)
    return damaged.length === 0
      ? [good(`Every part of the table ${table} in ClickHouse is as it was written`)]
      : damaged.map(([name, , problem]) =>
          bad(
            `Part ${name} of the table ${table} in ClickHouse is damaged (${problem}): restore it from a replica or a backup`
          )
        )
  })

/** Looks at the database of the markers without changing it; `deep` compares every part of its tables with its checksums. */
export const examineClickHouse = (deep: boolean) =>
  Effect.gen(function* () {
    const { rows } = yield* ClickHouse
    const [server] = yield* rows<readonly [string]>("select version()")
    const names = yield* rows<readonly [string]>("select name from system.tables where database = currentDatabase()")
    const present = new Set(names.map(([name]) => name))
    const missing = tableNames.filter((name) => !present.has(name))
    const tables =
      missing.length === 0
        ? good("ClickHouse has the tables of gamekeeper")
        : bad(`ClickHouse lacks the tables ${missing.join(", ")}: the command migrate makes them`)
    const parts = deep && tables.isGood ? (yield* Effect.forEach(tableNames, checkTable)).flat() : []
    return [serverFinding(server?.[0] ?? ""), tables, ...parts]
  })
