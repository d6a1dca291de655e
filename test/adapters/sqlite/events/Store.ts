import { inlineThreads } from "../../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { assert } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Events } from "../../../../src/adapters/sqlite/events/Events.ts"
import { type EventsOptions, openEvents } from "../../../../src/adapters/sqlite/events/OpenEvents.ts"
import type { Answers, QuestionKind, QuestionOf } from "../../../../src/domain/analytics/question/Question.ts"
import type { PoolAnswer } from "../../../../src/adapters/sqlite/events/threads/PoolTerms.ts"
import type { Appended } from "../../../../src/adapters/sqlite/events/threads/WriterClient.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import { threads } from "../../../support/Workers.ts"

export type Changes = Partial<EventsOptions>

const defaults: EventsOptions = {
  file: ":memory:",
  threads: inlineThreads,
  writer: { dedupeDays: 7, ownSegmentRows: 100, sealAt: 65_536, queueBytes: 64_000_000 },
  onUnsealed: (message) => assert.fail(message),
  onDamaged: (message) => assert.fail(message),
  readers: { readers: 2, queue: 100, queueOfOwner: 100, wait: 10_000, grace: 1000, cacheBytes: 32_000_000 }
}

export const open = (changes: Changes = {}): Promise<Events> =>
  new Promise((resolve, reject) =>
    openEvents({ ...defaults, ...changes }, (opened) =>
      opened instanceof Events ? resolve(opened) : reject(new Error(opened.message))
    )
  )

export const append = (store: Events, environmentId: number, receivedAt: number, events: ReadonlyArray<Event>) =>
  new Promise<Appended>((resolve) => store.append(environmentId, receivedAt, events, resolve))

export const ask = <Kind extends QuestionKind>(store: Events, environmentId: number, question: QuestionOf<Kind>) =>
  new Promise<PoolAnswer<Answers[Kind]["answer"]>>((resolve) =>
    store.ask(environmentId, question, { budget: 10_000 }, resolve)
  )

export const close = (store: Events) => new Promise<void>((resolve) => store.close(resolve))

export const directory = () => {
  const path = mkdtempSync(join(tmpdir(), "events-"))
  return { path, file: join(path, "events.sqlite"), remove: () => rmSync(path, { recursive: true }) }
}

export const inDirectory = async (use: (file: string) => Promise<void>) => {
  const { file, remove } = directory()
  await use(file).finally(remove)
}

/** Each way the store can run; a fresh file per use. */
export const modes: ReadonlyArray<{ readonly name: string; readonly changes: (file: string) => Changes }> = [
  { name: "in memory", changes: () => ({}) },
  { name: "in one thread over a file", changes: (file) => ({ file }) },
  { name: "in worker threads", changes: (file) => ({ file, threads }) }
]
