import { Effect, Layer, Redacted } from "effect"
import { createHash, createHmac, hash as oneShot, randomBytes, randomUUID } from "node:crypto"
import { Secrets } from "../../ports/access/Secrets.ts"

export const SecretsNode = Layer.succeed(Secrets, {
  bytes: (length) => Effect.sync(() => randomBytes(length)),
  uuid: Effect.sync(() => randomUUID()),
  hash: (secret) => createHash("sha256").update(Redacted.value(secret)).digest("base64url"),
  fingerprint: (text) => oneShot("sha256", text, "buffer"),
  fingerprintDigits: (text) => oneShot("sha256", text, "hex"),
  digest: (bytes) => createHash("sha256").update(bytes).digest("base64url"),
  sign: (key, text) => createHmac("sha256", key).update(text).digest()
})
