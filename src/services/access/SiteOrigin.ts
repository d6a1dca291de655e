import { Effect } from "effect"
import { CrossSiteRequest } from "../../../schema/access/AccessErrors.ts"
import { type BrowserHeaders, isCrossSite } from "../../domain/access/CrossSite.ts"
import { Settings } from "../../ports/operations/Settings.ts"

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

/** Refuses writes with the session cookie that a page of another site caused (CSRF). */
export class SiteOrigin extends Effect.Service<SiteOrigin>()("services/access/SiteOrigin", {
  effect: Effect.map(Settings, ({ publicUrl }) => {
    const publicOrigin = originOf(publicUrl)
    const refusal = new CrossSiteRequest({
      message: `A write or a stream with the session cookie must come from a page of ${publicOrigin}. If this page is served from another address, start the server with --public-url set to it`
    })
    return {
      refuseCrossSite: (headers: BrowserHeaders) =>
        isCrossSite(headers, publicOrigin) ? Effect.fail(refusal) : Effect.void
    }
  })
}) {}
