import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryStores } from "../../src/app/Layers.ts"
import { connect } from "../../src/remote/Connection.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { caller } from "../support/Caller.ts"
import { refusedBy, remoteOver } from "../support/configuration/RemoteFiles.ts"
import { testApp } from "../support/TestApp.ts"

describe("the environment of a command", () => {
  const { request } = testApp(MemoryStores)

  it("is that of the alias, whatever others are called, and no one of several of one name", async () => {
    const studio = await openStudio(request, "connecting")
    const call = caller(request, studio.cookie)
    const home = `/application/${studio.applicationId}/environments`
    const development = `${home}/${studio.development}`
    assert.strictEqual((await call("PATCH", development, { name: "staging" })).status, 200)
    const { body: staging } = await call("POST", home, { name: "Last tests", alias: "staging" })
    const { body: other } = await call("POST", home, { name: "Last tests", alias: "more-tests" })
    const environmentIds = [studio.production, studio.development, staging.id, other.id]
    const permissions = ["organization:read", "projects:read"]
    const token = await mintPersonalToken(request, studio, { permissions, environmentIds })
    const { run, asked } = remoteOver(request, token)
    const meant = (environment: string) => connect({ ...asked("").target, environment })
    const idOf = (environment: string) => run(Effect.map(meant(environment), (each) => each.environment.id))
    assert.strictEqual(await idOf("staging"), staging.id)
    assert.strictEqual(await idOf("more-tests"), other.id)
    assert.strictEqual(await idOf("Production"), studio.production)
    assert.strictEqual(await idOf(String(studio.development)), studio.development)
    const { message } = await run(refusedBy(meant("Last tests")))
    assert.include(message, "several environments called Last tests: name one by its alias")
  })
})
