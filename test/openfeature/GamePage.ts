import { build } from "esbuild"
import { createServer } from "node:http"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { root } from "../support/Server.ts"
import type { Details, HeardHook, ProviderState, Subject } from "./World.ts"

/** A site whose only page is `game.mjs`, bundled as an application would bundle it: `gamekeeper/…` is found by the package's own exports. */
export const gameSite = async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/openfeature/game.mjs")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser"
  })
  const script = outputFiles.map(({ text }) => text).join("")
  const site = createServer((request, response) => {
    const isScript = request.url === "/game.mjs"
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" })
    response.end(
      isScript ? script : '<!doctype html><title>game</title><script type="module" src="/game.mjs"></script>'
    )
  })
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  return { url: `http://127.0.0.1:${Object(site.address()).port}/`, close: () => site.close() }
}

/** Calls a function of the game in the page. */
export const inGame = <Told>(page: Page, method: string, ...given: ReadonlyArray<unknown>): Promise<Told> =>
  page.evaluate(
    ([name, all]) => {
      const called: (...all: ReadonlyArray<unknown>) => Promise<Told> = Reflect.get(
        Reflect.get(globalThis, "game"),
        name
      )
      return called(...all)
    },
    [method, [...given]] as const
  )

type Heard = ReadonlyArray<readonly [hook: number, stage: keyof HeardHook, details: PageDetails | null]>
type PageDetails = Details & { readonly isFrozen: boolean }
export interface Answer {
  readonly details: PageDetails
  readonly heard: Heard
}

/** What a page has told of details, which lose on the way that nobody may change them. */
const told = ({ isFrozen, flagMetadata, ...details }: PageDetails): Details => ({
  ...details,
  flagMetadata: isFrozen ? Object.freeze(flagMetadata) : flagMetadata
})

const replay = (hook: HeardHook | undefined, stage: keyof HeardHook, details: PageDetails | null) => {
  if (stage === "before" || stage === "error") hook?.[stage]()
  else if (details !== null) hook?.[stage](null, told(details))
}

let count = 0

/** Our provider in the SDK for pages, in the page of a real browser. */
export const onPage =
  (page: Page, server: string, key: string) =>
  async (state: ProviderState): Promise<Subject> => {
    const domain = `page ${++count}`
    await inGame(page, "open", { domain, state, url: server, key: state === "fatal" ? "gk_public_unheard_of" : key })
    const added: Array<HeardHook> = []
    return {
      status: () => inGame(page, "status", domain),
      addHook: async (hook) => {
        added.push(hook)
        await inGame(page, "addHook", domain, -added.length)
      },
      details: async (question, context, hooks = []) => {
        const answer = await inGame<Answer>(page, "details", {
          domain,
          question,
          context: state === "stable" ? context : null,
          hooks: hooks.map((_, index) => index)
        })
        for (const [name, stage, details] of answer.heard)
          replay(name < 0 ? added[-name - 1] : hooks[name], stage, details)
        return told(answer.details)
      },
      close: () => inGame(page, "close", domain)
    }
  }
