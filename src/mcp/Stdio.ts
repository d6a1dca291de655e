import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { Effect, type Redacted } from "effect"
import { askerOf } from "./Asker.ts"
import { serverOf } from "./Server.ts"

/** Speaks the protocol over standard input and output until one of them ends. Calls that run when the input ends are answered. */
export const serveStdio = (url: string, token: Redacted.Redacted, version: string) =>
  Effect.async<void>((resume) => {
    const asker = askerOf({ send: (request) => fetch(request), url, pages: url, token })
    const server = serverOf(asker, version)
    const transport = new StdioServerTransport()
    server.onclose = () => resume(Effect.void)
    process.stdin.once("end", () => resume(Effect.void))
    process.stdout.once("error", () => void server.close())
    void server.connect(transport)
    return Effect.promise(() => server.close())
  })
