import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { IncomingMessage } from "node:http"

/**
 * Carries a value from one place that handles a request to another: from a handler to the middleware around it, or from what
 * answers before the platform to the platform's handlers. The platform offers no way back to the middleware, and the two see
 * different request objects, but both stand for the same request of Node, by which the value is kept until that is collected.
 *
 * Read in @effect/platform-node 0.108.2 (`ServerRequestImpl.modify` in internal/httpServer.ts keeps `source`).
 * Test: "a note" in test/http/platform/PlatformTricks.test.ts.
 */
export class RequestNotes<Note> {
  private readonly notes = new WeakMap<object, Note>()

  set(request: HttpServerRequest.HttpServerRequest | IncomingMessage, note: Note): void {
    this.notes.set(nodeRequestOf(request), note)
  }

  get(request: HttpServerRequest.HttpServerRequest | IncomingMessage): Note | undefined {
    return this.notes.get(nodeRequestOf(request))
  }
}

/** Whether a request came by a socket: one of a test may not. */
export const hasSocket = (request: HttpServerRequest.HttpServerRequest): boolean =>
  nodeRequestOf(request) instanceof IncomingMessage

const nodeRequestOf = (request: HttpServerRequest.HttpServerRequest | IncomingMessage): object =>
  request instanceof IncomingMessage ? request : NodeHttpServerRequest.toIncomingMessage(request)
