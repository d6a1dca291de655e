import type { MaintenancePlan } from "../../../src/adapters/sqlite/events/write/Maintenance.ts"
import { createInterface } from "node:readline"
import { Events } from "../../../src/adapters/sqlite/events/Events.ts"
import { type EventsOptions, openEvents } from "../../../src/adapters/sqlite/events/OpenEvents.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { type Failed, WriterClient } from "../../../src/adapters/sqlite/events/threads/WriterClient.ts"
import { inlineWriter } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"

/**
 * A process that appends what it reads from its input, one request a line, and prints the number of each that is on disk. Given an
 * aim, as `compaction:3`, it kills itself in the midst of a transaction: at the third row that compaction deletes.
 */
const [file = "", writer = "", reader = "", sealer = "", aim = ""] = process.argv.slice(2)

const fail = (message: string) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const failed = (failure: Failed | null) => {
  if (failure !== null) fail(failure.message)
}

const options: EventsOptions = {
  file,
  threads: { writer, reader, sealer },
  writer: { dedupeDays: 7, ownSegmentRows: 50, queueBytes: 64_000_000, sealAt: 500 },
  onUnsealed: fail,
  onDamaged: fail,
  readers: { readers: 1, queue: 10, queueOfOwner: 10, wait: 10_000, grace: 1000, cacheBytes: 1_000_000 }
}

/** Nothing of environment 1 is ever past retention, so that only compaction takes segments of it away. */
const changes: Readonly<Record<string, string>> = {
  sealing: "delete on main.tail",
  compaction: "delete on main.segment when old.environment_id = 1",
  retention: "delete on main.segment when old.environment_id = 2"
}

interface Request {
  readonly id: number
  readonly receivedAt: number
  readonly events: ReadonlyArray<Event>
  /** Markers of environment 2. */
  readonly old: ReadonlyArray<Event>
  readonly retention: MaintenancePlan["retention"]
}

const serve = (append: Events["append"], maintain: (plan: MaintenancePlan) => void) => {
  process.stdout.write("ready\n")
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, receivedAt, events, old, retention }: Request = JSON.parse(line)
    if (old.length > 0) append(2, receivedAt, old, () => undefined)
    if (retention.length > 0) maintain({ now: receivedAt, retention })
    append(1, receivedAt, events, ({ _tag }) => {
      if (_tag === "Stored") process.stdout.write(`${id}\n`)
    })
  })
}

const aimed = (name: string, count: number) => {
  const append: Events["append"] = (environmentId, receivedAt, events, done) =>
    client.append(environmentId, encodeFrame(receivedAt, events), done)
  const ready = () => serve(append, (plan) => client.run({ type: "maintain", plan }, failed))
  const client = new WriterClient(options.writer, ready, fail, fail)
  const { db, send } = inlineWriter({ file, options: options.writer }, (reply) => setImmediate(client.receive, reply))
  let seen = 0
  db.function("strike", () => {
    seen++
    if (seen === count) process.kill(process.pid, "SIGKILL")
    return null
  })
  db.exec(`create temp trigger aim after ${changes[name]} begin select strike(); end`)
  client.attach({ send })
}

if (aim === "") {
  openEvents(options, (store) => {
    if (!(store instanceof Events)) process.exit(1)
    serve(store.append.bind(store), (plan) => store.maintain(plan, failed))
  })
} else {
  const [name = "", count] = aim.split(":")
  aimed(name, Number(count))
}
