import type { IncomingMessage } from "node:http"
import { sessionCookieName } from "../../../schema/access/Auth.ts"

/**
 * Leaves out the name and password that a signed-in browser shows to a proxy in front, which asks for them by HTTP Basic and hands them on. The
 * server knows no credential of this scheme, and would refuse the session with it.
 */
export const leaveProxyPassword = ({ headers }: IncomingMessage): void => {
  const isProxyPassword = headers.authorization?.slice(0, 6).toLowerCase() === "basic "
  if (isProxyPassword && headers.cookie?.includes(sessionCookieName) === true) delete headers.authorization
}
