import { Effect, Option } from "effect"
import { Catalogue } from "../../../domain/analytics/markers/Catalogue.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { Turns } from "../../../ports/operations/Turns.ts"
import type { Block, EventLog } from "../../postgres/analytics/EventLog.ts"
import { catalogueLines } from "../CatalogueRows.ts"
import { ClickHouse, ClickHouseRefused } from "../ClickHouse.ts"
import { lineCounter } from "../MarkerRows.ts"
import { isRemoved, linesOf, nobodysLine } from "../RemovedLines.ts"
import { inEach } from "./InEach.ts"

/** The turn in which markers of an environment are moved or removed. */
export const turnOf = (environment: number): string => `events of ${environment}`

/** The token by which ClickHouse knows a block. */
export const tokenOf = (environment: number, { first, last }: Pick<Block, "first" | "last">): string =>
  `${environment}:${first}:${last}`

/** What a block is made of: how many markers that were removed have left a row in it, and the catalogue of the others. */
interface Contents {
  readonly removed: number
  readonly catalogue: Catalogue
}

const contentsOf = ({ texts }: Block) =>
  Effect.gen(function* () {
    const catalogue = new Catalogue()
    const count = lineCounter(catalogue)
    let removed = 0
    for (const text of texts) {
      for (const line of linesOf(text)) {
        if (isRemoved(line)) removed++
        else count(line)
      }
      yield* nextTurn
    }
    const contents: Contents = { removed, catalogue }
    return contents
  })

const bytesOf = (lines: Iterable<string>): ReadonlyArray<Uint8Array> => [Buffer.from([...lines].join("\n"))]

/**
 * Carries markers from PostgreSQL's log to ClickHouse, each exactly once: the end of a block is fixed before the block is sent, the block
 * is sent under a token of its own, and it leaves the log once ClickHouse has it. The next process that moves markers repeats what was
 * interrupted.
 */
export const makeMover = (log: EventLog) =>
  Effect.gen(function* () {
    const { insert, rows } = yield* ClickHouse
    const turns = yield* Turns

    /**
     * Counts the block's rows in ClickHouse: if it has forgotten the token, it would let the block in twice, and rows that it has lost
     * must not leave the log. Rows of removed markers may still be there: their removal deletes them.
     */
    const check = (environment: number, { first, last }: Block, removed: number) =>
      Effect.gen(function* () {
        const [found] = yield* rows<readonly [number]>(
          `select count() from marker where environment = ${environment} and sequence between ${first} and ${last}`
        )
        const count = found?.[0] ?? 0
        const most = last - first + 1
        const least = most - removed
        if (count >= least && count <= most) return
        const message = `markers ${first} to ${last} of environment ${environment} are ${count} rows instead of ${least}`
        return yield* new ClickHouseRefused({ code: 0, message })
      })

    const send = (environment: number, block: Block) =>
      Effect.gen(function* () {
        const token = tokenOf(environment, block)
        const [{ catalogue, removed }] = yield* Effect.all(
          [
            contentsOf(block),
            insert(
              "marker",
              block.texts.map((text) => Buffer.from(text)),
              token
            )
          ],
          { concurrency: 2 }
        )
        const lines =
          removed > 0
            ? [nobodysLine, ...catalogueLines(environment, catalogue)]
            : catalogueLines(environment, catalogue)
        yield* insert("catalogue", bytesOf(lines), `${token}:catalogue`)
        yield* check(environment, block, removed)
      })

    const moveBlock = (environment: number) =>
      Effect.flatMap(
        log.nextBlock(environment),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (block) =>
            Effect.as(Effect.zipRight(send(environment, block), log.moved(environment, block.last)), true)
        })
      )

    /** Moves everything that is in the log; inside of the environment's turn. */
    const moveAll = (environment: number) =>
      Effect.asVoid(Effect.repeat(moveBlock(environment), { while: (isMore) => isMore }))

    /** The head of the environment, when ClickHouse has every marker up to its highest. */
    const caughtUp = (environment: number) =>
      Effect.tap(log.head(environment), ({ highest, flushed }) =>
        flushed < highest ? turns.alone(turnOf(environment), moveAll(environment)) : Effect.void
      )

    /** Moves the markers that wait, except those of environments that another process is moving. */
    const moveWaiting = Effect.flatMap(log.waiting, (environments) =>
      inEach(environments, (environment) => turns.once(turnOf(environment), moveAll(environment)))
    )

    return { moveAll, caughtUp, moveWaiting }
  })

export type Mover = Effect.Effect.Success<ReturnType<typeof makeMover>>
