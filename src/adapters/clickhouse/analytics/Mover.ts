import { Clock, Effect, Option } from "effect"
import { Catalogue } from "../../../domain/analytics/markers/Catalogue.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { Turns } from "../../../ports/operations/Turns.ts"
import type { Block, EventLog } from "../../postgres/analytics/EventLog.ts"
import { catalogueLines } from "../CatalogueRows.ts"
import { ClickHouse, ClickHouseRefused } from "../ClickHouse.ts"
import { lineCounter } from "../MarkerRows.ts"
import { isRemoved, linesOf, nobodysLine } from "../RemovedLines.ts"
import { inEach } from "./InEach.ts"

/** Milliseconds after which a block of which ClickHouse has no row is sent again. */
const lostMillis = 60_000

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
    /** Of environments whose block has no row in ClickHouse after it was sent: its token, since when (epoch ms), and how often it was sent again. */
    const missing = new Map<number, { readonly token: string; readonly since: number; readonly times: number }>()

    /** How many rows of the block ClickHouse has. */
    const counted = (environment: number, { first, last }: Block) =>
      Effect.map(
        rows<readonly [number]>(
          `select count() from marker where environment = ${environment} and sequence between ${first} and ${last}`
        ),
        ([found]) => found?.[0] ?? 0
      )

    /**
     * Counts the block's rows in ClickHouse: if it has forgotten the token, it would let the block in twice, and rows that it has lost
     * must not leave the log. Rows of removed markers may still be there: their removal deletes them.
     */
    const check = (environment: number, { first, last }: Block, removed: number, count: number) =>
      Effect.gen(function* () {
        const most = last - first + 1
        const least = most - removed
        if (count >= least && count <= most) return
        const found = `ClickHouse has ${count} rows of the markers ${first} to ${last} of environment ${environment} instead of ${least}`
        const place = `environment = ${environment} and sequence between ${first} and ${last}`
        const help = `All of them wait in PostgreSQL, and are sent again once ClickHouse has had none for a minute. Unless "gamekeeper doctor" tells to restore it, run there: alter table marker delete where ${place} settings mutations_sync = 2`
        return yield* new ClickHouseRefused({ code: 0, message: `${found}. ${help}` })
      })

    /**
     * The token under which the block is sent again; null unless ClickHouse has had no row of it for a minute, which is more than a replica lags behind. It
     * remembers the token of rows that it has lost, or that somebody has removed there, and takes them in under another one alone. That one gets its
     * minute too, and is the same whatever process sends: replicas that lag behind would have the rows twice otherwise.
     */
    const tokenAgain = (environment: number, block: Block, count: number) =>
      Effect.gen(function* () {
        if (count > 0) {
          missing.delete(environment)
          return null
        }
        const token = tokenOf(environment, block)
        const now = yield* Clock.currentTimeMillis
        const before = missing.get(environment)
        const { since, times } = before?.token === token ? before : { since: now, times: 0 }
        const isLost = now - since >= lostMillis
        missing.set(environment, isLost ? { token, since: now, times: times + 1 } : { token, since, times })
        return isLost ? `${token}:again:${times + 1}` : null
      })

    const send = (environment: number, block: Block) =>
      Effect.gen(function* () {
        const token = tokenOf(environment, block)
        const sendAs = (token: string) =>
          insert(
            "marker",
            block.texts.map((text) => Buffer.from(text)),
            token
          )
        const [{ catalogue, removed }] = yield* Effect.all([contentsOf(block), sendAs(token)], { concurrency: 2 })
        const lines =
          removed > 0
            ? [nobodysLine, ...catalogueLines(environment, catalogue)]
            : catalogueLines(environment, catalogue)
        yield* insert("catalogue", bytesOf(lines), `${token}:catalogue`)
        const count = yield* counted(environment, block)
        const isOneLeft = removed <= block.last - block.first
        const again = isOneLeft ? yield* tokenAgain(environment, block, count) : null
        if (again === null) return yield* check(environment, block, removed, count)
        yield* sendAs(again)
        yield* check(environment, block, removed, yield* counted(environment, block))
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
