import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
// By its own path, as the server imports it: the index brings another `fetch` along, which refuses empty bodies.
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Exit, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { createServer, request as httpRequest } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import S3rver from "s3rver"
import { manifestName } from "../../../src/adapters/sqlite/operations/StoredBackup.ts"
import { BackupFailed } from "../../../src/adapters/sqlite/operations/BackupFailed.ts"
import { upload } from "../../../src/adapters/s3/BackupBucket.ts"
import { type Bucket, openBucket } from "../../../src/adapters/s3/Bucket.ts"
import { bucketAddressOf } from "../../../src/domain/operations/BucketAddress.ts"
import { eventually } from "../../support/Npm.ts"
import { gamekeeper, startServer } from "../../support/Server.ts"

describe("addresses of buckets", () => {
  it("name a bucket, and what is before the names of objects", () => {
    assert.deepStrictEqual(bucketAddressOf("s3://backups"), { bucket: "backups", prefix: "" })
    assert.deepStrictEqual(bucketAddressOf("s3://my.backups/live/eu/"), { bucket: "my.backups", prefix: "live/eu/" })
    for (const wrong of ["s3://", "s3://Backups", "s3://a", "/mnt/backups", "s3:/backups"])
      assert.isUndefined(bucketAddressOf(wrong))
  })
})

