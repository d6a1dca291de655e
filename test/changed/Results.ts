import { writeFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

/** A file of which a test was skipped has not shown that this test is green. */
const isGreen = (module: TestModule): boolean =>
  module.state() === "passed" && [...module.children.allTests()].every((test) => test.result().state === "passed")

/** Writes which files of tests were green into the file that GAMEKEEPER_TEST_RESULTS names: none where an error belongs to no test. */
export default class Results implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>, reason: string): void {
    const file = process.env["GAMEKEEPER_TEST_RESULTS"]
    if (file === undefined || errors.length > 0 || reason === "interrupted") return
    const green = modules.filter(isGreen).map(({ moduleId }) => relative(process.cwd(), moduleId).replaceAll("\\", "/"))
    writeFileSync(file, JSON.stringify(green))
  }
}
