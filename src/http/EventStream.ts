import { HttpServerResponse } from "@effect/platform"
import { Readable } from "node:stream"

/** Bytes that may wait for a slow reader; one that leaves more waiting is dropped and comes back with the last id it has. */
const patience = 64 * 1024

/** The body of an answer that goes on: every stream shares the bytes it is sent. */
export class EventStream extends Readable {
  /** Nothing is made on demand: bytes come when something happens. */
  override _read(): void {}

  private isOver = false

  readonly send = (bytes: Uint8Array): void => {
    if (this.isOver || this.destroyed) return
    this.push(bytes)
    if (this.readableLength > patience) this.destroy()
  }

  readonly close = (): void => {
    this.isOver = true
    this.push(null)
  }

  readonly response = () =>
    HttpServerResponse.raw(this, {
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
    })
}
