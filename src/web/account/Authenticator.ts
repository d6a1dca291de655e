import { call } from "../api/client.ts"

/** Loaded with the first passkey. */
export const library = () => import("@simplewebauthn/browser")

/** Whether this browser can reach authenticators: on pages over https, and of this machine. */
export const hasAuthenticators = (): boolean => typeof window.PublicKeyCredential === "function"

/** What is said where the person has closed the browser's window, or no authenticator had a passkey for this server. */
export const inWords = (error: unknown): Error => {
  const name = error instanceof Error ? error.name : ""
  if (name === "NotAllowedError" || name === "AbortError") return new Error("Your browser was given no passkey.")
  if (name === "InvalidStateError") return new Error("This device has a passkey of your account already.")
  return error instanceof Error ? error : new Error("Your browser could not ask for a passkey.")
}

/** What browsers add to an answer, as JSON. */
export const jsonOf = (results: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(results))

/** Asks for a passkey and signs in with it. */
export const signInByPasskey = async (): Promise<void> => {
  const options = await call("passkeys.request", {})
  const { startAuthentication } = await library()
  const response = await startAuthentication({ optionsJSON: options }).catch((error: unknown) =>
    Promise.reject(inWords(error))
  )
  await call("passkeys.signIn", {
    body: { response: { ...response, clientExtensionResults: jsonOf(response.clientExtensionResults) } }
  })
}
