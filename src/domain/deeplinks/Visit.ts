import { firstCharacters } from "../Characters.ts"
import type { DeviceClass } from "./Click.ts"
import { firstGroups } from "../operations/Network.ts"

/**
 * Programs that say what they are. The libraries by which programs speak HTTP are none of them: launchers and the servers of games open links with
 * them, and so does whoever tries a link with curl.
 */
const crawlers =
  /bot\b|crawl|spider|slurp|preview|facebookexternalhit|embedly|whatsapp|telegram|slack|discord|skype|twitter|linkedin|pinterest|vkshare|quora link|headless|lighthouse|monitor|uptime|pingdom/i

/**
 * Of longer user agents only the beginning is looked at: they come from strangers, and a pattern with two words far apart takes the square of their
 * length.
 */
const longest = 512

const people = /mozilla\/5\.0 .*(?:whatsapp|telegram|discord|twitter|linkedin|pinterest|slack)/i

/** Whether the user agent is a program that fetches links, such as a link preview, rather than a person's browser. */
export const isCrawler = (userAgent: string): boolean => {
  const text = userAgent.slice(0, longest)
  if (/bot\b|externalhit|preview/i.test(text)) return true
  return crawlers.test(text) && !people.test(text)
}

const devices: ReadonlyArray<readonly [DeviceClass, RegExp]> = [
  ["console", /playstation|xbox|nintendo/i],
  ["tablet", /ipad|tablet|silk|android(?!.*mobile)/i],
  ["phone", /iphone|ipod|mobile|android|windows phone/i],
  ["desktop", /windows nt|macintosh|mac os x|x11|cros/i]
]

/** The class of device that a user agent names. */
export const deviceOf = (userAgent: string): DeviceClass => {
  const text = userAgent.slice(0, longest)
  return devices.find(([, pattern]) => pattern.test(text))?.[0] ?? "other"
}

const maxSourceCharacters = 128

const shorten = (source: string): string | null => {
  const text = firstCharacters(source.trim().toLowerCase(), maxSourceCharacters)
  return text === "" ? null : text
}

/** The `utm_source` that was clicked, or else the host of the referrer. */
export const sourceOf = (query: URLSearchParams, referrer: string): string | null => {
  const named = shorten(query.get("utm_source") ?? "")
  if (named !== null) return named
  return URL.canParse(referrer) ? shorten(new URL(referrer).hostname.replace(/^www\./, "")) : null
}

/** The network of a visitor's address, /24 for IPv4 and /48 for IPv6; addresses themselves are never stored. */
export const visitorNetwork = (address: string): string => {
  const mapped = address.replace(/^::ffff:/i, "")
  return mapped.includes(":") ? firstGroups(mapped, 3) : mapped.split(".").slice(0, 3).join(".")
}

const country = /^[a-z]{2}$/i

/** The first candidate that is a country code; XX and T1 mean unknown. */
export const countryOf = (candidates: ReadonlyArray<string | undefined>): string | null => {
  const code = candidates.find((each) => each !== undefined && country.test(each))?.toUpperCase()
  return code === undefined || code === "XX" ? null : code
}
