import { Schema } from "effect"

const isTrusted = <A>(value: unknown): value is A => value !== undefined

/**
 * Takes any value to be an `A` without looking into it. Only for what this program wrote itself, where the type was
 * checked on the way in: reading it back is frequent, and checking every value again would be slow.
 */
export const Trusted = <A>() => Schema.declare(isTrusted<A>)

/** The same for rows as the driver gives them, with the names of their columns. */
export const trustedRows = <A extends object>(rows: ReadonlyArray<object>): ReadonlyArray<A> =>
  rows.filter(isTrusted<A>)
