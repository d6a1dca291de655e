import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"
import { ClickHouse } from "../ClickHouse.ts"

interface Head {
  readonly environment: number
  readonly highest: number
  readonly flushed: number
  readonly removals: number
}

/** What ClickHouse has of an environment: its number of markers and the highest sequence among them. */
interface Stored {
  readonly count: number
  readonly last: number
}

/** Markers that wait for ClickHouse, above which something keeps them from moving. */
const longLog = 10_000_000

const nothing: Stored = { count: 0, last: 0 }

/**
 * What is wrong with one environment. `moved` is the number of markers that had left the log before ClickHouse was asked, `head` what
 * PostgreSQL knew afterwards: so what servers do meanwhile is not taken for a fault. Sequences have no gaps, so that a count proves that
 * no marker is missing, as long as none was ever removed.
 */
const compared = ({ environment, highest, removals }: Head, moved: number, { count, last }: Stored): Array<Finding> => {
  const place = `environment ${environment}`
  const findings: Array<Finding> = []
  if (last > highest) {
    const numbers = `ClickHouse has marker ${last} of ${place}, and PostgreSQL has only given numbers up to ${highest}`
    findings.push(bad(`${numbers}: PostgreSQL was restored to an earlier time, restore ClickHouse to one before that`))
  } else if (count > last) {
    findings.push(bad(`ClickHouse has ${count - last} or more markers of ${place} twice: restore it from a backup`))
  }
  if (removals === 0 && count < moved) {
    const lost = `ClickHouse lacks ${moved - count} markers of ${place} that it had`
    findings.push(bad(`${lost}: restore it from a replica or a backup`))
  }
  return findings
}

const logFinding = (waiting: number): Finding =>
  waiting > longLog
    ? bad(`${waiting} markers wait in PostgreSQL for ClickHouse: see in the log of the servers what keeps them`)
    : good(`${waiting} markers wait in PostgreSQL for ClickHouse`)

/** Compares the numbers of markers that PostgreSQL has given with the markers that ClickHouse has, without changing either. */
export const comparePair = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { rows } = yield* ClickHouse
  const heads = sql<Head>`select environment, highest, flushed, removals from event_head order by environment`
  const before = new Map((yield* heads).map(({ environment, flushed }) => [environment, flushed]))
  const found = yield* rows<readonly [number, number, number]>(
    "select environment, count(), max(sequence) from marker where environment > 0 group by environment order by environment"
  )
  const known = new Map((yield* heads).map((head) => [head.environment, head]))
  const stored = new Map(found.map(([environment, count, last]) => [environment, { count, last }]))
  const environments = [...new Set([...known.keys(), ...stored.keys()])].toSorted((a, b) => a - b)
  const wrong = environments.flatMap((environment) =>
    compared(
      known.get(environment) ?? { environment, highest: 0, flushed: 0, removals: 0 },
      before.get(environment) ?? 0,
      stored.get(environment) ?? nothing
    )
  )
  const waiting = [...known.values()].reduce((sum, { highest, flushed }) => sum + highest - flushed, 0)
  const markers = found.reduce((sum, [, count]) => sum + count, 0)
  const agreement = good(
    `PostgreSQL and ClickHouse agree about ${markers} markers of ${environments.length} environments`
  )
  return [logFinding(waiting), ...(wrong.length === 0 ? [agreement] : wrong)]
})
