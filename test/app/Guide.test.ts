import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, startServer, withFolder } from "../support/Server.ts"

/** In the order of the guide: later pages use the variables of earlier ones. */
const jobs = ["first-chart", "cohorts", "rollout", "ab-test", "deeplinks", "backup", "scaling"]

interface Block {
  readonly page: string
  readonly commands: string
  /** What the page shows that the commands print; undefined where it shows nothing. */
  readonly shown: string | undefined
}

const blocksOf = (page: string): ReadonlyArray<Block> =>
  [
    ...readFileSync(join(root, "docs/guide", `${page}.md`), "utf8").matchAll(
      /```sh run\n([\s\S]*?)```(?:\n\n```output\n([\s\S]*?)```)?/g
    )
  ].map(([, commands = "", shown]) => ({ page, commands, shown }))

/** The examples of the reference, which continue the same five minutes: whoever follows both finds every name free. */
const reference = ["cohorts", "configuration", "experiments"].flatMap((page) =>
  [
    ...readFileSync(join(root, "docs", `${page}.md`), "utf8").matchAll(
      new RegExp(`\`\`\`sh ${page}\n([^]*?)\`\`\``, "g")
    )
  ].map(([, commands = ""]) => commands)
)

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whether what was printed is what the page shows, in which … stands for anything. */
const agrees = (printed: string, shown: string): boolean =>
  new RegExp(`^${shown.trim().split("…").map(literally).join("[\\s\\S]*")}$`).test(printed.trim())

describe("the guide's pages of jobs", () => {
  it("print over a fresh server what they show, and the reference's examples work after them", () =>
    withFolder(async (folder) => {
      const server = await startServer(join(folder, "data"))
      const blocks = jobs.flatMap(blocksOf)
      const end = (at: number) => `\n--- end of block ${at}\n`
      writeFileSync(
        join(folder, "guide.sh"),
        [
          `gamekeeper() { "${process.execPath}" "${join(root, "dist/main.mjs")}" "$@"; }`,
          ...blocks.map(({ commands }, at) => `${commands}\nprintf '%s' '${end(at)}'`),
          ...reference
        ].join("\n")
      )
      const { stdout, stderr, status } = spawnSync("bash", ["-euo", "pipefail", "guide.sh"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, GK: server.url }
      })
      await server.stop()
      assert.strictEqual(status, 0, `${stdout}\n${stderr}`)
      let rest = stdout
      for (const [at, { page, commands, shown }] of blocks.entries()) {
        const [printed = ""] = rest.split(end(at))
        rest = rest.slice(printed.length + end(at).length)
        assert.isTrue(
          agrees(printed, shown ?? ""),
          `${page}: ${commands}\nprinted: ${printed}\nshown: ${shown ?? "nothing"}`
        )
      }
      assert.isAtLeast(reference.length, 3)
      for (const page of jobs) assert.isNotEmpty(blocksOf(page), page)
    }))
})
