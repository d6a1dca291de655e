import { createInterface } from "node:readline"
import { openEvents, Events } from "../../src/adapters/sqlite/events/Events.ts"
import type { Event } from "../../src/domain/analytics/Event.ts"

/** A process that appends what it reads from its input, one request a line, and prints the number of each that is on disk. */
const [file, writer, reader] = process.argv.slice(2)

openEvents(
  {
    file: file ?? "",
    threads: { writer: writer ?? "", reader: reader ?? "" },
    writer: { dedupeDays: 7, ownSegmentRows: 50, queueBytes: 64_000_000, sealAt: 500 },
    readers: { readers: 1, queue: 10, grace: 1000, cacheBytes: 1_000_000 }
  },
  (store) => {
    if (!(store instanceof Events)) process.exit(1)
    process.stdout.write("ready\n")
    createInterface({ input: process.stdin }).on("line", (line) => {
      const request: { id: number; receivedAt: number; events: ReadonlyArray<Event>; retain: number | null } =
        JSON.parse(line)
      if (request.retain !== null)
        store.maintain(
          { now: request.receivedAt, retention: [{ environmentId: 1, before: request.retain }] },
          () => undefined
        )
      store.append(1, request.receivedAt, request.events, ({ _tag }) => {
        if (_tag === "Stored") process.stdout.write(`${request.id}\n`)
      })
    })
  }
)
