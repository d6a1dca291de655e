import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { HttpServer } from "@effect/platform"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { request as httpRequest } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { type Configuration, defaults } from "../../../src/app/Config.ts"
import { Http, Jobs } from "../../../src/app/Http.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Listen, RouterConfig } from "../../../src/app/Server.ts"
import { noOtlp, tracedSenders, tracedStores } from "../../../src/app/Telemetry.ts"
import type { PasswordStrength } from "../../../src/ports/access/PasswordStrength.ts"
import { PasswordStrengthMemory } from "../../../src/adapters/memory/access/PasswordStrength.ts"
import { QuickNode } from "../access/QuickNode.ts"
import { atEndOfFile } from "../Ends.ts"
import type { Answer, Call, Stores } from "../TestApp.ts"

const textOf = async (message: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export const silent = Logger.remove(Logger.defaultLogger)

/**
 * The whole server on a port of its own, with a logger or clock of its own where one is given, and a real estimator of passwords where the
 * test is about such threads. `run` reaches its services.
 */
export const listening = async (
  store: Stores,
  settings: Partial<Configuration> = {},
  surroundings: Layer.Layer<never> = silent,
  strength: Layer.Layer<PasswordStrength> = PasswordStrengthMemory
) => {
  const { otlp = noOtlp } = settings
  const runtime = ManagedRuntime.make(
    Listen("127.0.0.1", 0).pipe(
      Layer.provideMerge(Http),
      Layer.merge(Jobs),
      Layer.provide(BackupFolderMemory),
      Layer.provideMerge(tracedStores(otlp, store)),
      Layer.provide(SettingsLive({ ...defaults, rateLimits: false, ...settings })),
      Layer.provide(tracedSenders(otlp, Layer.merge(QuickNode, strength))),
      Layer.provide(RouterConfig),
      Layer.provideMerge(surroundings)
    )
  )
  atEndOfFile(() => runtime.dispose())
  const port = await runtime.runPromise(
    HttpServer.addressWith((address) => Effect.succeed(address._tag === "TcpAddress" ? address.port : 0))
  )

  const open = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ readonly outgoing: ClientRequest; readonly message: IncomingMessage }>((resolve, reject) => {
      const outgoing = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false })
      outgoing.on("error", reject)
      outgoing.on("response", (message) => resolve({ outgoing, message }))
      outgoing.end(body)
    })

  const request = async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const json: Record<string, string> = call.body === undefined ? {} : { "content-type": "application/json" }
    const sent = call.body === undefined ? undefined : JSON.stringify(call.body)
    const { message } = await open(method, path, { ...json, ...call.headers }, sent)
    const text = await textOf(message)
    const headers = new Headers()
    for (const [name, values] of Object.entries(message.headersDistinct)) {
      for (const each of values ?? []) headers.append(name, each)
    }
    const body = message.headers["content-type"]?.includes("json") && text !== "" ? JSON.parse(text) : undefined
    return { status: message.statusCode ?? 0, headers, text, body }
  }

  return {
    address: { host: "127.0.0.1", port },
    request,
    open,
    run: runtime.runPromise,
    close: () => runtime.dispose()
  }
}

export type Listening = Awaited<ReturnType<typeof listening>>