describe("backups in a bucket", () => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-bucket-"))
  const [data, store] = [join(folder, "data"), join(folder, "store")]
  const key = { GAMEKEEPER_S3_ACCESS_KEY_ID: "S3RVER", GAMEKEEPER_S3_SECRET_ACCESS_KEY: "S3RVER" }
  let s3: S3rver
  let endpoint = ""

  beforeAll(async () => {
    mkdirSync(store)
    s3 = new S3rver({
      port: 0,
      address: "127.0.0.1",
      silent: true,
      directory: store,
      configureBuckets: [{ name: "backups", configs: [] }]
    })
    endpoint = `http://127.0.0.1:${Object(await s3.run()).port}`
    const server = await startServer(data, [])
    await server.stop()
  })
  afterAll(async () => {
    await s3.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const place = () => ["--s3-endpoint", endpoint]
  const ended = (args: ReadonlyArray<string>, environment: Record<string, string> = key) =>
    gamekeeper([...args, ...place()], environment).ended
  const printed = async (...args: ReadonlyArray<string>) => {
    const { code, out, err } = await ended(args)
    assert.strictEqual(code, 0, out + err)
    return out
  }
  const from = "s3://backups/live"

  it("are uploaded, read back, listed, drilled, restored and rotated, as those in folders are", async () => {
    assert.include(await printed("backups", "--from", from), "holds no complete backup")
    const backUp = ["backup", "--data", data, "--to", from, "--keep", "2"]
    for (let count = 0; count < 3; count++) assert.include(await printed(...backUp), "is complete and was read back")
    const listed = (await printed("backups", "--from", from)).trim().split("\n")
    assert.lengthOf(listed, 2)
    const [older = ""] = listed[0]!.split(" ")
    assert.include(await printed("drill", "--from", from), "can be restored and started")
    const restored = join(folder, "restored")
    const said = await printed("restore", "--data", restored, "--from", `${from}/${older}`)
    assert.include(said, `is restored from ${from}/${older}: `)
    assert.includeMembers(readdirSync(restored), ["metadata.sqlite", "events.sqlite"])
    const server = await startServer(restored, [])
    await server.stop()
    const { code, err } = await ended(["restore", "--data", join(folder, "other"), "--from", "s3://backups/nothing"])
    assert.notStrictEqual(code, 0)
    assert.include(err, "s3://backups/nothing holds no complete backup")
  })

  it("do not count where their list of contents cannot be read, which is told: another is the newest then", async () => {
    const local = join(folder, "local")
    for (const to of ["s3://backups/spoiled", local]) await printed("backup", "--data", data, "--to", to)
    const access = {
      endpoint,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: Redacted.make("S3RVER"),
      sessionToken: null
    }
    const bucket = openBucket({ bucket: "backups", prefix: "spoiled/" }, access)
    const lists = (await Effect.runPromise(bucket.names)).filter((name) => name.endsWith(`/${manifestName}`))
    for (const name of lists) await Effect.runPromise(bucket.putText(name, "{"))
    const [name = ""] = readdirSync(local)
    writeFileSync(join(local, name, manifestName), "{")
    for (const place of ["s3://backups/spoiled", local]) {
      const { code, out, err } = await ended(["drill", "--from", place])
      assert.notStrictEqual(code, 0, out)
      assert.match(out + err, /gamekeeper-\S+ in \S+ does not count as a backup/, place)
      assert.include(err, "holds no complete backup")
    }
  })

  it("leave nothing behind that is no backup: neither of uploads that were killed nor of those that fail", async () => {
    const bucketOf = (address: string) =>
      openBucket(
        { bucket: "backups", prefix: "left/" },
        {
          endpoint: address,
          region: "us-east-1",
          accessKeyId: "S3RVER",
          secretAccessKey: Redacted.make("S3RVER"),
          sessionToken: null
        }
      )
    const bucket = bucketOf(endpoint)
    const names = () => Effect.runPromise(bucket.names)
    const [killed, running] = ["gamekeeper-2026-01-01T03-00-00-000Z", "gamekeeper-2026-01-02T03-00-00-000Z"]
    for (const name of [`${killed}/metadata.sqlite.gz`, `${running}/metadata.sqlite.gz`, "notes.txt", "a/notes.txt"])
      await Effect.runPromise(bucket.putText(name, "x"))
    const longAgo = new Date(Date.now() - 25 * 3_600_000)
    for (const name of [`${killed}/metadata.sqlite.gz`, "notes.txt", "a/notes.txt"])
      utimesSync(join(store, "backups", "left", `${name}._S3rver_object`), longAgo, longAgo)
    assert.include(await printed("backup", "--data", data, "--to", "s3://backups/left"), "is complete")
    const left = await names()
    assert.notInclude(left, `${killed}/metadata.sqlite.gz`)
    assert.includeMembers(left, [`${running}/metadata.sqlite.gz`, "notes.txt", "a/notes.txt"])

    const halfway = createServer((request, response) => {
      const isRefused = request.method !== "DELETE" && (request.url ?? "").includes("events.sqlite.gz")
      if (isRefused) return void request.resume().on("end", () => response.writeHead(507).end())
      const asked = httpRequest(`${endpoint}${request.url}`, { method: request.method, headers: request.headers })
      asked.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(asked)
    })
    await new Promise<void>((resolve) => halfway.listen(0, "127.0.0.1", resolve))
    const full = `http://127.0.0.1:${Object(halfway.address()).port}`
    const to = ["--to", "s3://backups/left", "--s3-endpoint", full]
    const failed = await gamekeeper(["backup", "--data", data, ...to], key).ended
    halfway.close()
    assert.notStrictEqual(failed.code, 0, failed.out + failed.err)
    assert.deepStrictEqual(await names(), left)
  })

  it("have their files where they are listed, also when the answer to the last write was lost", async () => {
    const own = join(folder, "own")
    await printed("backup", "--data", data, "--to", own)
    const [name = ""] = readdirSync(own)
    const access = {
      endpoint,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: Redacted.make("S3RVER"),
      sessionToken: null
    }
    const bucket = openBucket({ bucket: "backups", prefix: "unanswered/" }, access)
    const unanswered: Bucket = {
      ...bucket,
      putText: (each, text) => Effect.zipRight(bucket.putText(each, text), new BackupFailed({ message: "no answer" }))
    }
    const uploaded = upload(unanswered, join(own, name), name).pipe(Effect.provide(NodeContext.layer))
    assert.isTrue(Exit.isFailure(await Effect.runPromiseExit(uploaded)))
    const all = [manifestName, "metadata.sqlite.gz", "events.sqlite.gz"].map((file) => `${name}/${file}`)
    assert.sameMembers([...(await Effect.runPromise(bucket.names))], all)
  })

  it("end with whoever stops them, and leave no copy here, where the store does not answer", async () => {
    const own = join(folder, "scratch")
    mkdirSync(own)
    const asked: Array<string> = []
    const list = `<?xml version="1.0"?><ListBucketResult><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>`
    let answersLists = false
    const silent = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      if (answersLists && method === "GET") response.end(list)
    })
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const place = ["--s3-endpoint", `http://127.0.0.1:${Object(silent.address()).port}`]
    for (const [method, args] of [
      ["GET", ["backups", "--from", "s3://backups/silent"]],
      ["PUT", ["backup", "--data", data, "--to", "s3://backups/silent"]]
    ] as const) {
      answersLists = method === "PUT"
      const command = gamekeeper([...args, ...place], { ...key, TMPDIR: own })
      await eventually(method, () => (asked.some((each) => each.startsWith(method)) ? true : undefined))
      command.process.kill("SIGTERM")
      assert.strictEqual((await command.ended).code, 143)
      assert.deepStrictEqual(readdirSync(own), [])
    }
    silent.closeAllConnections()
    silent.close()
  })

  it("may be larger than a part of an upload", async () => {
    const [large, back] = [join(folder, "large"), join(folder, "back")]
    const bytes = randomBytes(20 * 1024 * 1024)
    writeFileSync(large, bytes)
    const access = {
      endpoint,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: Redacted.make("S3RVER"),
      sessionToken: null
    }
    const bucket = openBucket({ bucket: "backups", prefix: "large/" }, access)
    const digest = await Effect.runPromise(
      bucket
        .putFile("one", large, bytes.length)
        .pipe(Effect.zipRight(bucket.getFile("one", back)), Effect.provide(NodeContext.layer))
    )
    assert.deepStrictEqual(digest, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") })
    assert.isTrue(readFileSync(back).equals(bytes))
    await Effect.runPromise(bucket.remove("one"))
    assert.deepStrictEqual(await Effect.runPromise(bucket.names), [])
  })

  it("are made by the server itself", async () => {
    const to = "s3://backups/scheduled"
    const server = await startServer(data, ["--backup-to", to, ...place()], key)
    await eventually("a backup", async () =>
      (await printed("backups", "--from", to)).includes("gamekeeper-") ? true : undefined
    )
    const { out, err } = server.output()
    await server.stop()
    assert.notInclude(out + err, "S3RVER")
  })

  it("are refused with what is missing or wrong", async () => {
    const cases: ReadonlyArray<readonly [to: string, environment: Record<string, string>, said: RegExp]> = [
      ["s3://", key, /names no bucket: write s3:\/\/bucket\/prefix/],
      [from, {}, /GAMEKEEPER_S3_ACCESS_KEY_ID and GAMEKEEPER_S3_SECRET_ACCESS_KEY/],
      [from, { ...key, GAMEKEEPER_S3_ACCESS_KEY_ID: "STRANGER" }, /STRANGER|does not exist in our records/],
      ["s3://no-such-bucket/x", key, /cannot be written/]
    ]
    for (const [to, environment, said] of cases) {
      const { code, out, err } = await ended(["backup", "--data", data, "--to", to], environment)
      assert.notStrictEqual(code, 0, out + err)
      assert.match(out + err, said)
      assert.notInclude(out + err, key.GAMEKEEPER_S3_SECRET_ACCESS_KEY)
    }
  })
})
