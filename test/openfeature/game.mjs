// A game in a page, which a test plays: the provider as bundlers find it, in the SDK of OpenFeature. `Page.ts` bundles it.
import { OpenFeature } from "@openfeature/web-sdk"
import { createClient, indexedDbStorage } from "gamekeeper/sdk"
import { GamekeeperWebProvider } from "gamekeeper/openfeature/web"

const silent = () => undefined
OpenFeature.setLogger({ error: silent, warn: silent, info: silent, debug: silent })

const opened = new Map()
/** What hooks have heard since it was last asked for: the hook, the stage, the details. */
let heard = []

const plain = ({ flagMetadata, ...details }) => ({
  ...details,
  flagMetadata: { ...flagMetadata },
  isFrozen: Object.isFrozen(flagMetadata)
})

const hookOf = (name) => ({
  before: () => void heard.push([name, "before", null]),
  after: (_, details) => void heard.push([name, "after", plain(details)]),
  error: () => void heard.push([name, "error", null]),
  finally: (_, details) => void heard.push([name, "finally", plain(details)])
})

const evaluated = (client, { type, key, fallback }, options) => {
  if (type === "boolean") return client.getBooleanDetails(key, fallback === true, options)
  if (type === "string") return client.getStringDetails(key, String(fallback), options)
  if (type === "object") return client.getObjectDetails(key, fallback, options)
  return client.getNumberDetails(key, Number(fallback), options)
}

globalThis.game = {
  open: async ({ domain, state, url, key }) => {
    let line = state === "error" ? "down" : "up"
    const client = createClient({
      url,
      key,
      environment: "production",
      storage: indexedDbStorage(indexedDB, domain),
      fetch: (input, init) => {
        if (line === "down") return Promise.reject(new TypeError("Failed to fetch"))
        return state === "not ready" ? new Promise(silent) : fetch(input, init)
      }
    })
    const provider = new GamekeeperWebProvider(client, { configuration: "flags" })
    await OpenFeature.setContext(domain, { targetingKey: domain })
    const ready = OpenFeature.setProviderAndWait(domain, provider).catch(silent)
    if (state !== "not ready") await ready
    if (state === "stale") {
      line = "down"
      await provider.refresh()
    }
    opened.set(domain, { provider, client, flags: OpenFeature.getClient(domain) })
  },
  status: (domain) => opened.get(domain).flags.providerStatus,
  addHook: (domain, name) => opened.get(domain).flags.addHooks(hookOf(name)),
  details: async ({ domain, question, context, hooks }) => {
    heard = []
    if (context !== null) await OpenFeature.setContext(domain, { ...context, targetingKey: domain })
    const options = hooks.length === 0 ? {} : { hooks: hooks.map((name) => hookOf(name)) }
    const details = plain(evaluated(opened.get(domain).flags, question, options))
    return { details, heard }
  },
  close: async (domain) => {
    const { provider, client } = opened.get(domain)
    await provider.onClose()
    await client.close()
    opened.delete(domain)
  }
}
