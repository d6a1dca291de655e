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
 * server, wait for that; they would never be answered otherwise. Neither would those that come on open connections after it has taken its listener
 * away to stop: they are handed to that one still, and their connection ends with the answer, so that the next goes to a server that stays.
 *
 * Read in @effect/platform-node 0.108.2 (`serve` in internal/httpServer.ts listens for "request").
 * Test: "an interceptor" in test/http/platform/PlatformTricks.test.ts, and test/http/platform/BoundedClose.test.ts.
 */
export const interceptRequests = (server: Server, interceptor: Interceptor): void => {
  const emit = server.emit.bind(server)
  const early: Array<() => void> = []
  let stopped: Parameters<Server["off"]>[1] | undefined
  server.on("removeListener", (event: string, listener: Parameters<Server["off"]>[1]) => {
    if (event === "request") stopped = listener
  })
  server.on("newListener", (event: string) => {
    // Node tells of a listener before it has it.
    if (event === "request") setImmediate(() => early.splice(0).forEach((again) => again()))
  })
  server.emit = (event: string, ...given: ReadonlyArray<unknown>) => {
    if (event === "request" && stopped === undefined && server.listenerCount("request") === 0) {
      early.push(() => server.emit(event, ...given))
      return true
    }
    const [request, response] = given
    if (event !== "request" || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse))
      return emit(event, ...given)
    if (stopped !== undefined) response.shouldKeepAlive = false
    const handOn = () => {
      if (stopped === undefined) emit(event, ...given)
      else stopped.call(server, request, response)
    }
    if (!interceptor(request, response, handOn)) handOn()
    return true
  }
}
