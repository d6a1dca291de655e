import { answeringRoute } from "./Routes.ts"

/**
 * The operation of the API that a request asks for; `preflight` for what browsers ask before it, `page` for what else is read, such as the
 * dashboard, and `unknown`. Callers cannot make new names, so that there are few.
 */
export const operationOf = (method: string, url: string): string => {
  if (method === "OPTIONS") return "preflight"
  const read = method === "GET" || method === "HEAD"
  return answeringRoute({ method, url })?.operation ?? (read ? "page" : "unknown")
}
