import { Effect } from "effect"
import type { DemoClick, DemoLink } from "../../domain/demo/DemoClick.ts"
import { attributionEnd, type Deeplink } from "../../domain/deeplinks/Deeplink.ts"
import { DeeplinkRepo } from "../../ports/deeplinks/DeeplinkRepo.ts"
import { Clicks } from "../deeplinks/Clicks.ts"
import { linkNames } from "./DemoDeeplinks.ts"
import type { Studio } from "./DemoStudio.ts"

/** Clicks that wait together to be stored. */
const concurrency = 500

/** Clicks on the demo's deeplinks. */
export class DemoClicks extends Effect.Service<DemoClicks>()("services/demo/DemoClicks", {
  effect: Effect.gen(function* () {
    const deeplinks = yield* DeeplinkRepo
    const buffer = yield* Clicks

    const recordOne = ({ interactionId, at, origin, country, device, visitor }: DemoClick, deeplink: Deeplink) =>
      buffer.record({
        interactionId,
        deeplinkId: deeplink.id,
        clickedAt: at,
        expiresAt: attributionEnd(deeplink, at),
        source: origin,
        country,
        device,
        visitor
      })

    /** Counts the clicks, so that the markers that name them convert. */
    const record = Effect.fnUntraced(function* ({ applicationId }: Studio, clicks: ReadonlyArray<DemoClick>) {
      if (clicks.length === 0) return
      const all = yield* deeplinks.list(applicationId)
      const linkOf = (link: DemoLink) => all.find(({ name }) => name === linkNames[link])
      const found = clicks.flatMap((click) => {
        const deeplink = linkOf(click.link)
        return deeplink === undefined ? [] : [[click, deeplink] as const]
      })
      yield* Effect.forEach(found, ([click, deeplink]) => recordOne(click, deeplink), { concurrency, discard: true })
    })

    return { record } as const
  })
}) {}
