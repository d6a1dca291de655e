import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { defaults } from "../../src/app/Config.ts"
import type { Configuration } from "../../src/app/Config.ts"
import { Http, Jobs } from "../../src/app/Http.ts"
import { SettingsLive } from "../../src/app/SettingsLive.ts"
import { ImagesNode } from "../../src/adapters/node/Images.ts"
import { NoMailer } from "../../src/adapters/node/Mailer.ts"
import { NoProvider } from "../../src/adapters/node/OpenIdProvider.ts"
import { JsonSchemasMemory } from "../../src/adapters/memory/configuration/JsonSchemas.ts"
import { AuthenticatorsNode } from "../../src/adapters/node/Authenticators.ts"
import { OneTimeCodesLive } from "../../src/adapters/node/OneTimeCodes.ts"
import { PasswordStrengthMemory } from "../../src/adapters/memory/access/PasswordStrength.ts"
import { ParquetFilesNode } from "../../src/adapters/node/Parquet.ts"
import { BackupFolderMemory } from "../../src/adapters/memory/operations/BackupFolder.ts"
import { WebhookSenderMemory } from "../../src/adapters/memory/operations/WebhookSender.ts"
import { SecretsNode } from "../../src/adapters/node/Secrets.ts"
import { RouterConfig } from "../../src/app/Server.ts"
import { QuickScrypt } from "./access/QuickNode.ts"
import type { Stores } from "./Stores.ts"

export type { Stores } from "./Stores.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface Call {
  readonly body?: unknown
  readonly raw?: string | Uint8Array | FormData
  readonly headers?: Record<string, string>
}

const silent = Logger.remove(Logger.defaultLogger)

/** The whole HTTP API over the given stores, called without a socket, with its jobs. `run` reaches the same stores from the side. */
export const openApp = (store: Stores, settings: Partial<Configuration> = {}, logger: Layer.Layer<never> = silent) => {
  const world = Layer.mergeAll(
    // A test that wants mails or single sign-on brings a mailer or a provider with its stores.
    NoMailer,
    OneTimeCodesLive,
    AuthenticatorsNode,
    PasswordStrengthMemory,
    NoProvider,
    store,
    SettingsLive({ ...defaults, rateLimits: false, signUp: "open", ...settings }),
    ImagesNode,
    JsonSchemasMemory,
    ParquetFilesNode,
    SecretsNode,
    WebhookSenderMemory,
    BackupFolderMemory,
    QuickScrypt
  )
  const runtime = ManagedRuntime.make(world)
  const served = Layer.unwrapEffect(
    Effect.map(runtime.runtimeEffect, ({ context }) =>
      Layer.merge(Http, Jobs).pipe(Layer.provide(Layer.succeedContext(context)))
    )
  )
  const { handler, dispose } = HttpApiBuilder.toWebHandler(
    // As in the server, the platform makes no spans of its own.
    Layer.mergeAll(served, HttpServer.layerContext, RouterConfig).pipe(
      Layer.provideMerge(Layer.merge(logger, Layer.setTracerEnabled(false)))
    )
  )
  const close = () => dispose().then(() => runtime.dispose())

  const send = (method: string, path: string, call: Call): Promise<Response> => {
    const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
    return handler(
      new Request(`http://test${path}`, {
        method,
        headers: { ...(call.body === undefined ? {} : { "content-type": "application/json" }), ...call.headers },
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? new Uint8Array(body) : body, duplex: "half" })
      })
    )
  }

  const request = async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const response = await send(method, path, call)
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false
    const text = isStream ? "" : await response.text()
    if (isStream) await response.body?.cancel()
    const isJson = /json(?:;|$)/.test((response.headers.get("content-type") ?? "").replace("x-ndjson", ""))
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) : undefined
    }
  }

  const bytes = async (path: string, headers: Record<string, string>): Promise<Uint8Array> =>
    new Uint8Array(await (await send("GET", path, { headers })).arrayBuffer())

  return { request, bytes, run: runtime.runPromise, close }
}
