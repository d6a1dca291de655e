import { DateTime, Effect } from "effect"

interface Updated {
  readonly updatedAt: DateTime.Utc
}

/** Refuses a change that was made on another state than the present one of a thing, such as "board"; without `basedOn` any state will do. */
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

/** When a change at `now` is said to have been made: two within a millisecond have different times, by which they are told apart. */
export const updateAfter = ({ updatedAt }: Updated, now: DateTime.Utc): DateTime.Utc =>
  DateTime.max(now, DateTime.add(updatedAt, { millis: 1 }))
