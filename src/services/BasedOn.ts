import { DateTime, Effect } from "effect"

interface Updated {
  readonly updatedAt: DateTime.Utc
}

/**
 * Refuses a change of a thing (`name` says which, such as "board") that was based on another state than the present one. Without `basedOn`
 * any state will do.
 */
export const demandUnchanged = <E>(
  thing: string,
  { updatedAt }: Updated,
  basedOn: DateTime.Utc | undefined,
  refusal: (message: string) => E
): Effect.Effect<void, E> =>
  basedOn === undefined || DateTime.Equivalence(updatedAt, basedOn)
    ? Effect.void
    : Effect.fail(
        refusal(`The ${thing} was changed at ${DateTime.formatIso(updatedAt)}: read it again and repeat the change`)
      )

/**
 * The time of a change made at `now`: later than that of the change before by a millisecond at least, because `basedOn` tells changes
 * apart by their times.
 */
export const updateAfter = ({ updatedAt }: Updated, now: DateTime.Utc): DateTime.Utc =>
  DateTime.max(now, DateTime.add(updatedAt, { millis: 1 }))
