import { Effect } from "effect"

/** What is said of an address that people cannot use the dashboard at; null of one that they can. An empty one is where the server listens. */
export const hindranceIn = (publicUrl: string): string | null =>
  publicUrl === "" || new URL(publicUrl).pathname === "/"
    ? null
    : `The dashboard stays empty below the path of --public-url ${publicUrl}: its pages ask the server at /. Give Gamekeeper a host name of its own`

/** Warns of an address at which the dashboard cannot be used. */
export const warnOfPublicAddress = (publicUrl: string) => {
  const hindrance = hindranceIn(publicUrl)
  return hindrance === null ? Effect.void : Effect.logWarning(hindrance)
}
