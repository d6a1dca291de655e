import { call } from "../api/client.ts"

/** Loaded with the first passkey. */
const library = () => import("@simplewebauthn/browser")

/** Whether this browser can reach authenticators: on pages over https, and of this machine. */
export const hasAuthenticators = (): boolean => typeof window.PublicKeyCredential === "function"

/** What is said where the person has closed the browser's window, or no authenticator had a passkey for this server. */
const inWords = (error: unknown): Error => {
  const name = error instanceof Error ? error.name : ""
  if (name === "NotAllowedError" || name === "AbortError") return new Error("Your browser was given no passkey.")
  if (name === "InvalidStateError") return new Error("This device has a passkey of your account already.")
  return error instanceof Error ? error : new Error("Your browser could not ask for a passkey.")
}

/** What browsers add to an answer, as JSON. */
const jsonOf = (results: object): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(results))

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

/** What shows that it is the person themselves who adds a passkey: the code where their sign-ins ask for one. */
interface Proof {
  readonly currentPassword: string
  readonly code?: string
}

/** Makes a passkey of that name. */
export const makePasskey = async (name: string, proof: Proof): Promise<void> => {
  const { pubKeyCredParams, excludeCredentials, ...options } = await call("passkeys.begin", { body: proof })
  const { startRegistration } = await library()
  const optionsJSON = {
    ...options,
    pubKeyCredParams: [...pubKeyCredParams],
    excludeCredentials: excludeCredentials.map(({ transports, ...each }) => ({ ...each, transports: [...transports] }))
  }
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => Promise.reject(inWords(error)))
  await call("passkeys.add", {
    body: { name, response: { ...response, clientExtensionResults: jsonOf(response.clientExtensionResults) } }
  })
}
