import { isoCBOR } from "@simplewebauthn/server/helpers"
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"
import type { Attestation } from "./HostileAttestation.ts"

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest()
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url")

/** Bits of the flags: user present, user verified, a new credential goes with it (Web Authentication, 6.1). */
const [present, verified, withCredential] = [0x01, 0x04, 0x40]

interface Place {
  readonly origin: string
  readonly domain: string
}

interface Answering extends Partial<Place> {
  readonly challenge: string
  readonly isVerified?: boolean
}

const noAttestation = (_publicKey: KeyObject, _clientDataHash: Uint8Array): Attestation => ({
  fmt: "none",
  attStmt: new Map()
})

/** An authenticator with one key (ES256), for pages of that place, that counts its uses. */
export const softAuthenticator = (place: Place) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const id = randomBytes(32)
  let uses = 0

  const clientData = (type: string, { challenge, origin = place.origin }: Answering) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const authenticatorData = (flags: number, domain: string, rest: ReadonlyArray<Uint8Array> = []) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(uses)
    return Buffer.concat([sha256(domain), Buffer.from([flags]), counter, ...rest])
  }

  const flagsOf = ({ isVerified = true }: Answering) => present | (isVerified ? verified : 0)

  const common = { id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} }

  return {
    id: base64url(id),
    /** The answer to a registration. */
    make: (asked: Answering, attest = noAttestation) => {
      const client = clientData("webauthn.create", asked)
      const { fmt, attStmt } = attest(publicKey, sha256(client))
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, "base64url"))],
          [-3, new Uint8Array(Buffer.from(y, "base64url"))]
        ])
      )
      const length = Buffer.from([0, id.length])
      const data = authenticatorData(flagsOf(asked) | withCredential, asked.domain ?? place.domain, [
        Buffer.alloc(16),
        length,
        id,
        cose
      ])
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array<ArrayBuffer> | Attestation["attStmt"]>([
          ["fmt", fmt],
          ["attStmt", attStmt],
          ["authData", new Uint8Array(data)]
        ])
      )
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(attestation),
          transports: ["internal"]
        }
      }
    },
    /** The answer to a sign-in. */
    use: (asked: Answering) => {
      uses++
      const client = clientData("webauthn.get", asked)
      const data = authenticatorData(flagsOf(asked), asked.domain ?? place.domain)
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature)
        }
      }
    }
  }
}
