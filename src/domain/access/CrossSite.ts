/** The headers by which a browser tells where a request comes from. */
export interface BrowserHeaders {
  /** `Sec-Fetch-Site`; browsers send it to https addresses and to this machine only. */
  readonly site: string | undefined
  /** `Origin`: scheme, host and port of the page that sent the request. */
  readonly origin: string | undefined
  /** `Host` as it reached this server, which a proxy may have replaced. */
  readonly host: string | undefined
}

const hostOf = (origin: string): string => origin.replace(/^[a-z]+:\/\//i, "")

/**
 * Whether a browser says that a page of another site sent the request. Programs that send none of these headers carry the
 * cookie on purpose, so they pass.
 *
 * `Sec-Fetch-Site` decides where it is sent, because a proxy cannot change what it compares. Without it, `Origin` must be
 * `publicOrigin` (scheme included) or, where people reach the server under another address, its host must be `Host`.
 */
export const isCrossSite = ({ site, origin, host }: BrowserHeaders, publicOrigin: string): boolean => {
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  if (origin === undefined || origin === publicOrigin) return false
  return hostOf(origin) === hostOf(publicOrigin) || hostOf(origin) !== host
}
