import { ApiFailure } from "../api/Failure.ts"

const inWords = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`

/** Whether the password was right, and a code has to go with it. */
export const isCodeWanted = (error: Error): boolean =>
  error instanceof ApiFailure && error.code === "SECOND_FACTOR_REQUIRED"

/** What an account form says about a refusal. */
export const refusalText = (error: Error): string => {
  if (!(error instanceof ApiFailure)) return error.message
  if (error.code === "INVALID_CREDENTIALS") return "This e-mail and password do not belong together."
  if (error.code === "PASSWORD_INCORRECT") return "The present password is another one."
  if (error.code === "SECOND_FACTOR_INCORRECT") {
    return "This is no code of your app, or it was used. Each is good once: wait for the next one, or use a recovery code."
  }
  if (error.code === "PASSWORD_RESET_NOT_FOUND") return "This link was used or has ended. Ask for another one."
  if (error.code === "PASSWORD_TOO_WEAK") return error.message.replace(/^\w+: this/, "This")
  if (error.code === "EMAIL_TAKEN") return "There is an account of this e-mail already. Sign in instead."
  if (error.statusCode === 429) {
    return error.retryAfterSeconds === null
      ? "Too many attempts. Try again later."
      : `Too many attempts. Try again in ${inWords(error.retryAfterSeconds)}.`
  }
  return error.message
}

/** Where a form leads afterwards: only to a page of this dashboard. */
export const destinationOf = (search: string, otherwise: string): string => {
  const to = new URLSearchParams(search).get("to") ?? ""
  return /^\/(?![/\\])/.test(to) ? to : otherwise
}
