import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { PeerNotice } from "../../../src/domain/operations/PeerNotice.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { Peers } from "../../../src/ports/operations/Peers.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { metadataStores } from "../../support/Stores.ts"

const about = (id: number): PeerNotice => ({ kind: "assignments", environmentId: EnvironmentId.make(id) })

const numberOf = (notice: PeerNotice): number => ("environmentId" in notice ? notice.environmentId : 0)

/** The environments of the notices that are heard until the scope closes. */
const listening = Effect.gen(function* () {
  const heard: Array<number> = []
  yield* (yield* Peers).hear((notice) => void heard.push(numberOf(notice)))
  return heard
})

for (const [label, store] of metadataStores) {
  layer(store)(`peers in ${label}`, (it) => {
    it.scoped("hear what is told, in order, all of them, until they leave", () =>
      Effect.gen(function* () {
        const peers = yield* Peers
        const [one, other] = [yield* listening, yield* listening]
        const left = yield* Effect.scoped(Effect.zipLeft(listening, peers.tell(about(1))))
        yield* peers.tell(about(2))
        assert.deepStrictEqual([one, other, left], [[1, 2], [1, 2], [1]])
        assert.isTrue(peers.isFresh())
        assert.match(peers.name, /^[\w-]{8,}$/)
      })
    )

    it.scoped("hear of a transaction once it is committed and before it is acknowledged", () =>
      Effect.gen(function* () {
        const peers = yield* Peers
        const { run } = yield* Transaction
        const heard = yield* listening
        const step = Effect.gen(function* () {
          yield* peers.tell(about(1))
          yield* run(peers.tell(about(2)))
          yield* Effect.exit(run(Effect.zipRight(peers.tell(about(3)), Effect.fail("undone"))))
          yield* peers.tell(about(4))
          return [...heard]
        })
        assert.deepStrictEqual(yield* run(step), [])
        assert.deepStrictEqual(heard, [1, 2, 4])
      })
    )

    it.scoped("hear nothing of a transaction that is undone, nor of any other later", () =>
      Effect.gen(function* () {
        const peers = yield* Peers
        const { run } = yield* Transaction
        const heard = yield* listening
        yield* Effect.exit(run(Effect.zipRight(peers.tell(about(1)), Effect.fail("undone"))))
        yield* Effect.exit(run(Effect.zipRight(run(peers.tell(about(2))), Effect.die("broken"))))
        yield* run(peers.tell(about(3)))
        assert.deepStrictEqual(heard, [3])
      })
    )

    it.scoped("hear what is told in the background after the transaction that began it", () =>
      Effect.gen(function* () {
        const peers = yield* Peers
        const { run } = yield* Transaction
        const heard = yield* listening
        const fiber = yield* run(Effect.forkDaemon(Effect.zipRight(Effect.yieldNow(), peers.tell(about(1)))))
        yield* fiber
        assert.deepStrictEqual(heard, [1])
      })
    )
  })
}
