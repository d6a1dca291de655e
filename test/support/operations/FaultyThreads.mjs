// Loaded into the server and its threads before themselves. A question that names the type OutOfMemory takes all memory of its reader;
// SIGUSR2 ends the thread that writes markers.
import { syncBuiltinESMExports } from "node:module"
import threads, { isMainThread, parentPort } from "node:worker_threads"

const readerMegabytes = 64

const exhaust = () => {
  for (const all = []; ;) all.push(Array.from({ length: 100_000 }, () => 0.5))
}

if (isMainThread) {
  const { Worker } = threads
  const writers = []
  threads.Worker = class extends Worker {
    constructor(script, options) {
      const isReader = String(script).includes("EventReader")
      const limits = isReader
        ? { ...options.resourceLimits, maxOldGenerationSizeMb: readerMegabytes }
        : options.resourceLimits
      super(script, { ...options, resourceLimits: limits })
      if (String(script).includes("EventWriter")) writers.push(this)
    }
  }
  syncBuiltinESMExports()
  process.on("SIGUSR2", () => {
    for (const writer of writers) void writer.terminate()
  })
} else if (parentPort !== null) {
  // What comes before the thread itself listens must wait for it, so nothing else may listen.
  const on = parentPort.on.bind(parentPort)
  parentPort.on = (event, listener) =>
    on(event, (message) => {
      if (message?.type === "ask" && JSON.stringify(message.question).includes("OutOfMemory")) exhaust()
      listener(message)
    })
}
