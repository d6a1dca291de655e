import { packNames } from "../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { Events } from "../../src/adapters/sqlite/events/Events.ts"
import { openEvents } from "../../src/adapters/sqlite/events/OpenEvents.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { threads } from "../support/Workers.ts"
import { day, days, firstDay, generate, type Size } from "./Generate.ts"

/** `isAsked`: whether a reader is made ready for questions, as after the start of a server, which takes a second of processor time. */
export const openOurs = (file: string, dedupeDays = 100, isAsked = true): Promise<Events> =>
  new Promise((resolve, reject) =>
    openEvents(
      {
        file,
        threads,
        writer: { dedupeDays, ownSegmentRows: 1024, sealAt: 65_536, queueBytes: 64_000_000 },
        onUnsealed: reject,
        onDamaged: reject,
        ...(isAsked && { firstReader: (start) => start() }),
        readers: {
          readers: 1,
          queue: 100,
          queueOfOwner: 100,
          wait: 600_000,
          grace: 1000,
          cacheBytes: 256_000_000,
          warmUp: true
        }
      },
      (opened) => (opened instanceof Events ? resolve(opened) : reject(new Error(opened.message)))
    )
  )

/** Everything that may be put off: sealing, compaction, ids past the window, free space. */
export const maintain = (store: Events): Promise<void> =>
  new Promise((resolve, reject) =>
    store.maintain({ now: firstDay + days * day - 1, retention: [] }, (failure) =>
      failure === null ? resolve() : reject(new Error(failure.message))
    )
  )

export const close = (store: Events): Promise<void> => new Promise((resolve) => store.close(resolve))

export const ask = (store: Events, question: Question): Promise<{ answer: never; elapsedMs: number }> =>
  new Promise((resolve, reject) =>
    store.ask(1, question, { budget: 600_000 }, (outcome) =>
      outcome._tag === "Answered"
        ? resolve({ answer: outcome.answer as never, elapsedMs: outcome.meta.elapsedMs })
        : reject(new Error(JSON.stringify(outcome)))
    )
  )

/** Makes these units the members of the cohort. */
export const setCohort = (store: Events, cohortId: number, units: ReadonlyArray<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const plan = { cohortId, wanted: packNames(units), now: firstDay }
    store.ask<"cohortChange">(1, { kind: "cohortChange", plan }, { budget: 600_000 }, (outcome) => {
      if (outcome._tag !== "Answered") return reject(new Error(JSON.stringify(outcome)))
      store.swapMembers(1, outcome.answer, ({ _tag }) => (_tag === "Stored" ? resolve() : reject(new Error(_tag))))
    })
  })

export const append = (store: Events, events: ReadonlyArray<Event>): Promise<void> =>
  new Promise((resolve, reject) =>
    store.append(1, events[events.length - 1]!.receivedAt, events, (outcome) =>
      outcome._tag === "Stored" ? resolve() : reject(new Error(JSON.stringify(outcome)))
    )
  )

type Batches = Iterable<ReadonlyArray<Event>>

/** Appends the batches, a request each and `parallel` requests at a time; answers the milliseconds that took until all were on disk. */
export const appendAll = async (file: string, batches: Batches, parallel: number): Promise<number> => {
  const store = await openOurs(file, 100, false)
  let spent = 0
  let requests: Array<ReadonlyArray<Event>> = []
  const flush = async () => {
    const started = performance.now()
    await Promise.all(requests.map((events) => append(store, events)))
    spent += performance.now() - started
    requests = []
  }
  for (const events of batches) {
    requests.push(events)
    if (requests.length === parallel) await flush()
  }
  await flush()
  const started = performance.now()
  await close(store)
  return spent + performance.now() - started
}

/** Appends all events, `batch` to a request and `parallel` requests at a time; what it takes to make them up does not count. */
export const loadOurs = (file: string, size: Size, batch: number, parallel: number): Promise<number> =>
  appendAll(file, generate(size, batch), parallel)
