import type { Server } from "node:http"
import { IncomingMessage, ServerResponse } from "node:http"

/**
 * Answers a request before the platform sees it. True when it has answered or will; until it knows, it may call `fallThrough`
 * to hand the request on to the platform.
 */
export type Interceptor = (request: IncomingMessage, response: ServerResponse, fallThrough: () => void) => boolean

/**
 * Asks `interceptor` about every request first. The platform starts a fiber for each request with a listener of its own, and Node
 * calls every listener of an event, so that another listener could not keep a request from it: `emit` is where one can.
 *
 * The platform listens at its port before it has anybody who answers. Requests that come in between, as of a health check that waits for the
 * server, wait for that; they would never be answered otherwise.
 *
 * Read in @effect/platform-node 0.108.2 (`serve` in internal/httpServer.ts listens for "request").
 * Test: "an interceptor" in test/http/platform/PlatformTricks.test.ts.
 */
export const interceptRequests = (server: Server, interceptor: Interceptor): void => {
  const emit = server.emit.bind(server)
  const early: Array<() => void> = []
  server.on("newListener", (event: string) => {
    // Node tells of a listener before it has it.
    if (event === "request") setImmediate(() => early.splice(0).forEach((again) => again()))
  })
  server.emit = (event: string, ...given: ReadonlyArray<unknown>) => {
    if (event === "request" && server.listenerCount("request") === 0) {
      early.push(() => server.emit(event, ...given))
      return true
    }
    const [request, response] = given
    const isAnswered =
      event === "request" &&
      request instanceof IncomingMessage &&
      response instanceof ServerResponse &&
      interceptor(request, response, () => emit(event, ...given))
    return isAnswered || emit(event, ...given)
  }
}
