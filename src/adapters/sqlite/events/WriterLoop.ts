import type { WriterMessage, WriterReply } from "./Protocol.ts"
import type { AppendRequest, Writer } from "./Writer.ts"

const commitBytes = 4 * 1024 * 1024

interface Waiting extends AppendRequest {
  readonly id: number
}

/** Group commit: what arrives while a transaction is written shares the next one; nothing waits for a timer. */
export class WriterLoop {
  private readonly writer: Writer
  private readonly reply: (reply: WriterReply) => void
  private queue: Array<Waiting> = []
  private isScheduled = false

  constructor(writer: Writer, reply: (reply: WriterReply) => void) {
    this.writer = writer
    this.reply = reply
    reply({ type: "ready", highestSequences: writer.highestSequences() })
  }

  receive(message: WriterMessage): void {
    if (message.type === "append") {
      this.queue.push(message)
      this.schedule()
      return
    }
    while (this.queue.length > 0) this.commit()
    this.writer.close()
    this.reply({ type: "done", id: message.id })
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      if (this.queue.length === 0) return
      this.commit()
      if (this.queue.length > 0) this.schedule()
    })
  }

  private commit(): void {
    const batch = this.take()
    try {
      const outcomes = this.writer.commit(batch)
      for (const [index, { id }] of batch.entries())
        this.reply({ type: "appended", id, outcome: outcomes[index] ?? { _tag: "StorageFull" } })
    } catch (cause) {
      for (const { id } of batch) this.reply({ type: "failed", id, message: String(cause) })
    }
  }

  private take(): ReadonlyArray<Waiting> {
    let bytes = 0
    let count = 0
    while (count < this.queue.length && (count === 0 || bytes < commitBytes)) bytes += this.queue[count++]!.frame.length
    return this.queue.splice(0, count)
  }
}
