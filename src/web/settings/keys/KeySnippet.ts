import { shellWord } from "../../text/Curl.ts"
import { curl, type SnippetFacts } from "../../setup/Snippets.ts"
import type { Key } from "../AccessQueries.ts"

interface Place {
  readonly applicationId: number
  readonly environmentId: number
}

/** How a new key is used: a game sends a marker with it, a script asks what it may see. */
export const keySnippet = (type: Key["type"], facts: SnippetFacts, { applicationId, environmentId }: Place): string =>
  type === "public"
    ? curl(facts)
    : [
        `curl -sS --fail-with-body ${facts.server}/application/${applicationId}/analytics/v1/markers/types`,
        `  -H ${shellWord(`authorization: Bearer ${facts.key}`)}`,
        `  -H 'environment-id: ${environmentId}'`
      ].join(" \\\n")
