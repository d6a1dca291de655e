import type { Server } from "node:http"

export interface CloseOptions {
  /** Milliseconds that open requests get to finish. */
  readonly drainMillis: number
  /** Ends the answers that go on until somebody ends them. */
  readonly hangUp: () => void
}

/** Milliseconds in which requests are read that came while the process was busy with its end: Node takes their connections for idle, and cuts them off. */
const readMillis = 50

/**
 * Makes `close` end within `drainMillis`. The platform closes the server when its scope closes and waits for every connection; it offers
 * no limit, and a stream or a kept-alive socket would hold it back for ever. What has arrived by then is answered.
 *
 * Read in @effect/platform-node 0.108.2 (`make` in internal/httpServer.ts calls `server.close` with a callback).
 * Test: "a close" in test/http/platform/PlatformTricks.test.ts, and test/http/platform/BoundedClose.test.ts.
 */
export const boundClose = (server: Server, { drainMillis, hangUp }: CloseOptions): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    hangUp()
    // A turn that was too long ends with timers, and reads before what is immediate.
    setTimeout(() => setImmediate(() => close(callback).closeIdleConnections()), readMillis)
    setTimeout(() => server.closeAllConnections(), readMillis + drainMillis).unref()
    return server
  }
}
