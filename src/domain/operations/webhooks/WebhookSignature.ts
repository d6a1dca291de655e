import { Either, Encoding } from "effect"

/**
 * Signatures after Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): the
 * base64 of an HMAC-SHA256 over id, time and body, under the bytes that the secret encodes.
 */

const prefix = "whsec_"

/** A secret as it is shown. */
export const secretText = (bytes: Uint8Array): string => prefix + Encoding.encodeBase64(bytes)

/** The bytes under which a secret signs. */
export const secretBytes = (secret: string): Uint8Array =>
  Either.getOrElse(Encoding.decodeBase64(secret.slice(prefix.length)), () => new Uint8Array())

/** What is signed; `seconds` is the time of the attempt since 1970. */
export const signedText = (id: string, seconds: number, body: string): string => `${id}.${seconds}.${body}`

/** The header `webhook-signature`: one signature for each secret. */
export const signatureHeader = (signatures: ReadonlyArray<Uint8Array>): string =>
  signatures.map((bytes) => `v1,${Encoding.encodeBase64(bytes)}`).join(" ")
