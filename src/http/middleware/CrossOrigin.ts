/** Games run in web pages of any site. `sdkversion`, `serverid` and `universeid` are what the public browser clients send. */
export const crossOrigin = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers":
    "authorization, content-type, environment, project-id, isstudio, if-none-match, server-id, last-event-id, x-request-id, sdkversion, serverid, universeid",
  "access-control-allow-methods": "GET, POST, PUT, DELETE",
  "access-control-expose-headers":
    "etag, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id",
  "access-control-max-age": "86400"
}

/** Nobody guesses what an answer might be. */
export const safe = { "x-content-type-options": "nosniff" }

/** What every answer to a game has. */
export const gameHeaders = { ...safe, ...crossOrigin }
