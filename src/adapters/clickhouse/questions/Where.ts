import { limitOf, type RetentionLimit } from "../../../domain/analytics/markers/RetentionRule.ts"
import { integerLiteral, textLiteral, textLiterals } from "../Literals.ts"
import type { Scope } from "./Scope.ts"

/** The state of an environment's markers that a question is asked of. */
export interface Ground {
  readonly environment: number
  /** The sequence of the latest marker that counts, so that several queries see the same markers. */
  readonly highest: number
  readonly limit: RetentionLimit
  /** Markers received before this instant (epoch ms) have no id any more. */
  readonly idsFrom: number
}

/** That a marker is past retention; null while nothing ever is. */
export const pastRetention = (limit: RetentionLimit): string | null => {
  const types = [...(limit.types?.keys() ?? [])]
  const otherwise = integerLiteral(limit.before)
  if (types.length === 0) return limit.before === -Infinity ? null : `at < ${otherwise}`
  const branches = types.map((type) => `type = ${textLiteral(type)}, ${integerLiteral(limitOf(limit, type))}`)
  return `at < multiIf(${branches.join(", ")}, ${otherwise})`
}

const among = (column: string, texts: ReadonlyArray<string>): string =>
  texts.length === 0 ? "false" : `${column} in (${textLiterals(new Set(texts))})`

/** The markers of the scope that are kept. */
export const whereOf = ({ environment, highest, limit }: Ground, { types, units, range }: Scope): string => {
  const past = pastRetention(limit)
  return [
    `environment = ${environment}`,
    `sequence <= ${highest}`,
    ...(types === null ? [] : [among("type", types)]),
    ...(units === null ? [] : ["hasUnit", among("unit", units)]),
    ...(range.from === -Infinity ? [] : [`at >= ${integerLiteral(range.from)}`]),
    ...(range.to === Infinity ? [] : [`at < ${integerLiteral(range.to)}`]),
    ...(past === null ? [] : [`not (${past})`])
  ].join(" and ")
}
