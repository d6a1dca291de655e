import type { Deeplink } from "./Deeplink.ts"

const web = new Set(["http:", "https:"])
const roblox = new Set(["roblox:", "roblox-player:"])
const robloxHosts = /(?:^|\.)(?:roblox\.com|ro\.blox\.com|rblx\.co)$/i

/**
 * Whether the address contains controls, spaces or backslashes, which browsers interpret differently from the URL
 * parser.
 */
const isAmbiguous = (address: string): boolean =>
  [...address].some((character) => character <= " " || character === "\u007f" || character === "\\")

const isRoblox = (url: URL): boolean =>
  roblox.has(url.protocol) || (url.protocol === "https:" && robloxHosts.test(url.hostname))

/**
 * Why a deeplink may not lead to its address; null if it may. Web links lead to http(s), Roblox links to roblox.com or
 * the Roblox app, others to http(s) or an app scheme that the operator has allowed (lower case, without colon).
 */
export const redirectFault = (
  { type, redirectUrl }: Pick<Deeplink, "type" | "redirectUrl">,
  schemes: ReadonlyArray<string>
): string | null => {
  if (isAmbiguous(redirectUrl) || !URL.canParse(redirectUrl)) return "expected an absolute address"
  const url = new URL(redirectUrl)
  if (url.username !== "" || url.password !== "") return "an address with a user name misleads about its host"
  if (web.has(url.protocol) && url.hostname === "") return "expected an address with a host"
  switch (type) {
    case "web_url":
      return web.has(url.protocol) ? null : "expected an http or https address"
    case "roblox_url":
    case "roblox_share_url":
      return isRoblox(url) ? null : "expected an address of roblox.com or of the Roblox app"
    case "other": {
      const scheme = url.protocol.slice(0, -1)
      return web.has(url.protocol) || schemes.includes(scheme)
        ? null
        : `the scheme ${scheme} is not registered (setting link-schemes)`
    }
  }
}

const withParameters = (address: string, parameters: ReadonlyArray<readonly [string, string]>): string => {
  const [beforeFragment = "", ...fragment] = address.split("#")
  const [path = "", ...query] = beforeFragment.split("?")
  const names = new Set(parameters.map(([name]) => name))
  const kept = query
    .join("?")
    .split("&")
    .filter((part) => part !== "" && !names.has(part.split("=")[0] ?? ""))
  const added = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const whole = `${path}?${[...kept, ...added].join("&")}`
  return fragment.length === 0 ? whole : `${whole}#${fragment.join("#")}`
}

/**
 * The address a click is redirected to: the link's own with the click's id added. Null: the click is not counted and
 * has no id.
 */
export const redirectOf = ({ type, redirectUrl, slug }: Deeplink, interactionId: string | null): string => {
  const url = URL.canParse(redirectUrl) ? new URL(redirectUrl).href : redirectUrl
  const click = interactionId === null ? [] : [["gk_click", interactionId] as const]
  const campaign = type === "web_url" ? [["utm_id", `gk_${slug}`] as const] : []
  const parameters = [...click, ...campaign]
  return parameters.length === 0 ? url : withParameters(url, parameters)
}
