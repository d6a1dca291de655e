import type { Server } from "node:http"

export interface CloseOptions {
  /** Milliseconds that open requests get to finish. */
  readonly drainMillis: number
  /** Ends the answers that go on until somebody ends them. */
  readonly hangUp: () => void
}

/**
 * Makes `close` end within `drainMillis`. The platform closes the server when its scope closes and waits for every connection; it offers
 * no limit, and a stream or a kept-alive socket would hold it back for ever.
 *
 * Read in @effect/platform-node 0.108.2 (`make` in internal/httpServer.ts calls `server.close` with a callback).
 * Test: "a close" in test/http/platform/PlatformTricks.test.ts.
 */
export const boundClose = (server: Server, { drainMillis, hangUp }: CloseOptions): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    const closing = close(callback)
    hangUp()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), drainMillis).unref()
    return closing
  }
}
