import { Data, Effect } from "effect"
import { createServer } from "node:http"

export class PortUnusable extends Data.TaggedError("PortUnusable")<{ readonly message: string }> {}

const reasonOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "unknown"

/** Why the server cannot listen there. */
export const refusedPort = (host: string, port: number, cause: unknown) =>
  new PortUnusable({
    message:
      reasonOf(cause) === "EADDRINUSE"
        ? `Port ${port} on ${host} is taken: stop what listens there or choose another with --port`
        : `Cannot listen on ${host}:${port} (${reasonOf(cause)})`
  })

/** Refuses a port that is taken before anything else of the server begins; what takes it later is refused when the server listens. */
export const demandFreePort = (host: string, port: number) =>
  Effect.async<void, PortUnusable>((resume) => {
    if (port === 0) return resume(Effect.void)
    const probe = createServer()
    probe.once("error", (cause) => resume(Effect.fail(refusedPort(host, port, cause))))
    probe.listen(port, host, () => probe.close(() => resume(Effect.void)))
  })
