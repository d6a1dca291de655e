import { Effect } from "effect"
import { isEveryAddress, reachableAddress } from "./Addresses.ts"
import type { Configuration } from "./Config.ts"

/** What is said of an address that people cannot use as it is; null of one that they can. An empty one is where the server listens. */
export const hindranceIn = ({ publicUrl, host, port }: Pick<Configuration, "publicUrl" | "host" | "port">) => {
  if (publicUrl === "")
    return isEveryAddress(host)
      ? `Links in invitations, mails and answers lead to ${reachableAddress(host, port)}, which is this machine for whoever opens them: --public-url names the address that people use`
      : null
  return new URL(publicUrl).pathname === "/"
    ? null
    : `The dashboard stays empty below the path of --public-url ${publicUrl}: its pages ask the server at /. Give Gamekeeper a host name of its own`
}

/** Warns of an address at which people cannot use the server. */
export const warnOfPublicAddress = (configuration: Configuration) => {
  const hindrance = hindranceIn(configuration)
  return hindrance === null ? Effect.void : Effect.logWarning(hindrance)
}
