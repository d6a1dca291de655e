import { dayMillis, minuteMillis } from "../../Durations.ts"

/** How many days back from now markers are kept: those of the types named as many as each says, all others `days`. */
export interface RetentionRule {
  readonly days: number
  readonly types: Readonly<Record<string, number>>
}

/** Markers with a timestamp before these instants (epoch milliseconds) are past retention; `before` is for types that are not named. */
export interface RetentionLimit {
  readonly before: number
  readonly types?: ReadonlyMap<string, number>
}

/** Nothing is past retention. */
export const everythingKept: RetentionLimit = { before: -Infinity }

/** The instant at which a marker that is kept so many days is past retention, at the next full minute, so that it stays for a minute. */
const instantOf = (now: number, days: number): number =>
  Math.ceil((now - days * dayMillis) / minuteMillis) * minuteMillis

/** What the rule says at `now` (epoch milliseconds). */
export const limitAt = ({ days, types }: RetentionRule, now: number): RetentionLimit => {
  const own = Object.entries(types)
  const before = instantOf(now, days)
  return own.length === 0
    ? { before }
    : { before, types: new Map(own.map(([type, each]) => [type, instantOf(now, each)])) }
}

/** Markers of the type with an earlier timestamp are past retention. */
export const limitOf = ({ before, types }: RetentionLimit, type: string): number => types?.get(type) ?? before

/** From this instant on no marker of any type is past retention. */
export const highestOf = ({ before, types }: RetentionLimit): number =>
  types === undefined ? before : Math.max(before, ...types.values())

/** The same for versions of what a store holds (`DataVersion`): null while everything is kept. */
export const keptFromOf = (limit: RetentionLimit): number | null => {
  const highest = highestOf(limit)
  return Number.isFinite(highest) ? highest : null
}

/** Every marker with an earlier timestamp is past retention, whatever its type. */
export const lowestOf = ({ before, types }: RetentionLimit): number =>
  types === undefined ? before : Math.min(before, ...types.values())

/** The limit so many milliseconds earlier. */
export const limitEarlier = ({ before, types }: RetentionLimit, by: number): RetentionLimit => ({
  before: before - by,
  ...(types === undefined ? {} : { types: new Map([...types].map(([type, instant]) => [type, instant - by])) })
})

/** Whether a marker of that type and timestamp (epoch milliseconds) is past retention. */
export const isPast = (
  limit: RetentionLimit,
  { type, timestamp }: { readonly type: string; readonly timestamp: number }
): boolean => timestamp < limitOf(limit, type)

/** The rules of a store: one for each environment that has its own, and one for all others, null while none is given. */
export class RetentionRules {
  private common: RetentionRule | null = null
  private readonly own = new Map<number, RetentionRule>()

  /** `environmentId` null: of all environments without a rule of their own; `rule` null: the environment has none of its own. */
  set(environmentId: number | null, rule: RetentionRule | null): void {
    if (environmentId === null) this.common = rule
    else if (rule === null) this.own.delete(environmentId)
    else this.own.set(environmentId, rule)
  }

  /** The limit of the environment at `now` (epoch milliseconds); everything is kept while no rule is given. */
  limit(environmentId: number, now: number): RetentionLimit {
    const rule = this.own.get(environmentId) ?? this.common
    return rule === null ? everythingKept : limitAt(rule, now)
  }
}
