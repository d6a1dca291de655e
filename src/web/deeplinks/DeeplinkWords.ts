import type { Deeplink } from "../api/deeplinks.ts"

/** Percent of clicks that converted; null without a click. */
export const rateOf = ({ clicks, conversions }: Pick<Deeplink, "clicks" | "conversions">): number | null =>
  clicks === 0 ? null : (conversions / clicks) * 100

/** What stands before the last part of every link's address. The server alone knows its public address; before the first link it is this page's. */
export const baseOf = (links: ReadonlyArray<Pick<Deeplink, "url" | "slug">>): string => {
  const known = links[0]
  return known === undefined ? `${location.origin}/d/` : known.url.slice(0, known.url.length - known.slug.length)
}
