import { assert, describe, it } from "@effect/vitest"
import { unreadVariables } from "../../src/app/Variables.ts"

describe("variables that nothing reads", () => {
  it.each([
    ["GAMEKEEPER_PRT", "1", ["Nothing reads GAMEKEEPER_PRT: did you mean GAMEKEEPER_PORT?"]],
    ["GAMEKEEPER_RATE_LIMIT", "on", ["Nothing reads GAMEKEEPER_RATE_LIMIT: did you mean GAMEKEEPER_RATE_LIMITS?"]],
    ["GAMEKEEPER_COLOUR_OF_THE_SKY", "1", ["Nothing reads GAMEKEEPER_COLOUR_OF_THE_SKY"]],
    ["GAMEKEEPER_PORT", "1", []],
    [
      "GAMEKEEPER_METRICS_TOKEN_FILE",
      "/run/secrets/token",
      ["Nothing reads GAMEKEEPER_METRICS_TOKEN_FILE: only deploy/with-secrets.sh does, for the secrets that it names"]
    ],
    ["GAMEKEEPER_METRICS_TOKEN_FILE", "", []],
    ["GAMEKEEPER_S3_ACCESS_KEY_ID", "key", []],
    ["GAMEKEEPER_S3_SECRET_ACCESS_KEY", "secret", []],
    ["GAMEKEEPER_TOKEN", "x", []],
    ["GAMEKEEPER_SERVICE_HOST", "10.0.0.1", []],
    ["GAMEKEEPER_PORT_4210_TCP_ADDR", "10.0.0.1", []],
    ["GAMEKEEPER_EDGE_PORT", "tcp://10.0.0.1:80", []],
    ["PATH", "/bin", []]
  ])("%s=%s", (name, value, said) => {
    assert.deepStrictEqual(unreadVariables([[name, value]]), said)
  })
})
