import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { completeIn } from "../../../src/adapters/s3/BackupBucket.ts"
import { openBucket } from "../../../src/adapters/s3/Bucket.ts"
import { gamekeeper } from "../../support/Server.ts"

const [older, newer] = ["gamekeeper-2026-01-01T03-00-00-000Z", "gamekeeper-2026-01-02T03-00-00-000Z"]

const file = { bytes: 1, sha256: "0".repeat(64) }
const files = { original: file, stored: file, counts: {} }
const manifest = JSON.stringify({
  manifest: 1,
  version: "1",
  instant: "2026-01-01T03:00:00.000Z",
  installation: null,
  formats: { metadata: 1, events: 1 },
  damage: [],
  files: { metadata: files, events: files }
})

const entry = (name: string) =>
  `<Contents><Key>live/${name}/manifest.json</Key><LastModified>2026-01-01T03:00:00.000Z</LastModified><ETag>"1"</ETag><Size>1</Size></Contents>`
const list = `<ListBucketResult><IsTruncated>false</IsTruncated>${entry(older)}${entry(newer)}</ListBucketResult>`

/** A store that has two backups; `answer` may answer in its place. */
const withStore = async (
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
  use: (endpoint: string) => Promise<void>
) => {
  const store = createServer((request, response) => {
    if (!answer(request, response)) response.end((request.url ?? "").includes("manifest.json") ? manifest : list)
  })
  await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve))
  await use(`http://127.0.0.1:${Object(store.address()).port}`)
  store.closeAllConnections()
  store.close()
}

/** Answers requests for the newer backup's list of contents with an error, the first so many times. */
const failing = (status: number, code: string, times: number) => {
  let left = times
  return ({ url = "" }: IncomingMessage, response: ServerResponse) => {
    if (!url.includes(newer) || left-- <= 0) return false
    response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code} it is</Message></Error>`)
    return true
  }
}

const found = (endpoint: string) => {
  const key = { accessKeyId: "key", secretAccessKey: Redacted.make("secret"), sessionToken: null }
  const bucket = openBucket({ bucket: "backups", prefix: "live/" }, { endpoint, region: "us-east-1", ...key })
  return Effect.runPromise(
    Effect.either(Effect.map(completeIn(bucket), (all) => all.map(({ name }) => name))).pipe(
      Effect.map(Either.mapLeft(({ message }) => message)),
      Effect.map(Either.merge)
    )
  )
}

describe("a bucket of backups", () => {
  it("is asked again where it had too much to do for a moment", () =>
    withStore(failing(503, "SlowDown", 2), async (endpoint) =>
      assert.deepStrictEqual(await found(endpoint), [older, newer])
    ))

  it("does not make an older backup the newest because it has too much to do", { timeout: 30_000 }, () =>
    withStore(failing(503, "SlowDown", 1000), async (endpoint) =>
      assert.strictEqual(
        await found(endpoint),
        `s3://backups/live/${newer}/manifest.json cannot be read: SlowDown it is`
      )
    )
  )

  it("has backups that do not count where it refuses them for good, such as those in an archive", () =>
    withStore(failing(403, "InvalidObjectState", 1000), async (endpoint) =>
      assert.deepStrictEqual(await found(endpoint), [older])
    ))

  it("is opened by a key for some hours, whose token goes along with that key alone", async () => {
    const tokens: Array<unknown> = []
    const seen = ({ headers }: IncomingMessage) => {
      tokens.push(headers["x-amz-security-token"])
      return false
    }
    const aws = { AWS_ACCESS_KEY_ID: "ASIAEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "of-aws" }
    const own = { GAMEKEEPER_S3_ACCESS_KEY_ID: "key", GAMEKEEPER_S3_SECRET_ACCESS_KEY: "secret" }
    await withStore(seen, async (endpoint) => {
      const said = async (environment: Record<string, string>) => {
        tokens.length = 0
        const args = ["backups", "--from", "s3://backups/live", "--s3-endpoint", endpoint]
        const { code, out, err } = await gamekeeper(args, environment).ended
        assert.strictEqual(code, 0, out + err)
        return [...new Set(tokens)]
      }
      assert.deepStrictEqual(await said(aws), ["of-aws"])
      assert.deepStrictEqual(await said({ ...aws, ...own }), [undefined])
      assert.deepStrictEqual(await said({ ...aws, ...own, GAMEKEEPER_S3_SESSION_TOKEN: "own" }), ["own"])
    })
  })
})
