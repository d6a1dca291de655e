import { Effect } from "effect"
import type { Click } from "../../domain/deeplinks/Click.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { makeWriteBehind } from "../WriteBehind.ts"

/** Estimated memory of a click without its strings of varying length. */
const fixedBytes = 400

const bytesOf = ({ source, visitor }: Click): number => fixedBytes + 2 * ((source?.length ?? 0) + visitor.length)

/**
 * Writes clicks many at a time. A redirect waits for the write, because the marker that the click leads to may reach another process.
 * `WriteBehind` says what it promises.
 */
export class Clicks extends Effect.Service<Clicks>()("services/deeplinks/Clicks", {
  scoped: Effect.gen(function* () {
    const repo = yield* ClickRepo
    const buffer = yield* makeWriteBehind<Click>({
      name: "Clicks",
      batchSize: 100,
      gatherFor: "5 millis",
      maxItems: 200_000,
      maxBytes: 128 * 2 ** 20,
      bytesOf,
      merge: (older) => older,
      write: repo.record
    })

    /** Returns once the click is stored. While the store fails, it returns nevertheless, and the click is stored later. */
    const record = (click: Click) =>
      Effect.zipRight(
        buffer.put(click.interactionId, () => click),
        buffer.attempted(click.interactionId)
      )

    return { record, flush: buffer.flush, flushIfPossible: buffer.flushIfPossible } as const
  })
}) {}
