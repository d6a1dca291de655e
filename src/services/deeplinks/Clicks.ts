import { Effect } from "effect"
import type { Click } from "../../domain/deeplinks/Click.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { makeWriteBehind } from "../WriteBehind.ts"

/** Estimated memory of a click without its strings of varying length. */
const fixedBytes = 400

const bytesOf = ({ source, visitor }: Click): number => fixedBytes + 2 * ((source?.length ?? 0) + visitor.length)

/** Writes clicks many at a time, so that a redirect does not wait for the store. `WriteBehind` says what it promises. */
export class Clicks extends Effect.Service<Clicks>()("services/deeplinks/Clicks", {
  scoped: Effect.gen(function* () {
    const repo = yield* ClickRepo
    const buffer = yield* makeWriteBehind<Click>({
      name: "Clicks",
      batchSize: 100,
      gatherFor: "20 millis",
      maxItems: 200_000,
      maxBytes: 128 * 2 ** 20,
      bytesOf,
      merge: (older) => older,
      write: repo.record
    })

    /** Returns at once. */
    const record = Effect.fn("Clicks.record")((click: Click) => buffer.put(click.interactionId, () => click))

    return { record, flush: buffer.flush, flushIfPossible: buffer.flushIfPossible } as const
  })
}) {}
