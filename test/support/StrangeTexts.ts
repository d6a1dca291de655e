import { FastCheck as fc } from "effect"
import { anyCharacter } from "./AnyText.ts"

export const strangeTexts: ReadonlyArray<string> = [
  "",
  " ",
  "0",
  "-1",
  "-0",
  "+1",
  "01",
  "1.0",
  "1e3",
  "0x10",
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "true",
  "9007199254740991",
  "9007199254740992",
  "99999999999999999999",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "x\udc00y",
  "\ufeff",
  "\u202e\u200b",
  "🎮".repeat(20),
  "İ",
  "ß",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "' or 1=1 --",
  "%",
  "%00",
  "../../etc/passwd",
  "a@b.c",
  "A@B.C ",
  "UTC",
  "Europe/Amsterdam",
  "2026-02-30T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "-271821-04-20T00:00:00.000Z",
  "2026-11-20T10:00:00",
  "00000000-0000-4000-8000-000000000000",
  "x".repeat(129),
  "é".repeat(1025),
  "x".repeat(100_000)
]

const headerText = fc
  .oneof(
    fc.constantFrom(...strangeTexts.filter((text) => text.length < 2000)),
    fc.string({ unit: anyCharacter, maxLength: 30 })
  )
  .map((text) => text.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "").trim())

export const strangeCredential: fc.Arbitrary<Record<string, string>> = fc.oneof(
  headerText.map((authorization) => ({ authorization })),
  headerText.map((text) => ({ authorization: `Bearer ${text}` })),
  fc
    .constantFrom("Bearer", "Bearer ", "bearer x", "Basic YTpi", "sdk_", "gk_sk_", "gk_pat_", `sdk_${"x".repeat(9000)}`)
    .map((authorization) => ({ authorization })),
  headerText.map((text) => ({ cookie: `auth-token=${text}` })),
  fc
    .constantFrom(
      ...["auth-token", "=", ";;;", "auth-token=%zz", "auth-token=%ff", 'auth-token="', "auth-token=a; auth-token=b"],
      ...["__proto__=x", "auth-token=", `auth-token=${"x".repeat(9000)}`, "auth-token=%00", "a=b=c; auth-token==="]
    )
    .map((cookie) => ({ cookie })),
  headerText.map((cookie) => ({ cookie }))
)

export const strangeHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  ...[
    ...["environment_id", "environment", "isstudio", "project-id", "if-none-match", "server-id", "content-encoding"],
    ...["origin", "sec-fetch-site", "host", "x-forwarded-for", "accept", "accept-encoding", "range", "serverid"],
    ...["x-http-method-override", "expect", "traceparent", "b3"]
  ].map((name) => headerText.map((value) => ({ [name]: value })))
)

export const contentTypes: ReadonlyArray<string> = [
  "",
  "application/json; charset=utf-16",
  "application/problem+json",
  "APPLICATION/JSON",
  "text/plain",
  "text/html",
  "application/x-www-form-urlencoded",
  "application/x-ndjson",
  "application/octet-stream",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  "image/png",
  "json",
  ";"
]
