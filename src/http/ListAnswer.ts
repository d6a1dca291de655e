import { HttpServerResponse } from "@effect/platform"
import { Effect, type Schema } from "effect"
import { joined, written, writtenList } from "../services/WrittenList.ts"

const encoder = new TextEncoder()

/** Bytes of a list that are written in one turn of the event loop: its items are decoded, checked and written one after the other. */
const bytesPerTurn = 4096

const answerOf = (bytes: Uint8Array) => HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })

/** Answers a list, which the platform would write in one go, in turns with other requests. */
export const listAnswer = <A, I>(item: Schema.Schema<A, I>) => {
  const write = written(item)
  return <E, R>(list: Effect.Effect<Iterable<A>, E, R>) =>
    Effect.map(
      Effect.flatMap(list, (items) => writtenList(write, items, bytesPerTurn)),
      answerOf
    )
}

interface PageOf<A> {
  readonly items: Iterable<A>
  readonly nextCursor: string | null
}

/** Answers a page of a list likewise. */
export const pageAnswer = <A, I>(item: Schema.Schema<A, I>) => {
  const write = written(item)
  return Effect.fnUntraced(function* <E, R>(page: Effect.Effect<PageOf<A>, E, R>) {
    const { items, nextCursor } = yield* page
    const list = yield* writtenList(write, items, bytesPerTurn)
    const [before, after] = [`{"items":`, `,"nextCursor":${JSON.stringify(nextCursor)}}`]
    return answerOf(joined([encoder.encode(before), list, encoder.encode(after)]))
  })
}
