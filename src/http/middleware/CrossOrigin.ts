/** Games run in web pages of any site. */
const anyOrigin = { "access-control-allow-origin": "*" }

/** Keeps browsers from guessing another content type than the one that an answer says. */
export const safe = { "x-content-type-options": "nosniff" }

/**
 * What answers to people and their programs have: a cookie identifies most callers, which does not keep a cache on the way from giving an
 * answer to somebody else (RFC 9111, 3.5 speaks of `Authorization` alone), and nothing is to stay in the browser after a sign-out.
 */
export const unkept = { ...safe, "cache-control": "no-store" }

/** What every answer to a game has. */
export const gameHeaders = {
  ...safe,
  ...anyOrigin,
  "access-control-expose-headers":
    "etag, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id"
}

/**
 * The answer to a preflight, which alone is asked for these (https://fetch.spec.whatwg.org/#http-responses): on every answer they would be more bytes
 * than most polls have. `sdkversion`, `serverid` and `universeid` are what the public browser clients send.
 */
export const preflightHeaders = {
  ...safe,
  ...anyOrigin,
  "access-control-allow-headers":
    "authorization, content-type, content-encoding, environment, project-id, isstudio, if-none-match, server-id, last-event-id, x-request-id, sdkversion, serverid, universeid",
  "access-control-allow-methods": "GET, POST, PUT, DELETE",
  "access-control-max-age": "86400"
}
