import { createClient } from "../../../src/sdk/Client.ts"
import type { ClientOptions } from "../../../src/sdk/Options.ts"
import type { Problem } from "../../../src/sdk/Problem.ts"

/** A client that sends by a function, and the problems that it has told. It flushes when a test says so. */
export const testClient = (send: typeof fetch, options: object) => {
  const problems: Array<Problem> = []
  const all: ClientOptions = {
    url: "http://test",
    key: "sdk_test",
    flushSeconds: 600,
    fetch: send,
    onProblem: (problem) => problems.push(problem),
    ...options
  }
  return { client: createClient(all), problems }
}
