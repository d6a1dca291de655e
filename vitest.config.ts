import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

/** Kills, processes, fuzz and long walks: what takes longest, and what `npm run test:fast` leaves out. */
const long =
  /\/test\/crash\/|\/test\/app\/|\/(Fuzz|SameBytes|Stickiness|Simulation|CookieCats|HangUps|HangUpSweep|services\/demo\/Demo|golden\/Golden)\.test\.ts$/

/** Begins with the long files, so that no worker is left with one of them when the others have ended. */
class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * In `npm test` one more than there are cores, because servers, commands and killed processes are often waited for. Its parts alone, and
 * what runs with browsers or databases beside it, keep the cores busy as they are.
 */
const workers = availableParallelism() + (process.env["npm_lifecycle_event"] === "test" ? 1 : 0)

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Cluster tests need engines that `npm run test:cluster` installs; walks through the dashboard are `npm run test:browser`.
    exclude: [...configDefaults.exclude, "test/cluster/**", "test/web/journeys/**"],
    globalSetup: ["test/support/Workers.ts"],
    setupFiles: [
      "test/support/OwnFetch.ts",
      "test/support/OwnIt.ts",
      "test/support/Seed.ts",
      "test/support/EventLoop.ts",
      "test/support/EndOfFile.ts"
    ],
    sequence: { sequencer: LongFirst },
    // Files of one worker share the modules they import: to load them anew for each of some three hundred files took half of the time.
    isolate: false,
    maxWorkers: workers,
    // No fewer when few files are left: vitest 3.2.7 ends spare workers twice and fails with "Terminating worker thread".
    minWorkers: workers,
    // Tests start a hundred servers. None of them lives long enough for a warm-up to pay, and in most of them somebody signs up, whose password
    // takes a thread and half a second of processor time to judge: test/app/people/SignUp.test.ts has it judged.
    env: { GAMEKEEPER_WARM_UP: "off", GAMEKEEPER_PASSWORD_STRENGTH: "0" },
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})
