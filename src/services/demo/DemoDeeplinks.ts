import { Effect, Schema } from "effect"
import { CreateApiKey } from "../../../schema/access/ApiKeys.ts"
import { CreateDeeplink } from "../../../schema/deeplinks/Deeplinks.ts"
import type { DemoLink } from "../../domain/demo/DemoClick.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { ApiKeys } from "../access/ApiKeys.ts"
import { Deeplinks } from "../deeplinks/Deeplinks.ts"
import type { Studio } from "./DemoStudio.ts"
import { asOf } from "./Past.ts"

/** The deeplink of each campaign, by name. */
export const linkNames: Readonly<Record<DemoLink, string>> = {
  spring_campaign: "Spring newsletter",
  influencer: "Video of a streamer"
}

const links: ReadonlyArray<typeof CreateDeeplink.Encoded> = [
  {
    name: linkNames.spring_campaign,
    slug: "island-spring",
    type: "web_url",
    redirectUrl: "https://island-run.example/play?from=spring",
    metadata: { campaign: "spring", budget: 1200 },
    conversionMarker: "Install"
  },
  {
    name: linkNames.influencer,
    slug: "island-video",
    type: "web_url",
    redirectUrl: "https://island-run.example/play?from=video",
    metadata: { campaign: "video" },
    conversionMarker: "Install"
  }
]

/** The ways into the demo's game: links of campaigns, and keys of its programs. */
export class DemoDeeplinks extends Effect.Service<DemoDeeplinks>()("services/demo/DemoDeeplinks", {
  effect: Effect.gen(function* () {
    const deeplinks = yield* Deeplinks
    const keys = yield* ApiKeys

    const createLink = Effect.fnUntraced(function* (
      { applicationId, environment }: Studio,
      request: typeof CreateDeeplink.Encoded
    ) {
      const decoded = yield* Schema.decode(CreateDeeplink)(request)
      // Slugs are of the whole server: where somebody has this one, another is made up.
      yield* Effect.catchTag(
        deeplinks.create({ applicationId, environmentId: environment.id }, decoded),
        "SlugTaken",
        () => {
          const { slug: _, ...unnamed } = decoded
          return deeplinks.create({ applicationId, environmentId: environment.id }, unnamed)
        }
      )
    })

    const createKey = Effect.fnUntraced(function* ({ organizationId }: Studio, request: typeof CreateApiKey.Encoded) {
      yield* keys.create(organizationId, yield* Schema.decode(CreateApiKey)(request))
    })

    /** Where there are none yet. Nobody learns the secrets of the keys: who wants to send markers makes another. */
    const play = Effect.fnUntraced(function* (studio: Studio) {
      const { applicationId, organizationId, environment, firstDay } = studio
      const atLaunch = asOf(firstDay * dayMillis)
      if ((yield* deeplinks.list({ applicationId, environmentId: environment.id })).length === 0)
        for (const link of links) yield* atLaunch(createLink(studio, link))
      if ((yield* keys.list(organizationId)).length > 0) return
      const environmentIds = [environment.id] as const
      yield* atLaunch(
        createKey(studio, { type: "public", name: "Game on players' devices", applicationId, environmentIds })
      )
      yield* atLaunch(
        createKey(studio, {
          type: "secret",
          name: "Matchmaking server",
          projectScope: { allProjects: false, applicationIds: [applicationId] },
          environmentIds,
          permissions: ["sdk:ingest", "sdk:read", "analytics:read"]
        })
      )
    })

    return { play } as const
  })
}) {}
