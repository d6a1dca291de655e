import { ApiFailure } from "../api/Failure.ts"
import { waitText } from "../text/Numbers.ts"

/** Whether the password was right, and a code has to go with it. */
export const isCodeWanted = (error: Error): boolean =>
  error instanceof ApiFailure && error.code === "SECOND_FACTOR_REQUIRED"

/** What an account form says about a refusal. */
export const refusalText = (error: Error): string => {
  if (!(error instanceof ApiFailure)) return error.message
  if (error.code === "INVALID_CREDENTIALS") return "This e-mail and password do not belong together."
  if (error.code === "PASSWORD_INCORRECT") return "The present password is wrong."
  if (error.code === "PASSKEY_REFUSED")
    return "This passkey opens no account here. Begin again, or sign in with your password."
  if (error.code === "SECOND_FACTOR_INCORRECT") {
    return "This is no code of your app, or it was used. Each is good once: wait for the next one, or use a recovery code."
  }
  if (error.code === "PASSWORD_RESET_NOT_FOUND") return "This link was used or has ended. Ask for another one."
  if (error.code === "PASSWORD_TOO_WEAK") return error.message.replace(/^\w+: this/, "This")
  if (error.code === "EMAIL_TAKEN") return "There is an account of this e-mail already. Sign in instead."
  if (error.statusCode === 429) {
    return error.retryAfterSeconds === null
      ? "Too many attempts. Try again later."
      : `Too many attempts. Try again in ${waitText(error.retryAfterSeconds)}.`
  }
  return error.message
}

/** What a code in the address says of a sign-in through the provider. Anybody can write an address, so that no other words of it are shown. */
const arrivals: ReadonlyMap<string, string> = new Map([
  ["OIDC_STATE_INVALID", "This sign-in took longer than ten minutes, or did not begin in this browser. Begin again."],
  ["OIDC_REFUSED", "The provider refused the sign-in, or its answer does not hold. Try again."],
  [
    "OIDC_EMAIL_UNVERIFIED",
    "The provider has not verified your e-mail address. Have it verified there, then sign in again."
  ],
  [
    "OIDC_ACCOUNT_LINKED",
    "The account of your e-mail address is linked to another identity of the provider. Unlink that one first."
  ],
  ["OIDC_UNAVAILABLE", "The provider does not answer as it should. Try again later, or tell the operator."],
  ["OIDC_NOT_CONFIGURED", "This server knows no provider to sign in through."],
  ["SIGN_UP_CLOSED", "You have no account on this server. Ask a member of your studio for an invitation."],
  ["TOO_MANY_ACCOUNTS", "This browser holds as many accounts as it may. Remove one first."]
])

/** Why a sign-in through the provider led back to the sign-in page; null where none did. */
export const arrivalText = (search: string): string | null => {
  const code = new URLSearchParams(search).get("refused")
  return code === null ? null : (arrivals.get(code) ?? "The sign-in failed. Try again.")
}

/** The refusal as an account form says it; null where there was none. */
export const refusalInWords = (error: Error | null): Error | null =>
  error === null ? null : new Error(refusalText(error))

/** Where a form leads afterwards: only to a page of this dashboard. */
export const destinationOf = (search: string, otherwise: string): string => {
  const to = new URLSearchParams(search).get("to") ?? ""
  return /^\/(?![/\\])/.test(to) ? to : otherwise
}
