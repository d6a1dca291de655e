import { Clock, Effect } from "effect"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Delivered, Ready } from "./Delivery.ts"

/** An answer with the key under which it is kept. Caches that remember the key share this one string. */
export interface WrittenAnswer extends Ready {
  readonly key: string
}

/** Answers made from what is delivered, each written once for all who get the same, such as units in the same groups. */
export class WrittenAnswers extends Effect.Service<WrittenAnswers>()("services/game/WrittenAnswers", {
  sync: () => {
    const answers = new ValidCache<WrittenAnswer>(64 * mebibyte, ({ bytes }) => bytes.length)

    /** The answer under the key, if it is kept and still valid at `now` (epoch milliseconds). */
    const find = (key: string, now: number): WrittenAnswer | undefined => answers.get(key, now)

    const keyOf = ({ environmentId, audience }: Pick<Delivered, "environmentId" | "audience">, question: string) =>
      `${environmentId} ${audience} ${question}`

    /** The answer to a question about what is delivered; `write` makes it unless it is kept. */
    const of = Effect.fnUntraced(function* <E, R>(
      delivered: Pick<Delivered, "environmentId" | "audience" | "validity">,
      question: string,
      write: Effect.Effect<Ready, E, R>
    ) {
      const key = keyOf(delivered, question)
      const known = answers.get(key, yield* Clock.currentTimeMillis)
      if (known !== undefined) return known
      const { hash, bytes } = yield* write
      const written: WrittenAnswer = { key, hash, bytes }
      answers.set(key, written, delivered.validity)
      return written
    })

    return { keyOf, find, of } as const
  }
}) {}
