import { inWords, jsonOf, library } from "../../account/Authenticator.ts"
import { call } from "../../api/client.ts"

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
