import { Data, Effect } from "effect"
import { createServer } from "node:http"

export class PortUnusable extends Data.TaggedError("PortUnusable")<{
  readonly message: string
  readonly isTaken: boolean
}> {}

const reasonOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "unknown"

/** What the reasons mean that an operator meets, by code. */
const meanings: ReadonlyMap<string, string> = new Map([
  ["EACCES", "this user may not listen at so low a port: choose one above 1023 with --port"],
  ["EADDRNOTAVAIL", "this machine has no such address: --host names one of its own, 0.0.0.0 all of them"],
  ["ENOTFOUND", "there is no host of that name: --host takes one, or an address without brackets"]
])

/** Why the server cannot listen there. */
export const refusedPort = (host: string, port: number, cause: unknown) => {
  const code = reasonOf(cause)
  const meaning = meanings.get(code)
  const isTaken = code === "EADDRINUSE"
  return new PortUnusable({
    isTaken,
    message: isTaken
      ? `Port ${port} on ${host} is taken: stop what listens there or choose another with --port`
      : `Cannot listen on ${host}:${port} (${code})${meaning === undefined ? "" : `: ${meaning}`}`
  })
}

/**
 * Refuses a port that is taken before anything else of the server begins, and answers it; what takes it later is refused when the server
 * listens. For 0 it chooses a free one: links hold the port, and are made of settings that are read before the server listens.
 */
export const demandFreePort = (host: string, port: number) =>
  Effect.async<number, PortUnusable>((resume) => {
    const probe = createServer()
    probe.once("error", (cause) => resume(Effect.fail(refusedPort(host, port, cause))))
    probe.listen(port, host, () => {
      const address = probe.address()
      const found = typeof address === "object" && address !== null ? address.port : port
      probe.close(() => resume(Effect.succeed(found)))
    })
  })
