import type { IncomingMessage, Server } from "node:http"
import { hasBody } from "../middleware/SocketAnswer.ts"

export interface SlowBodyOptions {
  /** Milliseconds between two looks at the bodies that arrive. */
  readonly everyMillis: number
  /** The fewest bytes of a body that must arrive between two looks, unless it ends. */
  readonly leastBytes: number
}

interface Arriving {
  readonly request: IncomingMessage
  /** Bytes that the socket had received at the last look. */
  readonly bytes: number
}

/** Requests that one turn of the event loop ends: many that began together become too slow together. */
const endedPerTurn = 4

/** What ends a request that takes too long: the error that Node itself reports for one. */
const tooSlow = (): NodeJS.ErrnoException =>
  Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

/**
 * Ends requests whose bodies arrive too slowly, as Node ends those that take too long as a whole. A body that waits because the server
 * has not read it yet is not slow. Returns what is to be told of every request; a request that comes whole is not kept.
 */
export const refuseSlowBodies = (server: Server, { everyMillis, leastBytes }: SlowBodyOptions) => {
  let arriving: ReadonlyArray<Arriving> = []
  let begun: Array<IncomingMessage> = []

  const isOpen = (request: IncomingMessage): boolean => !request.complete && !request.destroyed

  const isSlow = ({ request, bytes }: Arriving): boolean =>
    request.readableLength === 0 && request.socket.bytesRead - bytes < leastBytes

  const end = (slow: ReadonlyArray<IncomingMessage>) => {
    for (const request of slow.slice(0, endedPerTurn)) {
      if (isOpen(request)) server.emit("clientError", tooSlow(), request.socket)
    }
    if (slow.length > endedPerTurn) setImmediate(end, slow.slice(endedPerTurn))
  }

  const look = () => {
    const open = arriving.filter(({ request }) => isOpen(request))
    const slow = new Set(open.filter(isSlow))
    end([...slow].map(({ request }) => request))
    const going = open.flatMap((each) => (slow.has(each) ? [] : [each.request]))
    arriving = [...going, ...begun].map((request) => ({ request, bytes: request.socket.bytesRead }))
    begun = []
  }
  const timer = setInterval(look, everyMillis).unref()
  server.on("close", () => clearInterval(timer))

  const remember = (request: IncomingMessage): void => {
    if (isOpen(request)) begun.push(request)
  }
  return (request: IncomingMessage): void => {
    if (hasBody(request.headers)) setImmediate(remember, request)
  }
}
