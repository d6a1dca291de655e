import * as Server from "@openfeature/server-sdk"
import * as Web from "@openfeature/web-sdk"
import { GamekeeperProvider } from "../../src/openfeature/server.ts"
import { GamekeeperWebProvider } from "../../src/openfeature/web.ts"
import type { Line, servedFlags } from "./Served.ts"
import type { Details, ProviderState, Question, Subject } from "./World.ts"

type Served = Awaited<ReturnType<typeof servedFlags>>

let count = 0

/** A line to the server as the state of the provider wants it, and what makes it so once the provider is set. */
const lineFor = (served: Served, state: ProviderState): Line => {
  const line = served.connect(state === "fatal" ? "gk_public_unheard_of" : undefined)
  if (state === "not ready") line.set("waiting")
  if (state === "error") line.set("down")
  return line
}

/** Sets the provider; one that fails to start says so by its status. */
const settled = async (state: ProviderState, line: Line, set: () => Promise<void>, refresh: () => Promise<void>) => {
  const ready = set().catch(() => undefined)
  if (state !== "not ready") await ready
  if (state !== "stale") return
  line.set("down")
  await refresh()
}

/** Our provider in the SDK for servers. The targeting key is of the client, so that each scenario is a player. */
export const onServer =
  (served: Served) =>
  async (state: ProviderState): Promise<Subject> => {
    const domain = `server ${++count}`
    const line = lineFor(served, state)
    const provider = new GamekeeperProvider(line.client, { configuration: "flags" })
    const { OpenFeature } = Server
    await settled(
      state,
      line,
      () => OpenFeature.setProviderAndWait(domain, provider),
      () => provider.refresh()
    )
    const client = OpenFeature.getClient(domain).setContext({ targetingKey: domain })
    const details = (
      { type, key, fallback }: Question,
      context: Server.EvaluationContext,
      hooks: object = {}
    ): Promise<Details> => {
      if (type === "boolean") return client.getBooleanDetails(key, fallback === true, context, hooks)
      if (type === "string") return client.getStringDetails(key, String(fallback), context, hooks)
      if (type === "object") return client.getObjectDetails(key, fallback, context, hooks)
      return client.getNumberDetails(key, Number(fallback), context, hooks)
    }
    return {
      status: () => client.providerStatus,
      addHook: (hook) => void client.addHooks({ ...hook }),
      details: (question, context, hooks) =>
        details(question, context, hooks === undefined ? {} : { hooks: hooks.map((hook) => ({ ...hook })) }),
      close: async () => {
        await provider.onClose()
        await line.client.close()
      }
    }
  }

/** Our provider in the SDK for pages, where the context is set before. */
export const onWeb =
  (served: Served) =>
  async (state: ProviderState): Promise<Subject> => {
    const domain = `web ${++count}`
    const line = lineFor(served, state)
    const provider = new GamekeeperWebProvider(line.client, { configuration: "flags" })
    const { OpenFeature } = Web
    await OpenFeature.setContext(domain, { targetingKey: domain })
    await settled(
      state,
      line,
      () => OpenFeature.setProviderAndWait(domain, provider),
      () => provider.refresh()
    )
    const client = OpenFeature.getClient(domain)
    const details = ({ type, key, fallback }: Question, hooks: object = {}): Details => {
      if (type === "boolean") return client.getBooleanDetails(key, fallback === true, hooks)
      if (type === "string") return client.getStringDetails(key, String(fallback), hooks)
      if (type === "object") return client.getObjectDetails(key, fallback, hooks)
      return client.getNumberDetails(key, Number(fallback), hooks)
    }
    return {
      status: () => client.providerStatus,
      addHook: (hook) => void client.addHooks({ ...hook }),
      details: async (question, context, hooks) => {
        if (state === "stable") await OpenFeature.setContext(domain, { ...context, targetingKey: domain })
        return details(question, hooks === undefined ? {} : { hooks: hooks.map((hook) => ({ ...hook })) })
      },
      close: async () => {
        await provider.onClose()
        await line.client.close()
      }
    }
  }
