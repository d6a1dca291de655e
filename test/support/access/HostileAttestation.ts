import type { isoCBOR } from "@simplewebauthn/server/helpers"
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto"

type Cbor = Parameters<typeof isoCBOR.encode>[0]

/** What an authenticator says of itself (Web Authentication, 6.5). */
export interface Attestation {
  readonly fmt: string
  readonly attStmt: Map<string, Cbor>
}

const lengthOf = (count: number): ReadonlyArray<number> => (count < 128 ? [count] : [0x82, count >> 8, count & 0xff])

/** A value of ASN.1 in DER: its tag, and what it holds. */
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

const [sequence, set, octets, integer, enumerated] = [0x30, 0x31, 0x04, 0x02, 0x0a]
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const number = (tag: number, value: number) => der(tag, Buffer.from([value]))

const signed = der(sequence, oid("2a8648ce3d040302"))
const nameOf = (text: string) => der(sequence, der(set, der(sequence, oid("550403"), der(0x0c, Buffer.from(text)))))

/** As UTCTime has it. */
const day = (offset: number) =>
  der(
    0x17,
    Buffer.from(`${new Date(Date.now() + offset * 86_400_000).toISOString().slice(2, 10).replaceAll("-", "")}000000Z`)
  )

interface Certified {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly extensions: ReadonlyArray<Uint8Array>
}

const certificate = (
  serial: number,
  issuerKey: KeyObject,
  { subject, publicKey, extensions }: Certified
): Uint8Array => {
  const told = der(
    sequence,
    der(0xa0, number(integer, 2)),
    number(integer, serial),
    signed,
    nameOf("Root"),
    der(sequence, day(-2), day(2)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    ...(extensions.length === 0 ? [] : [der(0xa3, der(sequence, ...extensions))])
  )
  const signature = createSign("sha256").update(told).sign(issuerKey)
  return new Uint8Array(der(sequence, told, signed, der(0x03, Buffer.from([0]), signature)))
}

/** Where a certificate says that those are listed which count no more (RFC 5280, 4.2.1.13). */
const revokedAt = (url: string) =>
  der(
    sequence,
    oid("551d1f"),
    der(octets, der(sequence, der(sequence, der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))))
  )

/** What an Android key store says of a key (https://source.android.com/docs/security/features/keystore/attestation). */
const describedFor = (clientDataHash: Uint8Array) =>
  der(
    sequence,
    oid("2b06010401d679020111"),
    der(
      octets,
      der(
        sequence,
        number(integer, 3),
        number(enumerated, 1),
        number(integer, 4),
        number(enumerated, 1),
        der(octets, clientDataHash),
        der(octets),
        der(sequence),
        der(sequence)
      )
    )
  )

/** An attestation by a chain of certificates that the caller made up, the first of which names an address to be asked. */
export const hostileAttestation =
  (url: string) =>
  (publicKey: KeyObject, clientDataHash: Uint8Array): Attestation => {
    const root = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const leaf = certificate(2, root.privateKey, {
      subject: "Key",
      publicKey,
      extensions: [describedFor(clientDataHash), revokedAt(url)]
    })
    const own = certificate(1, root.privateKey, { subject: "Root", publicKey: root.publicKey, extensions: [] })
    return {
      fmt: "android-key",
      attStmt: new Map<string, Cbor>([
        ["alg", -7],
        ["sig", new Uint8Array([1])],
        ["x5c", [leaf, own]]
      ])
    }
  }
