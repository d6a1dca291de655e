import { assert } from "@effect/vitest"
import { Control } from "../../../../src/adapters/sqlite/events/read/Control.ts"
import type { ReaderMessage } from "../../../../src/adapters/sqlite/events/threads/Protocol.ts"
import type { PoolLimits } from "../../../../src/adapters/sqlite/events/threads/PoolTerms.ts"
import { ReaderPool } from "../../../../src/adapters/sqlite/events/threads/ReaderPool.ts"
import type { OnReaderReply } from "../../../../src/adapters/sqlite/events/threads/ReaderThread.ts"

type Ask = Extract<ReaderMessage, { readonly type: "ask" }>

const limits: PoolLimits = { readers: 2, queue: 8, queueOfOwner: 4, wait: 10_000, grace: 1000 }
const question = { kind: "types", plan: { now: 0 } } as const
const meta = { rowsScanned: 0, elapsedMs: 0, highestSequence: 0, damaged: [], incomplete: null }

/** A pool whose threads do nothing by themselves: the test answers for them. Environments are of the owner of the same number. */
export const poolOf = (changes: Partial<PoolLimits> = {}) => {
  const begun: Array<{ readonly message: Ask; readonly reply: OnReaderReply }> = []
  const ended: Array<string> = []
  const terminated: Array<number> = []
  const exits: Array<() => void> = []
  const replies: Array<OnReaderReply> = []
  const pool = new ReaderPool({ ...limits, ...changes }, ({ onReply, onEnded }) => {
    const thread = exits.push(onEnded) - 1
    replies.push(onReply)
    return {
      send: (message) => message.type === "ask" && begun.push({ message, reply: onReply }),
      terminate: () => terminated.push(thread)
    }
  })
  const ask = (owner: number, name: string, budget = 10_000) =>
    pool.ask(owner, question, { budget, owner }, ({ _tag }) => ended.push(`${name} ${_tag}`))
  const running = () => begun.map(({ message }) => message.environmentId)
  const answer = (at: number) => {
    const { message, reply } = begun[at]!
    reply({ type: "answer", id: message.id, answer: 0 as never, meta })
  }
  /** The thread notices that it is to stop. */
  const notice = (at: number) => {
    const { message, reply } = begun[at]!
    assert.throws(() => new Control(message.control).did(0))
    reply({ type: "cancelled", id: message.id })
  }
  return { pool, ask, answer, notice, running, ended, terminated, exits, replies, started: () => exits.length }
}
